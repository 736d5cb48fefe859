"""What is known of the work behind device time: FLOPs, bytes and their times, part by part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sidelight.analysis.chosen_rows import rows_of_engine
from sidelight.analysis.nesting import IntColumn, Mask, outermost_above
from sidelight.analysis.predictions import PricedRows, is_priced
from sidelight.analysis.roofline.executions import (
    NO_EXECUTION,
    execution_around,
    executions_that_count,
)
from sidelight.analysis.source_lines import SourceLines
from sidelight.hardware.work import Engine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

FloatColumn = npt.NDArray[np.float64]

UNKNOWN = -1
"""In columns of amounts and of string ids."""


@dataclass(frozen=True)
class WorkParts:
    """Parts of work, of one length.

    Attributes:
        row: The event each is of.
        stack: The calling context that it belongs to, -1 for none.
        flops: Floating-point operations; of an engine without those that only turn data round.
            ``UNKNOWN`` where nothing tells.
        hbm_bytes: What moves between HBM and the core; ``UNKNOWN`` likewise.
        predicted_ns: Its predicted time; 0 where it is not predicted.
        fixed_ns: The part of that which starting and ending its kernel takes.
        link_ns: What NeuronLink takes for it at least.
        dtype: String id of what the roof is of; ``UNKNOWN`` where nothing tells.
        bound: String id of what keeps it from being faster; ``UNKNOWN`` likewise.
        is_apportioned: Whether it is a part of what several operators or lines share.
    """

    row: IntColumn
    stack: IntColumn
    flops: IntColumn
    hbm_bytes: IntColumn
    predicted_ns: IntColumn
    fixed_ns: FloatColumn
    link_ns: FloatColumn
    dtype: IntColumn
    bound: IntColumn
    is_apportioned: Mask


def priced_work(profile: Profile) -> WorkParts:
    """The work of the recorded steps' predicted kernels.

    Args:
        profile: A priced profile.
    """
    found, prices = PricedRows(profile), profile.prices
    duration_ns = np.maximum(prices["duration_ns"], 1)[found.price]
    part = found.predicted_ns / duration_ns
    is_collective = np.array(
        [text == Engine.COLLECTIVE.value for text in profile.strings], np.bool_
    )
    crosses_link = is_collective[prices["engine"]][found.price]
    return WorkParts(
        row=found.rows,
        stack=profile.events["stack"][found.rows].astype(np.int64),
        flops=found.part_of("flops"),
        hbm_bytes=found.part_of("hbm_bytes"),
        predicted_ns=found.predicted_ns,
        fixed_ns=part * prices["fixed_ns"][found.price],
        link_ns=np.where(crosses_link, part * prices["roof_ns"][found.price], 0.0),
        dtype=prices["dtype"][found.price].astype(np.int64),
        bound=prices["bound"][found.price].astype(np.int64),
        is_apportioned=found.shares_kernel,
    )


def engine_work(profile: Profile, source_lines: SourceLines, *, by_line: bool) -> WorkParts:
    """The work of a core's instructions, as the profile tells it.

    Where instructions that start transfers and the transfers themselves both tell of HBM, the
    transfers' count is taken. Where whole executions are the device time, an instruction is of the
    one that it runs in; what names no line is of the line that launched that, as its time is.

    Args:
        profile: An attributed profile.
        source_lines: Its lines.
        by_line: Whether what is of several lines is divided over them: equally, in whole numbers.
            Otherwise every row is one part.
    """
    events, work = profile.events, profile.work
    row: IntColumn = work["event"].astype(np.int64)
    flops = _without_transposes(work["flops"], work["transpose_flops"])
    hbm_bytes = _sum_of_known(work["hbm_read_bytes"], work["hbm_write_bytes"])
    of_dma = rows_of_engine(profile, "dma")[row] & (hbm_bytes >= 0)
    if of_dma.any():
        hbm_bytes = np.where(of_dma, hbm_bytes, UNKNOWN)
    is_of_step = (events["step"][row] >= 0) & ((flops >= 0) | (hbm_bytes >= 0))
    is_of_step &= events["category"][row] == Category.ENGINE_WORK
    row, flops, hbm_bytes = row[is_of_step], flops[is_of_step], hbm_bytes[is_of_step]
    executions = executions_that_count(profile)
    of = row
    if len(executions):
        of = execution_around(profile, executions, row)
        is_inside = of != NO_EXECUTION
        of, row = of[is_inside], row[is_inside]
        flops, hbm_bytes = flops[is_inside], hbm_bytes[is_inside]
    stack: IntColumn = events["stack"][of].astype(np.int64)
    is_divided = np.zeros(len(row), np.bool_)
    if by_line:
        index, named, rank, count = _lines_of(profile, source_lines, row)
        stack = np.where(named >= 0, named, stack[index])
        of, is_divided = of[index], count > 1
        flops, hbm_bytes = (_split(amount[index], rank, count) for amount in (flops, hbm_bytes))
    nothing = np.zeros(len(of), np.int64)
    unknown = np.full(len(of), UNKNOWN, np.int64)
    return WorkParts(
        row=of,
        stack=stack,
        flops=flops,
        hbm_bytes=hbm_bytes,
        predicted_ns=nothing,
        fixed_ns=nothing.astype(np.float64),
        link_ns=nothing.astype(np.float64),
        dtype=unknown,
        bound=unknown,
        is_apportioned=is_divided,
    )


def pricing_rows(profile: Profile) -> IntColumn:
    """For each event, the row whose price accounts for it: itself, or an operator around it.

    Those for which nothing does have -1; what needs a price and has none accounts for nothing.

    Args:
        profile: A priced profile.
    """
    events = profile.events
    if profile.manifest.time_kind == "predicted":
        own = np.arange(len(events))
        return np.where(events["price"] >= 0, own, -1)
    has_price = events["price"] != -1
    accounting = outermost_above(np.where(has_price, -1, events["parent"]))
    found = accounting[events["operator"]]
    return np.where(events["price"][found] >= 0, found, -1)


def has_prices(profile: Profile) -> bool:
    """Whether the work behind a profile's device time is that of predicted kernels.

    Instructions that tell of their own work go before a pricing that found no kernel.
    """
    if profile.manifest.pricing is None or not is_priced(profile.events):
        return False
    return bool((profile.events["price"] >= 0).any()) or not has_engine_work(profile)


def has_engine_work(profile: Profile) -> bool:
    """Whether instructions of a core tell of their work."""
    work = profile.work
    return any((work[name] >= 0).any() for name in ("flops", "hbm_read_bytes", "hbm_write_bytes"))


def _without_transposes(flops: IntColumn, transpose_flops: IntColumn) -> IntColumn:
    useful = flops - np.maximum(transpose_flops, 0)
    return np.where(flops >= 0, np.maximum(useful, 0), UNKNOWN)


def _sum_of_known(one: IntColumn, other: IntColumn) -> IntColumn:
    is_known = (one >= 0) | (other >= 0)
    return np.where(is_known, np.maximum(one, 0) + np.maximum(other, 0), UNKNOWN)


def _lines_of(
    profile: Profile, source_lines: SourceLines, rows: IntColumn
) -> tuple[IntColumn, IntColumn, IntColumn, IntColumn]:
    """The lines of rows, each line of a row once.

    Returns:
        For each pair of a row and a line of it: the row's position in ``rows``, a calling context
        of the line (-1 for a row that names none), the pair's number among those of its row, and
        how many those are.
    """
    origins = profile.origins
    position = np.full(len(profile.events), -1, np.int64)
    position[rows] = np.arange(len(rows))
    index = position[origins["event"]]
    named = np.flatnonzero(index >= 0)
    index, stack = index[named], origins["stack"][named].astype(np.int64)
    is_silent = np.ones(len(rows), np.bool_)
    is_silent[index] = False
    silent = np.flatnonzero(is_silent)
    index = np.concatenate((index, silent))
    stack = np.concatenate((stack, np.full(len(silent), -1, np.int64)))
    line = source_lines.innermost(stack)
    order = np.lexsort((stack, line, index))
    index, stack, line = index[order], stack[order], line[order]
    is_new = np.ones(len(index), np.bool_)
    is_new[1:] = (index[1:] != index[:-1]) | (line[1:] != line[:-1])
    index, stack = index[is_new], stack[is_new]
    count = np.bincount(index, minlength=len(rows))
    first = np.cumsum(count) - count
    return index, stack, np.arange(len(index)) - first[index], count[index]


def _split(amount: IntColumn, rank: IntColumn, count: IntColumn) -> IntColumn:
    """Each part's share of a whole amount; the first parts have what is left over."""
    whole, rest = np.divmod(amount, count)
    return np.where(amount >= 0, whole + (rank < rest), UNKNOWN)
