"""Softmax and its logarithm: one kernel each, forward and backward.

What an element passes: forward, the rows' maximum (reducing), the exponential and its sum (Scalar
Engine), and the scale, or the difference of logarithms (single). Backward, softmax takes a product
and its sum (paired, reducing) and a difference times the result (paired); its logarithm takes a
sum (reducing), the exponential (Scalar Engine) and a difference of products (paired).
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor
from ..work import Work
from .passes import Passes
from .rule import Rule

_FORWARD: Final = Passes(single=1, reduced=1, scalar=1)
_BACKWARD: Final = Passes(paired=2, reduced=1)
_LOG_BACKWARD: Final = Passes(paired=1, reduced=1, scalar=1)


def _forward(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    result = _result(call, source)
    return _FORWARD.work("softmax, one kernel", result, read=[source], written=[result])


def _result(call: OperatorCall, source: Tensor) -> Tensor:
    """The result, in a dtype that may be named; it is also the one that is computed in."""
    named = call.as_run("float32") if call.flag(2) else call.dtype(2)
    return source.typed(named or source.dtype)


def _masked(call: OperatorCall) -> Work | None:
    source, mask = call.tensor(0), call.tensor(1)
    if not (source and mask):
        return None
    masked = _FORWARD + Passes(paired=1)
    return masked.work("softmax, one kernel", source, read=[source, mask], written=[source])


def _backward(passes: Passes, *, dtype_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        gradient, result = call.tensor(0), call.tensor(1)
        if not (gradient and result):
            return None
        made = result.typed(call.dtype(dtype_at) or result.dtype)
        read = [each for each in call.operands(3) if each.shape]
        return passes.work("softmax backward, one kernel", result, read=read, written=[made])

    return work


def _backward_of(passes: Passes) -> Rule:
    """The backward pass, from the forward call."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        result = _result(call, source)
        rule = "softmax backward, one kernel"
        return passes.work(rule, result, read=[result, result], written=[source])

    return work


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(
        ("softmax", "_softmax", "log_softmax", "_log_softmax", "_safe_softmax"), _forward
    ),
    "_masked_softmax": _masked,
    "_softmax_backward_data": _backward(_BACKWARD, dtype_at=3),
    "_log_softmax_backward_data": _backward(_LOG_BACKWARD, dtype_at=3),
    "_masked_softmax_backward": _backward(_BACKWARD + Passes(paired=1), dtype_at=-1),
}

BACKWARD_RULES: Final[dict[str, Rule]] = {
    "softmax": _backward_of(_BACKWARD),
    "log_softmax": _backward_of(_LOG_BACKWARD),
}
"""Backward rules by the forward operator's name, from its call."""
