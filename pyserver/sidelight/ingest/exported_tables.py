"""The tables that an exported Chrome trace holds beside its events, checked."""

from __future__ import annotations

import numpy as np

from sidelight.hardware.chips import HardwareError
from sidelight.hardware.cores import logical_core
from sidelight.hardware.work import Engine
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.exported_trace import ExportedTrace
from sidelight.profile.tables import PRICE_COLUMNS, Column, Table

_LARGEST_SUM = 1 << 62
"""What sums over any part of a profile stay below, with room to spare in 64 bits."""

_PRICE_TEXTS = ("operator", "rule", "engine", "bound", "dtype")
_BOUNDS = frozenset({"compute", "memory", "overhead"})


class BrokenExportError(ValueError):
    """An exported trace refers to what it does not hold, or holds what cannot be."""


def check_header(header: ExportedTrace) -> None:
    """Check that whatever the tables of an exported trace refer to is there.

    Raises:
        BrokenExportError: It is not.
    """
    _check_below(header.lanes, len(header.tracks))
    _check_below([file for file, _, _ in header.frames], len(header.files))
    _check_below([frame for _, frame in header.stacks], len(header.frames))
    if any(parent >= index for index, (parent, _) in enumerate(header.stacks)):
        raise BrokenExportError("a calling context comes before its caller")
    if any(end_ns < start_ns for start_ns, end_ns in header.steps):
        raise BrokenExportError("a step ends before it starts")
    ends_ns = [end_ns for _, end_ns in header.steps]
    starts_ns = [start_ns for start_ns, _ in header.steps]
    if any(start_ns < end_ns for start_ns, end_ns in zip(starts_ns[1:], ends_ns, strict=False)):
        raise BrokenExportError("steps overlap")
    if (header.pricing is None) != (not header.prices):
        raise BrokenExportError("prices without what they are for")
    if header.time_kind != "measured" and header.pricing is None:
        raise BrokenExportError("predicted times without prices")
    if header.pricing is not None:
        try:
            logical_core(header.pricing.chip, header.pricing.lnc)
        except HardwareError as error:
            raise BrokenExportError(str(error)) from error


def check_indexes(column: Column, length: int) -> None:
    """Check that a column refers to rows of a table that is so long; below 0 it refers to none.

    Raises:
        BrokenExportError: It refers to others.
    """
    if int(column.max(initial=-1)) >= length:
        raise BrokenExportError("a row refers to what is not there")


def price_table(
    header: ExportedTrace, strings: Vocabulary[str], events: dict[str, Column]
) -> Table:
    """The predicted kernels.

    Args:
        header: The exported trace's.
        strings: The profile's string table; the kernels' texts are added.
        events: The events' columns; ``price`` refers to the kernels.

    Raises:
        BrokenExportError: They cannot be.
    """
    if header.pricing is None:
        return Table.empty(PRICE_COLUMNS)
    if set(header.prices) != set(PRICE_COLUMNS):
        raise BrokenExportError("a column of the prices is missing")
    if len(set(map(len, header.prices.values()))) > 1:
        raise BrokenExportError("columns of the prices differ in length")
    if not set(header.prices["engine"]) <= {engine.value for engine in Engine}:
        raise BrokenExportError("an unknown engine")
    if not set(header.prices["bound"]) <= _BOUNDS:
        raise BrokenExportError("an unknown bound")
    columns: dict[str, list[int]] = {}
    for name, values in header.prices.items():
        is_text = name in _PRICE_TEXTS
        if not all(isinstance(value, str) == is_text for value in values):
            raise BrokenExportError("a text in the place of a number")
        columns[name] = [
            strings.code(value) if isinstance(value, str) else value for value in values
        ]
    table = Table.of(PRICE_COLUMNS, columns)
    price = events["price"]
    check_indexes(price, len(table))
    of_events = price[price >= 0]
    sums = [float(table[name][of_events].astype(np.float64).sum()) for name in table]
    sums += [float(events[name].astype(np.float64).sum()) for name in ("predicted_ns", "launch_ns")]
    numbers = [table[name] for name in table if name not in _PRICE_TEXTS]
    lowest = min((int(column.min(initial=0)) for column in numbers), default=0)
    if max(sums) >= _LARGEST_SUM or lowest < 0 or int(events["predicted_ns"].min(initial=0)) < -1:
        raise BrokenExportError("predicted times that cannot be")
    if (table["parts"] < 1).any():
        raise BrokenExportError("a kernel of no operator")
    return table


def _check_below(numbers: list[int], length: int) -> None:
    if max(numbers, default=-1) >= length:
        raise BrokenExportError("a table refers to what is not there")
