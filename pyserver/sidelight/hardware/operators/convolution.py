"""Convolutions, as matrix products over the unrolled windows; pooling.

FLOPs as torch's flop counter has them: two for each weight that meets each element of the result.
Backward: one such product for the input's gradient and one for the weight's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Matmul, Work

Rule = Callable[[OperatorCall], Optional[Work]]


def result_shape(
    source: Tensor,
    weight: Tensor,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    *,
    transposed: bool,
    output_padding: list[int],
    groups: int,
) -> tuple[int, ...] | None:
    """The shape that a convolution gives (formulas: torch's ``Conv2d`` and ``ConvTranspose2d``)."""
    dimensions = len(source.shape) - 2
    if dimensions < 1 or len(weight.shape) != dimensions + 2:
        return None
    steps, pads, spreads, more = (
        values * dimensions if len(values) == 1 else values
        for values in (stride, padding, dilation, output_padding)
    )
    if min(len(steps), len(pads), len(spreads)) < dimensions or 0 in steps:
        return None
    sizes: list[int] = []
    for index in range(dimensions):
        size, kernel = source.shape[2 + index], weight.shape[2 + index]
        window = spreads[index] * (kernel - 1)
        if transposed:
            extra = more[index] if index < len(more) else 0
            sizes.append((size - 1) * steps[index] - 2 * pads[index] + window + extra + 1)
        else:
            sizes.append((size + 2 * pads[index] - window - 1) // steps[index] + 1)
    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    return (source.shape[0], channels, *(max(size, 0) for size in sizes))


def _convolution(call: OperatorCall) -> Work | None:
    source, weight, bias = call.tensor(0), call.tensor(1), call.tensor(2)
    stride, padding, dilation = call.numbers(3), call.numbers(4), call.numbers(5)
    if not (source and weight and stride and padding and dilation):
        return None
    transposed, groups = call.flag(6), call.number(8) or 1
    shape = result_shape(
        source,
        weight,
        stride,
        padding,
        dilation,
        transposed=transposed,
        output_padding=call.numbers(7) or [0],
        groups=groups,
    )
    if shape is None:
        return None
    result = source.shaped(shape)
    product_ = _product(source, weight, result, transposed=transposed, groups=groups)
    return Work(
        "convolution",
        flops=product_.flops,
        read_bytes=source.nbytes + weight.nbytes + (bias.nbytes if bias else 0),
        written_bytes=result.nbytes,
        matmuls=(product_,),
        dtype=source.dtype,
    )


def _product(
    source: Tensor, weight: Tensor, result: Tensor, *, transposed: bool, groups: int
) -> Matmul:
    """The product that a convolution is: windows by weights.

    The windows are as many as there are places in the result, or, transposed, in the source.
    """
    places = source if transposed else result
    positions = places.shape[0] * product(places.shape[2:])
    contraction = product(weight.shape[1:]) if not transposed else weight.shape[0] // groups
    columns = weight.shape[0] // groups if not transposed else product(weight.shape[1:])
    return Matmul(groups, positions, contraction, columns, source.dtype)


def _convolution_backward(call: OperatorCall) -> Work | None:
    gradient, source, weight = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (gradient and source and weight):
        return None
    transposed, groups = call.flag(7), call.number(9) or 1
    forward = _product(source, weight, gradient, transposed=transposed, groups=groups)
    to_source = Matmul(groups, forward.m, forward.n, forward.k, source.dtype)
    to_weight = Matmul(groups, forward.k, forward.m, forward.n, source.dtype)
    return Work(
        "convolution backward",
        flops=to_source.flops + to_weight.flops,
        read_bytes=gradient.nbytes + source.nbytes + weight.nbytes,
        written_bytes=source.nbytes + weight.nbytes,
        matmuls=(to_source, to_weight),
        dtype=source.dtype,
    )


def _pooling(call: OperatorCall) -> Work | None:
    """Each element of the source is looked at once a window, which on the whole overlap little."""
    source, kernel, stride = call.tensor(0), call.numbers(1), call.numbers(2)
    if source is None or not kernel:
        return None
    window = product(kernel * 2 if len(kernel) == 1 else kernel)
    step = product((stride or kernel) * 2 if len(stride or kernel) == 1 else stride or kernel)
    results = source.numel // max(step, 1)
    return Work(
        "pooling",
        flops=results * window,
        read_bytes=source.nbytes,
        written_bytes=source.shaped((results,)).nbytes,
        vector_elements=results * window,
        dtype=source.dtype,
    )


def _adaptive_pooling(call: OperatorCall) -> Work | None:
    source, sizes = call.tensor(0), call.numbers(1)
    if source is None or len(source.shape) < 3 or not sizes:
        return None
    kept = product(source.shape[: -len(sizes)]) * product(sizes)
    return Work(
        "pooling",
        flops=source.numel,
        read_bytes=source.nbytes,
        written_bytes=source.shaped((kept,)).nbytes,
        vector_elements=source.numel,
        dtype=source.dtype,
    )


def _pooling_backward(call: OperatorCall) -> Work | None:
    gradient, source = call.tensor(0), call.tensor(1)
    if not (gradient and source):
        return None
    return Work(
        "pooling backward",
        flops=source.numel,
        read_bytes=gradient.nbytes,
        written_bytes=source.nbytes,
        vector_elements=source.numel,
        dtype=source.dtype,
    )


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("convolution", "_convolution", "convolution_overrideable"), _convolution),
    "convolution_backward": _convolution_backward,
    **dict.fromkeys(
        [
            "max_pool2d",
            "max_pool2d_with_indices",
            "avg_pool2d",
            "max_pool3d_with_indices",
            "avg_pool3d",
        ],
        _pooling,
    ),
    **dict.fromkeys(
        [
            "adaptive_avg_pool2d",
            "_adaptive_avg_pool2d",
            "adaptive_avg_pool3d",
            "_adaptive_avg_pool3d",
            "adaptive_max_pool2d",
        ],
        _adaptive_pooling,
    ),
    **dict.fromkeys(
        [
            "max_pool2d_with_indices_backward",
            "avg_pool2d_backward",
            "_adaptive_avg_pool2d_backward",
            "adaptive_max_pool2d_backward",
        ],
        _pooling_backward,
    ),
}
