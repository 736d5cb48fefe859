"""Random numbers: the Vector Engine makes one a lane and cycle (AWS NKI documentation).

Dropout makes one for each element, compares it and multiplies with what comes of that.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor
from ..work import Work
from .ordering import ordering_passes
from .passes import Passes
from .reductions import INDEX
from .rule import Rule

_UNIFORM: Final = Passes(single=1)
_COMPARED: Final = Passes(single=2)
_BY_LOGARITHM: Final = Passes(single=1, scalar=1)
_NORMAL: Final = Passes(single=1, paired=1, scalar=3)
"""A pair of normal numbers comes from a logarithm, a root, a sine and a cosine of uniform ones."""


def _filled(passes: Passes) -> Rule:
    """Numbers written over a tensor; where another gives their probabilities, it is read."""

    def work(call: OperatorCall) -> Work | None:
        target = call.tensor(0)
        if target is None:
            return None
        rule = "random numbers"
        return passes.work(rule, target, read=call.operands(2)[1:], written=[target])

    return work


def random_work(target: Tensor, *, normal: bool) -> Work:
    """Random numbers for a new tensor."""
    passes = _NORMAL if normal else _UNIFORM
    return passes.work("random numbers", target, read=[], written=[target])


def _drawn(passes: Passes) -> Rule:
    """Numbers drawn for each element of tensors that say how."""

    def work(call: OperatorCall) -> Work | None:
        operands = call.operands(2)
        if not operands:
            return None
        result = max(operands, key=lambda each: each.numel)
        return passes.work("random numbers", result, read=operands, written=[result])

    return work


def _bernoulli(call: OperatorCall) -> Work | None:
    """In place, numbers of a tensor are overwritten; else it gives their probabilities."""
    source = call.tensor(0)
    if source is None:
        return None
    read = call.operands(2) if not call.is_in_place else call.operands(2)[1:]
    return _COMPARED.work("random numbers", source, read=read, written=[source])


def _normal(call: OperatorCall) -> Work | None:
    """``normal``: of means or deviations, of numbers, or, in place, over a tensor."""
    operands = call.operands(2)
    if call.is_in_place:
        return _filled(_NORMAL)(call)
    if operands:
        return _drawn(_NORMAL)(call)
    sizes = call.numbers(2)
    if sizes is None:
        return None
    return random_work(Tensor(tuple(sizes), call.dtype(4) or call.as_run("float32")), normal=True)


def _dropout(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    if call.arguments[2:3] == (False,):
        return Work("dropout that is switched off")
    mask = source.typed("uint8" if call.name.endswith("_fused_dropout") else "bool")
    passes = _COMPARED + Passes(paired=1)
    return passes.work("dropout, one kernel", source, read=[source], written=[source, mask])


def _leaky(call: OperatorCall) -> Work | None:
    """``rrelu_with_noise``: a random slope for each element."""
    source, noise = call.tensor(0), call.tensor(1)
    if not (source and noise):
        return None
    passes = Passes(single=1, paired=1)
    return passes.work("random slopes", source, read=[source], written=[source, noise])


def _multinomial(call: OperatorCall) -> Work | None:
    """Draws from rows of weights: the largest of weights divided by exponential random numbers."""
    weights, count = call.tensor(0), call.number(1)
    if weights is None or count is None or not weights.shape:
        return None
    rows = weights.numel // max(weights.size(-1), 1)
    passes = _BY_LOGARITHM + Passes(paired=1) + ordering_passes(weights.size(-1), count)
    made = [Tensor((rows * count,), INDEX)]
    return passes.work("random draws", weights, read=[weights], written=made)


def _permutation(call: OperatorCall) -> Work | None:
    """``randperm``: places, ordered by random numbers."""
    count = call.number(0)
    if count is None:
        return None
    target = Tensor((count,), INDEX)
    passes = _UNIFORM + ordering_passes(count, count)
    return passes.work("random order", target, read=[], written=[target])


def _masked_scale(call: OperatorCall) -> Work | None:
    operands = call.operands(2)
    if len(operands) < 2:
        return None
    passes = Passes(paired=1)
    written = operands[:1]
    return passes.work("dropout backward", operands[0], read=operands, written=written)


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("uniform", "random"), _filled(_UNIFORM)),
    **dict.fromkeys(("exponential", "geometric", "cauchy"), _filled(_BY_LOGARITHM)),
    "log_normal": _filled(_NORMAL + Passes(scalar=1)),
    "normal": _normal,
    "bernoulli": _bernoulli,
    **dict.fromkeys(("poisson", "binomial", "_standard_gamma"), _drawn(_BY_LOGARITHM)),
    **dict.fromkeys(("dropout", "native_dropout", "_fused_dropout"), _dropout),
    **dict.fromkeys(("native_dropout_backward", "_masked_scale"), _masked_scale),
    "rrelu_with_noise": _leaky,
    "multinomial": _multinomial,
    "randperm": _permutation,
}
