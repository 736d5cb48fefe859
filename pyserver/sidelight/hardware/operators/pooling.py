"""Pooling: the Vector Engine reduces each window to one element.

One flop an element of a window. Every window is read from SBUF as a whole, so that windows that
overlap are read more than once there, but not from HBM.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product, total_bytes
from ..work import Work
from .rule import Rule

_INDEX: Final = "int64"


def _pooling(dimensions: int, *, dilation_at: int | None, with_indices: bool) -> Rule:
    """Pooling with a window of its own.

    Args:
        dimensions: How many dimensions a window has.
        dilation_at: Which argument is the dilation; what follows the paddings is whether the result
            is rounded up.
        with_indices: Whether the place of each result is given too.
    """
    rounds_up_at = 4 if dilation_at is None else dilation_at + 1

    def work(call: OperatorCall) -> Work | None:
        source, kernel = call.tensor(0), call.numbers(1)
        if source is None or not kernel or len(source.shape) <= dimensions:
            return None
        dilation = (call.numbers(dilation_at) if dilation_at else None) or [1]
        given = (kernel, call.numbers(2) or kernel, call.numbers(3) or [0], dilation)
        kernels, strides, pads, spreads = (_each(values, dimensions) for values in given)
        if min(map(len, (kernels, strides, pads, spreads))) < dimensions:
            return None
        sizes = [
            pooled_size(
                source.shape[len(source.shape) - dimensions + index],
                kernels[index],
                strides[index],
                pads[index],
                spreads[index],
                rounds_up=call.flag(rounds_up_at),
            )
            for index in range(dimensions)
        ]
        result = source.shaped((*source.shape[:-dimensions], *sizes))
        return _pooled(source, result, product(kernels), with_indices=with_indices)

    return work


def pooled_size(
    size: int, kernel: int, stride: int, padding: int, dilation: int, *, rounds_up: bool
) -> int:
    """How many windows there are along a dimension (formula: torch's ``MaxPool2d``)."""
    reach = size + 2 * padding - dilation * (kernel - 1) - 1
    step = max(stride, 1)
    if not rounds_up:
        return max(reach // step + 1, 0)
    count = -(-reach // step) + 1
    # A last window must begin within the source or its left padding.
    return max(count - 1 if (count - 1) * step >= size + padding else count, 0)


def _pooled(source: Tensor, result: Tensor, window: int, *, with_indices: bool) -> Work:
    indices = [result.typed(_INDEX)] if with_indices else []
    return Work(
        "pooling",
        flops=result.numel * window,
        read_bytes=source.nbytes,
        written_bytes=total_bytes([result, *indices]),
        reduced_elements=result.numel * window,
        dtype=source.dtype,
    )


def _each(values: list[int], dimensions: int) -> list[int]:
    return values * dimensions if len(values) == 1 else values[:dimensions]


def _adaptive(*, with_indices: bool, sizes_at: int = 1) -> Rule:
    """Pooling to given sizes: every element of the source is in about one window."""

    def work(call: OperatorCall) -> Work | None:
        source, sizes = call.tensor(0), call.numbers(sizes_at)
        if source is None or not sizes or len(source.shape) <= len(sizes):
            return None
        result = source.shaped((*source.shape[: -len(sizes)], *sizes))
        window = -(-source.numel // max(result.numel, 1))
        return _pooled(source, result, window, with_indices=with_indices)

    return work


def _backward(call: OperatorCall) -> Work | None:
    """What came is spread over the source's places; the source itself is not looked at."""
    gradient, source = call.tensor(0), call.tensor(1)
    if not (gradient and source):
        return None
    indices = [each for each in call.operands(8)[2:] if each.dtype == _INDEX]
    return Work(
        "pooling backward",
        flops=source.numel,
        read_bytes=total_bytes([gradient, *indices]),
        written_bytes=source.nbytes,
        vector_elements=2 * source.numel,
        dtype=source.dtype,
    )


def _unpooling(call: OperatorCall) -> Work | None:
    """Elements put back where they were taken from, zeros elsewhere."""
    source, indices, sizes = call.tensor(0), call.tensor(1), call.numbers(2)
    if not (source and indices and sizes):
        return None
    result = source.shaped((*source.shape[: -len(sizes)], *sizes))
    return Work(
        "elements scattered",
        read_bytes=total_bytes([source, indices]),
        written_bytes=result.nbytes,
        dtype=source.dtype,
        descriptors=source.numel,
    )


RULES: Final[dict[str, Rule]] = {
    **{
        f"avg_pool{dimensions}d": _pooling(dimensions, dilation_at=None, with_indices=False)
        for dimensions in (1, 2, 3)
    },
    **{
        f"{prefix}max_pool{dimensions}d": _pooling(dimensions, dilation_at=4, with_indices=False)
        for prefix, least in (("", 1), ("mkldnn_", 2), ("quantized_", 1))
        for dimensions in range(least, 4)
    },
    **{
        f"max_pool{dimensions}d_with_indices": _pooling(
            dimensions, dilation_at=4, with_indices=True
        )
        for dimensions in (1, 2, 3)
    },
    **dict.fromkeys(
        (
            "adaptive_avg_pool1d",
            "adaptive_avg_pool2d",
            "_adaptive_avg_pool2d",
            "mkldnn_adaptive_avg_pool2d",
            "adaptive_avg_pool3d",
            "_adaptive_avg_pool3d",
        ),
        _adaptive(with_indices=False),
    ),
    **dict.fromkeys(
        ("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"),
        _adaptive(with_indices=True),
    ),
    **dict.fromkeys(
        ("fractional_max_pool2d", "fractional_max_pool3d"),
        _adaptive(with_indices=True, sizes_at=2),
    ),
    **dict.fromkeys(
        (
            "max_pool2d_with_indices_backward",
            "max_pool3d_with_indices_backward",
            "avg_pool2d_backward",
            "avg_pool3d_backward",
            "_adaptive_avg_pool2d_backward",
            "_adaptive_avg_pool3d_backward",
            "mkldnn_adaptive_avg_pool2d_backward",
            "adaptive_avg_pool3d_backward",
            "adaptive_max_pool2d_backward",
            "adaptive_max_pool3d_backward",
            "fractional_max_pool2d_backward",
            "fractional_max_pool3d_backward",
        ),
        _backward,
    ),
    **dict.fromkeys(("max_unpool2d", "max_unpool3d"), _unpooling),
}
