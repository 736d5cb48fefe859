"""What a table is: columns with units, and rows. Cheap to import: no numpy in here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from sidelight.profile.manifest import Attribution, TimeKind

Cell = str | int | float | None
"""A value; None is unknown."""

Row = dict[str, Cell]
"""Values by column."""

Unit = Literal["", "ns", "bytes", "FLOP", "FLOP/s", "FLOP/byte", "fraction", "times"]
"""Of numbers; empty for texts and counts."""


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column.

    Attributes:
        name: What rows call it.
        title: What people call it.
        unit: Of its numbers.
        is_number: Whether it holds numbers; texts otherwise.
        adds_up: Whether a sum over rows means anything.
        per_step: Whether it is summed over the recorded steps: people are shown the mean step's.
        is_rate: Whether the row's ``rate_kind`` tells how it is known. Of other times the table's
            ``time_kind`` does.
        description: What it is, in a sentence.
    """

    name: str
    title: str
    unit: Unit = ""
    is_number: bool = True
    adds_up: bool = False
    per_step: bool = False
    is_rate: bool = False
    description: str


class Table(msgspec.Struct, frozen=True):
    """A table of the recorded steps' sums.

    Attributes:
        columns: In the order in which they are shown.
        rows: Largest device time first; tensors by their size.
        time_kind: Whether device times are measured or predicted.
        attribution: Whether any is apportioned.
    """

    columns: list[Column]
    rows: list[Row]
    time_kind: TimeKind
    attribution: Attribution


def text(name: str, title: str, description: str) -> Column:
    """A column of texts."""
    return Column(name=name, title=title, is_number=False, description=description)


def number(
    name: str,
    title: str,
    unit: Unit,
    description: str,
    *,
    adds_up: bool = False,
    per_step: bool = False,
    is_rate: bool = False,
) -> Column:
    """A column of numbers."""
    return Column(
        name=name,
        title=title,
        unit=unit,
        adds_up=adds_up,
        per_step=per_step,
        is_rate=is_rate,
        description=description,
    )


def step_sum(name: str, title: str, unit: Unit, description: str) -> Column:
    """A column of sums over the recorded steps, which add up over rows, too."""
    return number(name, title, unit, description, adds_up=True, per_step=True)


SELF: Final = step_sum("self_ns", "self", "ns", "Device time of its own.")
TOTAL: Final = number(
    "total_ns", "total", "ns", "Device time of it and of all it calls, once.", per_step=True
)
MEAN: Final = number("mean_ns", "mean", "ns", "Its own device time by its count.")
SHARE: Final = number(
    "share", "share", "fraction", "The part of the profile's device time.", adds_up=True
)

WORK: Final = (
    step_sum("flops", "FLOPs", "FLOP", "Useful floating-point operations."),
    step_sum("hbm_bytes", "HBM bytes", "bytes", "What moves between HBM and the core."),
    number("intensity", "intensity", "FLOP/byte", "FLOPs by bytes."),
    number(
        "achieved_flops_per_s", "achieved", "FLOP/s", "FLOPs by the time they take.", is_rate=True
    ),
    number("attainable_flops_per_s", "attainable", "FLOP/s", "What the roof allows there."),
    number(
        "times_faster_at_roof",
        "faster at roof",
        "times",
        "Its time by that at its roof.",
        is_rate=True,
    ),
    text("bound", "bound by", "What keeps it from being faster."),
    text("rate_kind", "rates are", "Whether these times are measured or predicted."),
)
"""Where something lies under the roofline."""


def count(description: str) -> Column:
    """A column of how often."""
    return step_sum("count", "count", "", description)


def mean(amount: int, times: int | None) -> float | None:
    """An amount by how often; None where that is not known, or never."""
    return amount / times if times else None


def share(part_ns: int, whole_ns: int) -> float | None:
    """A part of the device time; None where there is none."""
    return part_ns / whole_ns if whole_ns else None


def time_cells(self_ns: int, total_ns: int, times: int | None, device_ns: int) -> Row:
    """The cells of ``SELF``, ``TOTAL``, the count, ``MEAN`` and ``SHARE``.

    Args:
        self_ns: Device time of its own.
        total_ns: Device time of it and of all it calls.
        times: How often; None where that is not known.
        device_ns: The profile's device time.
    """
    return {
        SELF.name: self_ns,
        TOTAL.name: total_ns,
        "count": times,
        MEAN.name: mean(self_ns, times),
        SHARE.name: share(self_ns, device_ns),
    }


def by_device_time(rows: Sequence[Row]) -> list[Row]:
    """Rows by their own device time, the largest first; of equal ones by total and name."""

    def order(row: Row) -> tuple[float, float, str]:
        self_ns, total_ns = row["self_ns"], row.get("total_ns")
        return (
            -(self_ns if isinstance(self_ns, int) else 0),
            -(total_ns if isinstance(total_ns, int) else 0),
            str(row["name"]),
        )

    return sorted(rows, key=order)
