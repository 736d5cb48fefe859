"""Images made larger or smaller, and looked at through a grid; windows unrolled and rolled up.

Each element of a result is a sum over some of the source's places, as many as the interpolation
has: one for the nearest, two a dimension for linear, four for cubic. Each place is an instruction
of two operands of the Vector Engine; picking the nearest moves data only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product, total_bytes
from ..work import Work
from .pooling import pooled_size
from .rule import Rule

_NEAREST: Final = 1
_LINEAR: Final = 2
_CUBIC: Final = 4
_LANCZOS: Final = 6


def _interpolated(source: Tensor, result: Tensor, places: int, read: int) -> Work:
    weighted = places if places > 1 else 0
    larger = max(source.numel, result.numel)
    return Work(
        "interpolation",
        flops=2 * weighted * larger,
        read_bytes=read,
        written_bytes=result.nbytes,
        vector_elements=2 * weighted * larger,
        dtype=source.dtype,
    )


def _resized(places: int) -> Rule:
    """``upsample_*``: a result of given sizes, or so many times larger."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        sizes = call.numbers(1) or (_enlarged(call, source) if source else None)
        if source is None or not sizes or len(source.shape) <= len(sizes):
            return None
        result = source.shaped((*source.shape[: -len(sizes)], *sizes))
        return _interpolated(source, result, places, source.nbytes)

    return work


def _enlarged(call: OperatorCall, source: Tensor) -> list[int] | None:
    """The sizes by factors, which come last."""
    factors = call.fractions(len(call.arguments) - 1)
    if not factors or len(factors) >= len(source.shape):
        return None
    return [int(size * factor) for size, factor in zip(source.shape[-len(factors) :], factors)]


def _resized_backward(places: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        gradient, sizes = call.tensor(0), call.numbers(2)
        if gradient is None or not sizes:
            return None
        return _interpolated(gradient, gradient.shaped(sizes), places, gradient.nbytes)

    return work


def _seen_through_grid(dimensions: int) -> Rule:
    """``grid_sampler``: places that values name, each a piece of memory for every channel."""

    def work(call: OperatorCall) -> Work | None:
        source, grid = call.tensor(0), call.tensor(1)
        if not (source and grid) or len(grid.shape) != dimensions + 2:
            return None
        result = source.shaped((*source.shape[:2], *grid.shape[1:-1]))
        places = _CUBIC**dimensions if call.number(2) == 2 else _LINEAR**dimensions
        places = 1 if call.number(2) == 1 else places
        read = total_bytes([source, grid])
        seen = _interpolated(source, result, places, read)
        pieces = places * grid.numel // dimensions
        return replace(seen, descriptors=pieces)

    return work


def _seen_through_grid_backward(dimensions: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        gradient, source, grid = call.tensor(0), call.tensor(1), call.tensor(2)
        if not (gradient and source and grid):
            return None
        places = _LINEAR**dimensions
        wanted = call.flags(6) or [True, True]
        made = [each for each, is_wanted in zip([source, grid], wanted) if is_wanted]
        seen = Work(
            "interpolation backward",
            flops=4 * places * gradient.numel,
            read_bytes=total_bytes([gradient, source, grid]),
            written_bytes=total_bytes(made),
            vector_elements=4 * places * gradient.numel,
            dtype=source.dtype,
        )
        return replace(seen, descriptors=2 * places * grid.numel // dimensions)

    return work


def _grid(call: OperatorCall) -> Work | None:
    """``affine_grid_generator``: a small matrix for each of the batch, times all places."""
    matrices, sizes = call.tensor(0), call.numbers(1)
    if matrices is None or not sizes or len(sizes) < 3:
        return None
    dimensions = len(sizes) - 2
    result = matrices.shaped((sizes[0], *sizes[2:], dimensions))
    terms = dimensions + 1
    return Work(
        "grid of places",
        flops=2 * terms * result.numel,
        read_bytes=matrices.nbytes,
        written_bytes=result.nbytes,
        vector_elements=terms * result.numel,
        dtype=matrices.dtype,
    )


def _unrolled(call: OperatorCall) -> Work | None:
    """``im2col``: every window becomes a column."""
    source, kernel = call.tensor(0), call.numbers(1)
    spreads, pads, steps = call.numbers(2), call.numbers(3), call.numbers(4)
    if source is None or not (kernel and spreads and pads and steps):
        return None
    height, width = (
        pooled_size(
            source.size(index - 2),
            _at(kernel, index),
            _at(steps, index),
            _at(pads, index),
            _at(spreads, index),
            rounds_up=False,
        )
        for index in (0, 1)
    )
    window = product(kernel * 2 if len(kernel) == 1 else kernel)
    columns = product(source.shape[:-2]) * window * height * width
    return Work(
        "windows unrolled",
        read_bytes=source.nbytes,
        written_bytes=source.shaped((columns,)).nbytes,
        dtype=source.dtype,
    )


def _at(values: list[int], index: int) -> int:
    return values[index] if index < len(values) else values[0]


def _rolled_up(call: OperatorCall) -> Work | None:
    """``col2im``: windows added up where they overlap."""
    columns, sizes, kernel = call.tensor(0), call.numbers(1), call.numbers(2)
    if columns is None or not (sizes and kernel) or len(columns.shape) < 2:
        return None
    window = product(kernel * 2 if len(kernel) == 1 else kernel)
    channels = columns.size(-2) // max(window, 1)
    result = columns.shaped((*columns.shape[:-2], channels, *sizes))
    return Work(
        "windows rolled up",
        flops=columns.numel,
        read_bytes=columns.nbytes,
        written_bytes=result.nbytes,
        vector_elements=2 * columns.numel,
        dtype=columns.dtype,
    )


_PLACES: Final = {
    "upsample_nearest1d": _NEAREST,
    "upsample_nearest2d": _NEAREST,
    "upsample_nearest3d": _NEAREST,
    "_upsample_nearest_exact1d": _NEAREST,
    "_upsample_nearest_exact2d": _NEAREST,
    "_upsample_nearest_exact3d": _NEAREST,
    "upsample_linear1d": _LINEAR,
    "upsample_bilinear2d": _LINEAR**2,
    "_upsample_bilinear2d_aa": _LINEAR**2,
    "upsample_trilinear3d": _LINEAR**3,
    "upsample_bicubic2d": _CUBIC**2,
    "_upsample_bicubic2d_aa": _CUBIC**2,
    "_upsample_lanczos2d_aa": _LANCZOS**2,
}
"""How many places of the source an element of the result is made of."""

RULES: Final[dict[str, Rule]] = {
    **{name: _resized(places) for name, places in _PLACES.items()},
    **{f"{name}_backward": _resized_backward(places) for name, places in _PLACES.items()},
    **{f"grid_sampler_{dimensions}d": _seen_through_grid(dimensions) for dimensions in (2, 3)},
    "_grid_sampler_2d_cpu_fallback": _seen_through_grid(2),
    "cudnn_grid_sampler": _seen_through_grid(2),
    **{
        f"grid_sampler_{dimensions}d_backward": _seen_through_grid_backward(dimensions)
        for dimensions in (2, 3)
    },
    "affine_grid_generator": _grid,
    "im2col": _unrolled,
    "col2im": _rolled_up,
}
