"""Operators whose every element of the result depends on the same place of each operand.

One flop an element of the result, whatever the operator is. What the Scalar Engine evaluates by
table (exponentials, activations) goes there; the Vector Engine does the rest, an instruction for
each operand after the first, of two operands each (AWS NKI documentation, architecture guide and
``nki.isa.tensor_tensor``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..calls import OperatorCall
from ..dtypes import as_complex, as_floating, as_real, is_complex, promoted
from ..tensors import Tensor, broadcast, total_bytes
from ..work import Work
from .elementwise_names import (
    BACKWARD_ON_SCALAR,
    BACKWARD_ON_VECTOR,
    COMPARISONS,
    FRACTIONS,
    GIVES_COMPLEX,
    GIVES_REAL,
    ON_SCALAR,
    ON_VECTOR,
)
from .rule import Rule

_PLAIN_NUMBERS: Final = {"float64": "float32", "int64": "int64", "complex128": "complex64"}
"""How the profiler shows the program's numbers, and what integers become where they take part."""


_COMPLEX_PASSES: Final = {"mul": 6, "addcmul": 8, "div": 11, "addcdiv": 13}
"""What the Vector Engine reads for a product or quotient of complex numbers, as often as each part
is there: a product is six instructions of two operands, a quotient eleven, a sum two."""


@dataclass(frozen=True)
class _Kind:
    """How elementwise operators differ.

    Attributes:
        operands: How many of its first arguments may be operands.
        tables: How many functions of an element the Scalar Engine evaluates.
        vector: How many elements the Vector Engine reads for one of the result; None for two for
            each operand after the first, or one where there is one operand.
        is_condition: Whether the result is a truth value.
        is_fraction: Whether integers give fractions.
    """

    operands: int
    tables: int = 0
    vector: int | None = None
    is_condition: bool = False
    is_fraction: bool = False


def _work(call: OperatorCall, kind: _Kind) -> Work | None:
    """The operands read, the result written."""
    operands = call.operands(kind.operands)
    if not operands:
        return None
    dtype = call.as_run(_result_dtype(call, operands, kind))
    operands = [each for each in operands if not is_plain_number(each)] or operands
    result = operands[0] if call.is_in_place else Tensor(broadcast(operands), dtype)
    large = sum(1 for each in operands if each.numel > 1) or 1
    vector = kind.vector
    if vector is None:
        vector = 2 * (large - 1) or (0 if kind.tables else 1)
    if is_complex(dtype) and large > 1:
        vector = _COMPLEX_PASSES.get(_function(call), vector)
    return Work(
        "elementwise",
        flops=result.numel,
        read_bytes=total_bytes(operands),
        written_bytes=result.nbytes,
        vector_elements=vector * result.numel,
        scalar_elements=kind.tables * result.numel,
        dtype=_widest(operands, dtype),
    )


def is_plain_number(operand: Tensor) -> bool:
    """Whether an operand is a number of the program: the profiler shows it as 64 bits wide."""
    return not operand.shape and operand.dtype in _PLAIN_NUMBERS


def _result_dtype(call: OperatorCall, operands: list[Tensor], kind: _Kind) -> str:
    if kind.is_condition:
        return "bool"
    name = _function(call)
    if name in ("where", "masked_fill", "heaviside") and len(operands) > 1:
        operands = [each for each in operands if each.dtype != "bool"] or operands
    dtype = promoted(
        (each.dtype for each in operands if each.shape),
        (_PLAIN_NUMBERS.get(each.dtype, each.dtype) for each in operands if not each.shape),
        with_fraction=any(call.fraction(index) is not None for index in range(kind.operands)),
    )
    if kind.is_fraction and not (name == "div" and _has_rounding_mode(call)):
        dtype = as_floating(dtype)
    if name in GIVES_REAL:
        return as_real(dtype)
    return as_complex(dtype) if name in GIVES_COMPLEX else dtype


def _function(call: OperatorCall) -> str:
    return call.name.rpartition("::")[2].rstrip("_")


def _has_rounding_mode(call: OperatorCall) -> bool:
    """Whether a quotient is rounded, for which there is a third argument: integers stay."""
    return len(call.arguments) == 3 and call.tensor(2) is None


def _widest(operands: list[Tensor], dtype: str) -> str:
    """The dtype that decides the engines' speed: conditions are as wide as what they compare."""
    if any(is_complex(each.dtype) for each in operands):
        return as_complex(dtype)
    return operands[0].dtype if dtype == "bool" else dtype


def elementwise(operands: int) -> Rule:
    """The rule for an operator of the Vector Engine."""
    return _elementwise(_Kind(operands))


def _elementwise(kind: _Kind) -> Rule:
    return lambda call: _work(call, kind)


def _power(call: OperatorCall) -> Work | None:
    """Small whole powers are products; others an exponential of a logarithm."""
    exponent = call.number(1) or call.fraction(1)
    if exponent in (1, 2, 3):
        return _work(call, _Kind(2, vector=2))
    if exponent in (0.5, -0.5, -1):
        return _work(call, _Kind(2, tables=1))
    return _work(call, _Kind(2, tables=2))


def _where(call: OperatorCall) -> Work | None:
    """Given a condition alone, it gives the places where it holds: another operator."""
    return _work(call, _Kind(3)) if len(call.arguments) > 1 else None


def _gated(call: OperatorCall) -> Work | None:
    """``glu``: one half times the sigmoid of the other."""
    source, dimension = call.tensor(0), call.number(1)
    if source is None or not source.shape:
        return None
    halved = source.size(-1 if dimension is None else dimension) // 2
    result = source.shaped((source.numel // max(2 * halved, 1), halved))
    return Work(
        "gated linear unit",
        flops=2 * result.numel,
        read_bytes=source.nbytes,
        written_bytes=result.nbytes,
        vector_elements=2 * result.numel,
        scalar_elements=result.numel,
        dtype=source.dtype,
    )


def _parametric_backward(call: OperatorCall) -> Work | None:
    """``prelu``: gradients of the source and, before they are summed, of the slopes."""
    operands = call.operands(3)
    if len(operands) < 3:
        return None
    result = operands[0]
    return Work(
        "elementwise",
        flops=2 * result.numel,
        read_bytes=total_bytes(operands),
        written_bytes=2 * result.nbytes,
        vector_elements=4 * result.numel,
        dtype=result.dtype,
    )


def _with_buffer(call: OperatorCall) -> Work | None:
    """``log_sigmoid_forward``: the exponential is kept for the backward pass by some backends."""
    return _work(call, _Kind(1, tables=2))


RULES: Final[dict[str, Rule]] = {
    **{
        name: _elementwise(_Kind(operands, is_fraction=name in FRACTIONS))
        for name, operands in ON_VECTOR.items()
    },
    **{
        name: _elementwise(_Kind(operands, is_condition=True))
        for name, operands in COMPARISONS.items()
    },
    **{
        name: _elementwise(_Kind(operands, tables=1, is_fraction=True))
        for name, operands in ON_SCALAR.items()
    },
    **{
        name: _elementwise(_Kind(operands, vector=4))
        for name, operands in BACKWARD_ON_VECTOR.items()
    },
    **{
        name: _elementwise(_Kind(operands, tables=1, vector=2))
        for name, operands in BACKWARD_ON_SCALAR.items()
    },
    "pow": _power,
    "where": _where,
    "glu": _gated,
    "_prelu_kernel_backward": _parametric_backward,
    "log_sigmoid_forward": _with_buffer,
}
