"""Gathering and scattering: pieces of memory that values name, each with a DMA descriptor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, broadcast, product, total_bytes
from ..work import Work
from .reductions import INDEX
from .rule import Rule


def gathered(rule: str, picked: Tensor, indices: Tensor | None, *, pieces: int) -> Work:
    """Pieces read where indices say, and written one after another."""
    return Work(
        rule,
        read_bytes=picked.nbytes + (indices.nbytes if indices else 0),
        written_bytes=picked.nbytes,
        dtype=picked.dtype,
        descriptors=pieces,
    )


def scattered(
    rule: str,
    source: Tensor,
    indices: int,
    *,
    pieces: int,
    target: Tensor,
    adds: bool,
    places: int | None = None,
) -> Work:
    """Pieces written where indices say, or added to what is there.

    Args:
        rule: How the operator was understood.
        source: What is written.
        indices: Bytes of the indices.
        pieces: How many pieces it is written in.
        target: What it is written to.
        adds: Whether it is added, for which what is there is read first.
        places: How many elements are written, if they are not as many as the source has.
    """
    written = target.shaped((source.numel if places is None else places,))
    return Work(
        rule,
        flops=written.numel if adds else 0,
        read_bytes=source.nbytes + indices + (written.nbytes if adds else 0),
        written_bytes=written.nbytes,
        vector_elements=2 * written.numel if adds else 0,
        dtype=target.dtype,
        descriptors=pieces * (2 if adds else 1),
    )


def _with_copy(call: OperatorCall, work: Work, target: Tensor) -> Work:
    """Out of place, the target is copied before anything is written to it."""
    if call.is_in_place:
        return work
    return replace(
        work,
        read_bytes=work.read_bytes + target.nbytes,
        written_bytes=work.written_bytes + target.nbytes,
    )


def _index_select(call: OperatorCall) -> Work | None:
    """Slices along a dimension; before the last one, each is as many pieces as lie before it."""
    source, dimension, indices = call.tensor(0), call.number(1), call.tensor(2)
    if not (source and indices) or dimension is None:
        return None
    kept = source.numel // max(source.size(dimension), 1)
    picked = source.shaped((indices.numel * kept,))
    pieces = indices.numel * _pieces_before(source, dimension)
    return gathered("slices gathered", picked, indices, pieces=pieces)


def _pieces_before(source: Tensor, dimension: int) -> int:
    """How many pieces of memory one slice along a dimension is."""
    return product(source.shape[: dimension % max(len(source.shape), 1)])


def _gather(call: OperatorCall) -> Work | None:
    """Elements picked one by one: as many results as indices."""
    source, indices = call.tensor(0), call.tensor(2) or call.tensor(1)
    if not (source and indices):
        return None
    picked = source.shaped((indices.numel,))
    return gathered("elements gathered", picked, indices, pieces=indices.numel)


def _scatter(*, adds: bool, indices_at: int = 2) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        target, indices = call.tensor(0), call.tensor(indices_at)
        if not (target and indices):
            return None
        picked = target.shaped((indices.numel,))
        work = scattered(
            "elements scattered",
            picked,
            indices.nbytes,
            pieces=indices.numel,
            target=target,
            adds=adds,
        )
        return _with_copy(call, work, target)

    return work


@dataclass(frozen=True)
class _Picked:
    """What ``x[indices]`` is of: the leading indexed dimensions give way to the indices' shape.

    Attributes:
        count: How many places the indices name.
        size: How many elements each is.
        is_all: Whether that is in values, so that as many as there are were taken.
    """

    count: int
    size: int
    is_all: bool


def _picked(source: Tensor, indices: Sequence[Tensor]) -> _Picked:
    """What indices pick of a source.

    The profiler does not record a list of indices in which some may be missing: as much as the
    source holds is taken to be picked then, row by row, and so it is where a mask says what.
    """
    if not indices:
        row = source.size(-1)
        return _Picked(source.numel // max(row, 1), row, is_all=True)
    indexed = sum(len(each.shape) if each.dtype == "bool" else 1 for each in indices)
    is_mask = any(each.dtype == "bool" for each in indices)
    count = product(broadcast(indices))
    return _Picked(count, product(source.shape[indexed:]), is_all=is_mask)


def _index(call: OperatorCall) -> Work | None:
    """``x[indices]``."""
    source, indices = call.tensor(0), call.tensor_list(1)
    if source is None:
        return None
    found = _picked(source, indices)
    picked = source.shaped((found.count * found.size,))
    rule = "rows gathered, as many as there are" if found.is_all else "rows gathered"
    work = gathered(rule, picked, None, pieces=found.count)
    read_bytes = work.read_bytes + total_bytes(indices)
    return replace(work, read_bytes=read_bytes, picks_all=found.is_all)


def _index_put(call: OperatorCall) -> Work | None:
    """``x[indices] = values``: values that are not one for all say how many places there are."""
    target, indices, values = call.tensor(0), call.tensor_list(1), call.tensor(2)
    if target is None or values is None:
        return None
    found = _picked(target, indices)
    if values.numel != 1 and not indices:
        row = values.size(-1)
        found = _Picked(values.numel // max(row, 1), row, is_all=False)
    work = scattered(
        "rows scattered, as many as there are" if found.is_all else "rows scattered",
        values,
        total_bytes(indices),
        pieces=found.count,
        target=target,
        adds=call.flag(3),
        places=found.count * found.size,
    )
    return replace(_with_copy(call, work, target), picks_all=found.is_all)


def _along(*, adds: bool) -> Rule:
    """``index_add`` and its like: slices along a dimension, from a source or all the same."""

    def work(call: OperatorCall) -> Work | None:
        target, dimension, indices = call.tensor(0), call.number(1), call.tensor(2)
        if not (target and indices) or dimension is None:
            return None
        slices = target.shaped((indices.numel * target.numel // max(target.size(dimension), 1),))
        source = call.tensor(3)
        source = source if source and source.shape else slices
        work = scattered(
            "slices scattered",
            source,
            indices.nbytes,
            pieces=indices.numel * _pieces_before(target, dimension),
            target=target,
            adds=adds,
        )
        return _with_copy(call, work, target)

    return work


def _masked(call: OperatorCall) -> Work | None:
    """``masked_select``: how many hold is in the values; as many as there are may be written."""
    operands = call.operands(2)
    if len(operands) < 2:
        return None
    source, mask = operands
    largest = max(operands, key=lambda each: each.numel)
    result = largest.typed(source.dtype)
    return Work(
        "elements where a condition holds",
        read_bytes=total_bytes([source, mask]),
        written_bytes=result.nbytes,
        reduced_elements=2 * largest.numel,
        dtype=source.dtype,
        descriptors=largest.numel,
        picks_all=True,
    )


def _masked_scatter(call: OperatorCall) -> Work | None:
    target, mask = call.tensor(0), call.tensor(1)
    if not (target and mask):
        return None
    return Work(
        "elements where a condition holds",
        read_bytes=target.nbytes + total_bytes(call.operands(3)[1:]),
        written_bytes=target.nbytes,
        reduced_elements=2 * target.numel,
        dtype=target.dtype,
        descriptors=target.numel,
        picks_all=True,
    )


def _nonzero(call: OperatorCall) -> Work | None:
    """The places of what is not zero: a running count of them, and at most all are written."""
    source = call.tensor(0)
    if source is None:
        return None
    count = call.number(1) if call.name.endswith("_static") else None
    places = Tensor((count or source.numel, max(len(source.shape), 1)), INDEX)
    return Work(
        "places of what is not zero",
        flops=source.numel,
        read_bytes=source.nbytes,
        written_bytes=places.nbytes,
        reduced_elements=2 * source.numel,
        dtype=source.dtype,
        descriptors=places.numel,
        picks_all=count is None,
    )


def _one_hot(call: OperatorCall) -> Work | None:
    """Each row's places compared with one index."""
    indices, classes = call.tensor(0), call.number(1)
    if indices is None or classes is None or classes < 0:
        return None
    result = indices.shaped((*indices.shape, classes))
    return Work(
        "comparison with indices",
        flops=result.numel,
        read_bytes=indices.nbytes,
        written_bytes=result.nbytes,
        vector_elements=result.numel,
        dtype=indices.dtype,
    )


RULES: Final[dict[str, Rule]] = {
    "index_select": _index_select,
    **dict.fromkeys(("gather", "take"), _gather),
    "scatter": _scatter(adds=False),
    **dict.fromkeys(("scatter_add", "scatter_reduce"), _scatter(adds=True)),
    "put": _scatter(adds=False, indices_at=1),
    **dict.fromkeys(("index", "_unsafe_index"), _index),
    **dict.fromkeys(("index_put", "_index_put_impl", "_unsafe_index_put"), _index_put),
    **dict.fromkeys(("index_copy", "index_fill"), _along(adds=False)),
    **dict.fromkeys(("index_add", "index_reduce"), _along(adds=True)),
    "masked_select": _masked,
    "masked_scatter": _masked_scatter,
    **dict.fromkeys(("nonzero", "nonzero_static", "argwhere"), _nonzero),
    "one_hot": _one_hot,
}
