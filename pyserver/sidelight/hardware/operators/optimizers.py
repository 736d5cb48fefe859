"""Operators over lists of tensors (``_foreach_*``) and whole optimizer steps (``_fused_*``).

Each is one kernel: the lists' tensors pass through it one after another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..work import Work

Rule = Callable[[OperatorCall], Optional[Work]]

_SCALAR_FUNCTIONS: Final = frozenset(
    [
        "sqrt",
        "rsqrt",
        "exp",
        "expm1",
        "log",
        "log10",
        "log1p",
        "log2",
        "sin",
        "cos",
        "tan",
        "tanh",
        "sigmoid",
        "erf",
        "erfc",
        "lgamma",
        "pow",
    ]
)
_FUSED_PASSES: Final = {"adam": 12, "adamw": 13, "sgd": 4, "adagrad": 6}
"""Operations an element of a parameter: Adam's two moments (three each), bias corrections, square
root, quotient, update; AdamW's decay one more; SGD's momentum, decay and update; Adagrad's sum of
squares, square root, quotient, update."""


def foreach_rule(name: str) -> Rule | None:
    """The rule for an operator over lists, None if ``name`` is none of those."""
    if not name.startswith("_foreach_"):
        return None
    function = name[len("_foreach_") :]

    def work(call: OperatorCall) -> Work | None:
        firsts = call.tensor_list(0)
        if not firsts:
            return None
        elements = sum(tensor.numel for tensor in firsts)
        result_bytes = sum(tensor.nbytes for tensor in firsts)
        fills = function in ("zero", "copy")
        read = sum(tensor.nbytes for tensor in call.tensors) - (result_bytes if fills else 0)
        if function == "norm":
            result_bytes = 4 * len(firsts)
        operations = 2 if function in ("addcmul", "addcdiv", "lerp", "norm") else 1
        on_scalar = function in _SCALAR_FUNCTIONS
        return Work(
            "elementwise over a list, one kernel",
            flops=0 if fills else operations * elements,
            read_bytes=read,
            written_bytes=result_bytes,
            vector_elements=0 if on_scalar or fills else operations * elements,
            scalar_elements=elements if on_scalar else 0,
            dtype=firsts[0].dtype,
        )

    return work


def _fused(name: str, passes: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        parameters = call.tensor_list(0)
        if not parameters:
            return None
        elements = sum(tensor.numel for tensor in parameters)
        # Lists of parameters, gradients and state; all but the gradients are written back.
        lists = [value for value in call.arguments if isinstance(value, tuple) and value]
        large = [value for value in lists if sum(each.numel for each in value) == elements]
        read = sum(tensor.nbytes for value in large for tensor in value)
        gradients = sum(tensor.nbytes for tensor in large[1]) if len(large) > 1 else 0
        return Work(
            f"{name} step, one kernel",
            flops=passes * elements,
            read_bytes=read,
            written_bytes=read - gradients,
            vector_elements=passes * elements,
            scalar_elements=elements,
            dtype=parameters[0].dtype,
        )

    return work


RULES: Final[dict[str, Rule]] = {
    f"_fused_{name}": _fused(name, passes) for name, passes in _FUSED_PASSES.items()
}
