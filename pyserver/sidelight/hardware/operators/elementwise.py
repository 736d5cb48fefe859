"""Operators whose every element of the result depends on the same place of each operand.

One flop an element of the result, whatever the operator is. What the Scalar Engine evaluates by
table (exponentials, activations) goes there, the rest to the Vector Engine (NKI architecture
guide).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, broadcast, element_size, is_floating
from ..work import Work

Rule = Callable[[OperatorCall], Optional[Work]]

VECTOR: Final = frozenset(
    [
        "abs",
        "add",
        "addcdiv",
        "addcmul",
        "bitwise_and",
        "bitwise_left_shift",
        "bitwise_not",
        "bitwise_or",
        "bitwise_right_shift",
        "bitwise_xor",
        "ceil",
        "clamp",
        "clamp_max",
        "clamp_min",
        "copysign",
        "div",
        "floor",
        "floor_divide",
        "fmax",
        "fmin",
        "fmod",
        "frac",
        "heaviside",
        "isfinite",
        "isinf",
        "isnan",
        "isneginf",
        "isposinf",
        "lerp",
        "logical_not",
        "maximum",
        "minimum",
        "mul",
        "nan_to_num",
        "neg",
        "reciprocal",
        "relu",
        "relu6",
        "remainder",
        "round",
        "rsub",
        "sgn",
        "sign",
        "square",
        "sub",
        "threshold",
        "threshold_backward",
        "trunc",
        "where",
        "masked_fill",
        "hardtanh",
        "hardtanh_backward",
        "leaky_relu",
        "leaky_relu_backward",
        "hardsigmoid",
        "hardswish",
        "hardshrink",
        "softshrink",
        "__and__",
        "__or__",
        "__xor__",
        "__lshift__",
        "__rshift__",
        "ldexp",
        "polar",
        "mse_loss_backward",
        "smooth_l1_loss_backward",
        "huber_loss_backward",
        "binary_cross_entropy_backward",
    ]
)
COMPARISONS: Final = frozenset(
    [
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "logical_and",
        "logical_or",
        "logical_xor",
        "isfinite",
        "isinf",
        "isnan",
        "isneginf",
        "isposinf",
        "logical_not",
        "isclose",
    ]
)
"""Their result is one byte an element."""

SCALAR: Final = frozenset(
    [
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cos",
        "cosh",
        "digamma",
        "elu",
        "elu_backward",
        "erf",
        "erfc",
        "erfinv",
        "exp",
        "exp2",
        "expm1",
        "gelu",
        "gelu_backward",
        "hypot",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "log_sigmoid_backward",
        "log_sigmoid_forward",
        "logaddexp",
        "logaddexp2",
        "logit",
        "logit_backward",
        "mish",
        "mish_backward",
        "pow",
        "rsqrt",
        "sigmoid",
        "sigmoid_backward",
        "silu",
        "silu_backward",
        "sin",
        "sinc",
        "sinh",
        "softplus",
        "softplus_backward",
        "special_entr",
        "sqrt",
        "tan",
        "tanh",
        "tanh_backward",
        "xlogy",
        "celu",
        "selu",
        "glu",
        "glu_backward",
        "hardsigmoid_backward",
        "hardswish_backward",
    ]
)


def elementwise_work(call: OperatorCall, *, on_scalar: bool, gives_bool: bool) -> Work | None:
    """The operator's operands read, its result written, one pass."""
    operands = call.tensors
    if not operands:
        return None
    dtype = _promoted(operands)
    result = Tensor(broadcast(operands), "bool" if gives_bool else dtype)
    return Work(
        "elementwise",
        flops=result.numel,
        read_bytes=sum(operand.nbytes for operand in operands),
        written_bytes=result.nbytes,
        vector_elements=0 if on_scalar else result.numel,
        scalar_elements=result.numel if on_scalar else 0,
        dtype=dtype,
    )


def _promoted(operands: list[Tensor]) -> str:
    """The dtype of the result: floating before integer, then the wider; scalars give way."""
    dimensioned = [tensor for tensor in operands if tensor.shape] or operands
    return max(
        (tensor.dtype for tensor in dimensioned),
        key=lambda dtype: (is_floating(dtype), element_size(dtype)),
    )


def _vector(call: OperatorCall) -> Work | None:
    return elementwise_work(call, on_scalar=False, gives_bool=False)


def _comparison(call: OperatorCall) -> Work | None:
    return elementwise_work(call, on_scalar=False, gives_bool=True)


def _scalar(call: OperatorCall) -> Work | None:
    return elementwise_work(call, on_scalar=True, gives_bool=False)


def _power(call: OperatorCall) -> Work | None:
    # x ** 2 and x ** 3 are products, which the Vector Engine multiplies.
    small = call.number(1) in (1, 2, 3) or call.arguments[1:2] in ((2.0,), (3.0,))
    return elementwise_work(call, on_scalar=not small, gives_bool=False)


def _dropout(call: OperatorCall) -> Work | None:
    """Random numbers, a comparison and a product: the value and the mask come out."""
    operand = call.tensor(0)
    if operand is None:
        return None
    if call.arguments[2:3] == (False,):
        return Work("dropout that is switched off")
    return Work(
        "dropout, one kernel",
        flops=2 * operand.numel,
        read_bytes=operand.nbytes,
        written_bytes=operand.nbytes + operand.numel,
        vector_elements=2 * operand.numel,
        gpsimd_elements=operand.numel,
        dtype=operand.dtype,
    )


def _random(call: OperatorCall) -> Work | None:
    target = call.tensor(0)
    if target is None:
        return None
    return Work(
        "random numbers",
        flops=target.numel,
        written_bytes=target.nbytes,
        gpsimd_elements=target.numel,
        dtype=target.dtype,
    )


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(VECTOR - COMPARISONS, _vector),
    **dict.fromkeys(COMPARISONS, _comparison),
    **dict.fromkeys(SCALAR - {"pow"}, _scalar),
    "pow": _power,
    "dropout": _dropout,
    "native_dropout": _dropout,
    "native_dropout_backward": _vector,
    **dict.fromkeys(
        [
            "bernoulli",
            "uniform",
            "normal",
            "random",
            "exponential",
            "geometric",
            "log_normal",
            "cauchy",
        ],
        _random,
    ),
}
