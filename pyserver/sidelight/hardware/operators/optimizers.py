"""Operators over lists of tensors (``_foreach_*``) and whole optimizer steps (``_fused_*``).

Each is one kernel: the lists' tensors pass through it one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, total_bytes
from ..work import Work
from .elementwise_names import ON_SCALAR
from .passes import Passes
from .rule import Rule

_PREFIX: Final = "_foreach_"

_MOVED: Final = frozenset(["clone", "copy", "zero"])
_REDUCED: Final = {
    "max": Passes(reduced=1),
    "norm": Passes(reduced=1, scalar=1),
    "powsum": Passes(reduced=1, scalar=1),
}
_NORM_DTYPE_AT: Final = 2


def foreach_rule(name: str) -> Rule | None:
    """The rule for an operator over lists, None if ``name`` is none of those."""
    if not name.startswith(_PREFIX):
        return None
    function = name[len(_PREFIX) :]

    def work(call: OperatorCall) -> Work | None:
        lists = [value for value in call.arguments if isinstance(value, tuple) and value]
        if not lists:
            return None
        firsts = lists[0]
        read = [each for value in lists for each in value]
        if function in _MOVED:
            return _moved(function, firsts, lists[-1])
        if function in _REDUCED:
            dtype = call.dtype(_NORM_DTYPE_AT)
            made = [each.shaped(()).typed(dtype or each.dtype) for each in firsts]
            return _listed(_REDUCED[function], firsts, read, made)
        passes = Passes(scalar=1) if function in {*ON_SCALAR, "pow"} else _combined(len(lists))
        return _listed(passes, firsts, read, firsts)

    return work


def _combined(lists: int) -> Passes:
    """An instruction of two operands for each list after the first."""
    return Passes(paired=lists - 1) if lists > 1 else Passes(single=1)


def _moved(function: str, targets: Sequence[Tensor], sources: Sequence[Tensor]) -> Work:
    return Work(
        "copies of a list, one kernel" if function != "zero" else "fills of a list, one kernel",
        read_bytes=0 if function == "zero" else total_bytes(sources),
        written_bytes=total_bytes(targets),
        dtype=targets[0].dtype,
    )


def _listed(
    passes: Passes, firsts: Sequence[Tensor], read: Sequence[Tensor], made: Sequence[Tensor]
) -> Work:
    rule = "elementwise over a list, one kernel"
    return passes.work(rule, _as_one(firsts), read=read, written=made)


def _as_one(tensors: Sequence[Tensor]) -> Tensor:
    """All elements of a list in one tensor."""
    return tensors[0].shaped((sum(tensor.numel for tensor in tensors),))


_STEPS: Final = {
    # The gradient scaled and added to its mean; its square, added to theirs; their root, kept from
    # zero; the quotient; the update. AdamW scales the parameter too.
    "adam": Passes(single=2, paired=4, scalar=2),
    "adamw": Passes(single=3, paired=4, scalar=2),
    # Decay, update.
    "sgd": Passes(paired=2),
    # The square, added to the sum of squares; its root, kept from zero; the quotient; the update.
    "adagrad": Passes(single=1, paired=3, scalar=2),
}
_EXTRA_STATE: Final = {"sgd": 2, "adam": 4, "adamw": 4}
"""Where state is that some settings have: momentum, and amsgrad's largest means of squares."""

_EXTRA_PASSES: Final = Passes(paired=1)
"""What that state takes: the momentum is scaled and added to, the larger of two means kept."""

_UNCHANGED_LIST: Final = 1
"""Where the gradients are: all lists but this are written back."""


def _step(name: str, passes: Passes) -> Rule:
    """Lists of parameters, gradients and state; the step counters are the host's."""

    def work(call: OperatorCall) -> Work | None:
        parameters = call.tensor_list(0)
        if not parameters:
            return None
        elements = sum(tensor.numel for tensor in parameters)
        lists = [
            (index, value)
            for index, value in enumerate(call.arguments)
            if isinstance(value, tuple) and sum(each.numel for each in value) == elements
        ]
        has_extra_state = bool(call.tensor_list(_EXTRA_STATE.get(name, -1)))
        total = passes + _EXTRA_PASSES if has_extra_state else passes
        return total.work(
            f"{name} step, one kernel",
            _as_one(parameters),
            read=[each for _, value in lists for each in value],
            written=[each for index, value in lists if index != _UNCHANGED_LIST for each in value],
        )

    return work


def _unscaled(call: OperatorCall) -> Work | None:
    """Gradients multiplied with the inverse of a scale, and whether any of them is not finite."""
    gradients = call.tensor_list(0)
    if not gradients:
        return None
    return Passes(single=1, reduced=1).work(
        "gradients unscaled, one kernel", _as_one(gradients), read=gradients, written=gradients
    )


RULES: Final[dict[str, Rule]] = {
    **{f"_fused_{name}": _step(name, passes) for name, passes in _STEPS.items()},
    "_amp_foreach_non_finite_check_and_unscale": _unscaled,
}
