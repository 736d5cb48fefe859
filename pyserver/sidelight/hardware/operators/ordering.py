"""Operators that put elements in order, or find them in an order.

There is no instruction that sorts. The eight largest of each row come in three passes of the Vector
Engine (``max8``, ``nc_find_index8``, ``nc_match_replace8``, one cycle an element each; AWS NKI
documentation); a bitonic network sorts n elements in log2(n) (log2(n) + 1) / 2 steps, each a
minimum and a maximum of two operands. Whichever is less is reckoned with.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, total_bytes
from ..work import Work
from .passes import Passes
from .reductions import INDEX, kept_count
from .rule import Rule

_AT_ONCE: Final = 8
_READ_IN_A_ROUND: Final = 3
_READ_IN_A_STEP: Final = 4


def ordering_passes(length: int, wanted: int) -> Passes:
    """What each element of rows passes until the largest of a row are known.

    Args:
        length: How many elements a row has.
        wanted: How many of them are wanted.
    """
    rounds = -(-max(min(wanted, length), 1) // _AT_ONCE)
    steps = max(length - 1, 1).bit_length()
    network = steps * (steps + 1) // 2
    return Passes(reduced=min(_READ_IN_A_ROUND * rounds, _READ_IN_A_STEP * network))


def _ordered(source: Tensor, length: int, wanted: int, made: list[Tensor]) -> Work:
    passes = ordering_passes(length, wanted)
    return passes.work("ordering", source, read=[source], written=made)


def _sort(call: OperatorCall) -> Work | None:
    """``sort``: values and places. Its overloads differ in where the dimension is."""
    source = call.tensor(0)
    if source is None:
        return None
    dimension = call.number(1)
    if dimension is None:
        dimension = call.number(2)
    length = source.size(-1 if dimension is None else dimension)
    return _ordered(source, length, length, [source, source.typed(INDEX)])


def _top(call: OperatorCall) -> Work | None:
    source, wanted, dimension = call.tensor(0), call.number(1), call.number(2)
    if source is None or wanted is None:
        return None
    length = source.size(-1 if dimension is None else dimension)
    values = source.shaped((source.numel // max(length, 1) * wanted,))
    return _ordered(source, length, wanted, [values, values.typed(INDEX)])


def _middle(*, dimension_at: int) -> Rule:
    """``median``, ``kthvalue``, ``mode``: one value and its place of each row, or one of all."""

    def work(call: OperatorCall) -> Work | None:
        source, dimension = call.tensor(0), call.number(dimension_at)
        if source is None:
            return None
        if dimension is None:
            return _ordered(source, source.numel, source.numel, [source.shaped(())])
        value = source.shaped((kept_count(source, [dimension]),))
        length = source.size(dimension)
        wanted = call.number(1) or length if dimension_at == 2 else length
        return _ordered(source, length, wanted, [value, value.typed(INDEX)])

    return work


def _distinct(call: OperatorCall) -> Work | None:
    """``unique``: how many there are is in the values; as many as there may be are written."""
    source = call.tensor(0)
    if source is None:
        return None
    places = [source.typed(INDEX)] * sum(call.flag(index) for index in (2, 3))
    work = _ordered(source, source.numel, source.numel, [source, *places])
    return replace(work, picks_all=True)


def _neighbours(call: OperatorCall) -> Work | None:
    """``unique_consecutive``: each element compared with the one before."""
    source = call.tensor(0)
    if source is None:
        return None
    work = Passes(paired=1).work("comparison", source, read=[source], written=[source])
    return replace(work, picks_all=True)


def _searched(*, values_at: int) -> Rule:
    """Places of values in a sorted row: a comparison with every border, for each value."""

    def work(call: OperatorCall) -> Work | None:
        values, borders = call.tensor(values_at), call.tensor(1 - values_at)
        if borders is None:
            return None
        values = values or Tensor((), borders.dtype)
        length = max(borders.size(-1), 1)
        places = values.typed("int32" if call.flag(2) else INDEX)
        return Work(
            "search",
            flops=values.numel * length,
            read_bytes=total_bytes([values, borders]),
            written_bytes=places.nbytes,
            reduced_elements=values.numel * length,
            dtype=values.dtype,
        )

    return work


def _counted(*, count_at: int, dtype: str) -> Rule:
    """Histograms: each element is put into one of some bins, by comparing it with each.

    Where no number of bins is named, it is in the values.
    """

    def work(call: OperatorCall) -> Work | None:
        source, bins = call.tensor(0), call.number(count_at)
        if source is None or not bins or bins < 0:
            return None
        result = Tensor((bins,), dtype or source.dtype)
        return Work(
            "histogram",
            flops=source.numel * result.numel,
            read_bytes=total_bytes(call.operands(2)),
            written_bytes=result.nbytes,
            reduced_elements=source.numel * result.numel,
            dtype=source.dtype,
        )

    return work


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("sort", "msort"), _sort),
    "topk": _top,
    **dict.fromkeys(("median", "nanmedian", "mode"), _middle(dimension_at=1)),
    "kthvalue": _middle(dimension_at=2),
    **dict.fromkeys(("_unique", "_unique2", "unique_dim"), _distinct),
    **dict.fromkeys(("unique_consecutive", "unique_dim_consecutive"), _neighbours),
    "searchsorted": _searched(values_at=1),
    "bucketize": _searched(values_at=0),
    "histc": _counted(count_at=1, dtype=""),
    "bincount": _counted(count_at=2, dtype=INDEX),
}
