"""Operators that move data and compute nothing: no FLOPs, DMA engines, HBM to HBM.

Where the dtype changes on the way, the DMA engines convert it (AWS NKI documentation, introduction
to DMA).
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..dtypes import promoted
from ..tensors import Tensor, product, total_bytes
from ..work import Work
from .rule import Rule


def moved(rule: str, read: Tensor, written: Tensor, *, transposes: bool = False) -> Work:
    """Read, and written elsewhere."""
    return Work(
        rule,
        read_bytes=read.nbytes,
        written_bytes=written.nbytes,
        dtype=written.dtype,
        transposes=transposes,
    )


def _copy_to(call: OperatorCall) -> Work | None:
    """``copy_``: the first argument is written, the second read."""
    target, source = call.tensor(0), call.tensor(1)
    if not (target and source):
        return None
    return moved("conversion" if target.dtype != source.dtype else "copy", source, target)


def _to_copy(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    result = source.typed(call.dtype(1) or source.dtype)
    return moved("conversion" if result.dtype != source.dtype else "copy", source, result)


_PRESERVED_LAYOUT: Final = 1
"""How torch writes out ``preserve_format``."""


def _clone(call: OperatorCall) -> Work | None:
    """A copy; where it is told the layout that it shall have, it did not have that before."""
    source = call.tensor(0)
    if source is None:
        return None
    turned = call.number(1) not in (None, _PRESERVED_LAYOUT)
    rule = "change of layout" if turned else "copy"
    return moved(rule, source, source, transposes=turned)


def _copied(rule: str) -> Rule:
    """A part of the source, or all of it in another order, as large as the result says."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        return moved(rule, source, source) if source else None

    return work


def _filled(call: OperatorCall) -> Work | None:
    target = call.tensor(0)
    if target is None:
        return None
    read = total_bytes(call.operands(2)[1:])
    return Work("fill", read_bytes=read, written_bytes=target.nbytes, dtype=target.dtype)


def _joined(call: OperatorCall) -> Work | None:
    """``cat`` and ``stack``: every part read, the whole written."""
    parts = call.tensor_list(0)
    if not parts:
        return None
    dtype = promoted(part.dtype for part in parts)
    whole = Tensor((sum(part.numel for part in parts),), dtype)
    return Work(
        "concatenation",
        read_bytes=total_bytes(parts),
        written_bytes=whole.nbytes,
        dtype=dtype,
    )


def _blocks(call: OperatorCall) -> Work | None:
    """``block_diag``: the parts, and zeros around them."""
    parts = call.tensor_list(0)
    if not parts:
        return None
    rows = sum(part.size(-2) for part in parts)
    columns = sum(part.size(-1) for part in parts)
    whole = parts[0].shaped((rows, columns))
    return Work(
        "concatenation",
        read_bytes=total_bytes(parts),
        written_bytes=whole.nbytes,
        dtype=whole.dtype,
    )


def _repeated(call: OperatorCall) -> Work | None:
    source, times = call.tensor(0), call.numbers(1)
    if source is None or times is None:
        return None
    return moved("repetition", source, source.shaped((source.numel * product(times),)))


def _repeated_each(call: OperatorCall) -> Work | None:
    """``repeat_interleave``: a number of times each, or as values say, which are not known."""
    source, times, size = call.tensor(0), call.number(1), call.number(3)
    if source is None:
        return None
    if times is None and size is None:
        return None
    dimension = call.number(2)
    if size is not None and dimension is not None:
        times = size // max(source.size(dimension), 1)
    return moved("repetition", source, source.shaped((source.numel * (times or 1),)))


def _padded(call: OperatorCall) -> Work | None:
    """Padding: pairs of sizes, those of the last dimension first."""
    source, pads = call.tensor(0), call.numbers(1)
    if source is None or pads is None:
        return None
    sizes = list(source.shape)
    for index in range(min(len(pads) // 2, len(sizes))):
        sizes[-1 - index] = max(sizes[-1 - index] + pads[2 * index] + pads[2 * index + 1], 0)
    return moved("padding", source, source.shaped(sizes))


def _padded_backward(call: OperatorCall) -> Work | None:
    """What came from the padding is added to the place that it was made of."""
    gradient, source = call.tensor(0), call.tensor(1)
    if not (gradient and source):
        return None
    return Work(
        "padding backward",
        flops=gradient.numel,
        read_bytes=gradient.nbytes,
        written_bytes=source.nbytes,
        vector_elements=2 * gradient.numel,
        dtype=source.dtype,
    )


def _put_into_zeros(call: OperatorCall) -> Work | None:
    """The gradient of a view: zeros of the view's base, and what came in its place."""
    gradient, sizes = call.tensor(0), call.numbers(1)
    if gradient is None or sizes is None:
        return None
    return moved("placed among zeros", gradient, gradient.shaped(sizes))


def _put_into_copy(call: OperatorCall) -> Work | None:
    """``select_scatter`` and its like: a copy, with a part from elsewhere."""
    operands = call.operands(2)
    if len(operands) < 2:
        return None
    target, source = operands
    return Work(
        "copy with a part from elsewhere",
        read_bytes=max(target.nbytes, source.nbytes),
        written_bytes=target.nbytes,
        dtype=target.dtype,
    )


def _diagonal(call: OperatorCall) -> Work | None:
    """``diag_embed``: rows become diagonals of matrices."""
    source = call.tensor(0)
    if source is None or not source.shape:
        return None
    size = source.shape[-1] + abs(call.number(1) or 0)
    return moved("placed among zeros", source, source.shaped((*source.shape[:-1], size, size)))


def _triangle(call: OperatorCall) -> Work | None:
    """``affine_select`` on the GpSimd Engine (AWS NKI documentation)."""
    source = call.tensor(0)
    if source is None:
        return None
    return Work(
        "triangle",
        read_bytes=source.nbytes,
        written_bytes=source.nbytes,
        gpsimd_elements=source.numel,
        dtype=source.dtype,
    )


_WHOLE_COPIES: Final = (
    "_conj_copy",
    "_lazy_clone",
    "_neg_view_copy",
    "alias_copy",
    "detach_copy",
    "lift_fresh_copy",
    "squeeze_copy",
    "unsqueeze_copy",
    "view_as_complex_copy",
    "view_as_real_copy",
    "_reshape_copy",
    "_reshape_alias_copy",
    "_to_dense",
    "view_copy",
    "dequantize",
)
_REORDERED: Final = (
    "channel_shuffle",
    "flip",
    "native_channel_shuffle",
    "permute_copy",
    "pixel_shuffle",
    "pixel_unshuffle",
    "roll",
    "split_copy",
    "split_with_sizes_copy",
    "t_copy",
    "transpose_copy",
    "unbind_copy",
)
_PADS: Final = ("reflection_pad", "replication_pad")

RULES: Final[dict[str, Rule]] = {
    "copy": _copy_to,
    "_copy_from": _copy_to,
    "_to_copy": _to_copy,
    "clone": _clone,
    **dict.fromkeys(_WHOLE_COPIES, _copied("copy")),
    **dict.fromkeys(_REORDERED, _copied("rearrangement")),
    **dict.fromkeys(("fill", "zero", "fill_diagonal"), _filled),
    **dict.fromkeys(("cat", "concat", "concatenate", "stack", "_stack"), _joined),
    "block_diag": _blocks,
    **dict.fromkeys(("repeat", "tile"), _repeated),
    "repeat_interleave": _repeated_each,
    "constant_pad_nd": _padded,
    **{f"{pad}{dimensions}d": _padded for pad in _PADS for dimensions in (1, 2, 3)},
    **{
        f"{pad}{dimensions}d_backward": _padded_backward
        for pad in _PADS
        for dimensions in (1, 2, 3)
    },
    **dict.fromkeys(
        ("select_backward", "slice_backward", "diagonal_backward", "unfold_backward"),
        _put_into_zeros,
    ),
    **dict.fromkeys(
        ("select_scatter", "slice_scatter", "diagonal_scatter", "as_strided_scatter"),
        _put_into_copy,
    ),
    "diag_embed": _diagonal,
    **dict.fromkeys(("triu", "tril"), _triangle),
}
