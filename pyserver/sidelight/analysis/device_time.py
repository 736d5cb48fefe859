"""Device time: which rows count, and for how much (design: "What the numbers mean")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sidelight.analysis.nesting import (
    Indexes,
    IntColumn,
    Mask,
    enclosing_rows,
    nested_parts,
    time_without_nested,
)
from sidelight.profile.tables import DEVICE_TIME_LEVELS, Category, Table

Level = Literal["device", "engine", "device_coarse", "cpu"]


@dataclass(frozen=True)
class DeviceTime:
    """Each row's own share of device time.

    Attributes:
        level: The rows that were taken as device time. ``device_coarse`` are those of a device's
            driver, or of its runtime where there are none of the driver.
        device_ns: Nanoseconds for each event, 0 for those that do not count. Those of ``engine``
            are all 0: how they share a core's time is for :mod:`sidelight.analysis.engine_time`.
        nested_rows: Device rows left out because a finer row lies within them.
        overlapping_rows: Device rows that count and begin before the one before them has ended.
    """

    level: Level
    device_ns: IntColumn
    nested_rows: int = 0
    overlapping_rows: int = 0


def device_time(events: Table, parent: Indexes) -> DeviceTime:
    """Choose the device-time level and measure its rows.

    Args:
        events: All events, sorted as in a profile.
        parent: Innermost enclosing host row of each event, -1 for none.
    """
    start_ns, duration_ns = events["start_ns"], events["duration_ns"]
    for category in DEVICE_TIME_LEVELS:
        rows = np.flatnonzero((events["category"] == category) & (duration_ns > 0))
        if len(rows):
            if category == Category.ENGINE_WORK:
                return DeviceTime("engine", np.zeros(len(events), np.int64))
            counted = rows[_innermost(events["track"][rows], start_ns[rows] + duration_ns[rows])]
            device_ns = np.zeros(len(events), np.int64)
            device_ns[counted] = duration_ns[counted]
            level: Level = "device" if category == Category.DEVICE else "device_coarse"
            nested = len(rows) - len(counted)
            return DeviceTime(level, device_ns, nested, _overlapping(events, counted))
    nested_in = np.where(enclosing_rows(events), parent, -1)
    own_ns = time_without_nested(start_ns, start_ns + duration_ns, nested_in)
    is_operator = events["category"] == Category.OPERATOR
    return DeviceTime("cpu", np.where(is_operator, own_ns, 0))


def has_device_time(events: Table) -> bool:
    """Whether any row of a device took time."""
    of_device = np.isin(events["category"], DEVICE_TIME_LEVELS)
    return bool((of_device & (events["duration_ns"] > 0)).any())


def counted_rows(events: Table) -> Mask:
    """Which rows are device time, those of no duration included.

    An engine is busy also where others have the time: its rows count with 0 ns, too.

    Args:
        events: Attributed events.
    """
    category, device_ns = events["category"], events["device_ns"]
    for device_category in DEVICE_TIME_LEVELS:
        is_of_level = category == device_category
        if (is_of_level & (device_ns > 0)).any():
            if device_category == Category.ENGINE_WORK:
                return is_of_level
            return is_of_level & ((device_ns > 0) | (events["duration_ns"] == 0))
    return category == Category.OPERATOR


def busy_time_ns(events: Table) -> int:
    """Union over time of the device time within recorded steps, in nanoseconds.

    Args:
        events: Attributed events.
    """
    changes = busy_changes(events)
    return int(np.diff(changes.time_ns)[changes.running[:-1] > 0].sum())


@dataclass(frozen=True)
class BusyChanges:
    """The instants at which rows of device time begin or cease to run, in order of time.

    Attributes:
        time_ns: The instants. Of those at one time, the beginnings come first.
        running: How many rows run from then on.
        row: The row concerned.
    """

    time_ns: IntColumn
    running: Indexes
    row: Indexes


def busy_changes(events: Table) -> BusyChanges:
    """When the device time within recorded steps runs.

    Args:
        events: Attributed events.
    """
    start_ns = events["start_ns"]
    end_ns = start_ns + events["duration_ns"]
    counted = counted_rows(events) & (events["step"] >= 0)
    rows = np.flatnonzero(counted).astype(np.int32)
    # On a device a row is busy from start to end. On the CPU it is not where another is nested in
    # it, which counts for itself if it is an operator. Rows of a device are in no other row here.
    parent = events["parent"]
    is_hole = (parent >= 0) & counted[parent] & enclosing_rows(events)
    hole_owners, hole_starts, hole_ends = nested_parts(
        start_ns, end_ns, np.where(is_hole, parent, -1)
    )
    times = np.concatenate((start_ns[rows], hole_ends, end_ns[rows], hole_starts))
    order = np.argsort(times, kind="stable")
    # Large profiles have many: what need not be wide is not.
    change = np.repeat(np.array((1, -1), np.int8), len(times) // 2)
    running = np.cumsum(change[order], dtype=np.int32)
    owners = np.concatenate((rows, hole_owners, rows, hole_owners), dtype=np.int32)[order]
    return BusyChanges(times[order], running, owners)


def _overlapping(events: Table, rows: IntColumn) -> int:
    """How many rows begin before the one before them on their track has ended.

    Args:
        events: All events.
        rows: Rows of which none contains another: each ends after all that begin before it.
    """
    track, start_ns = events["track"][rows], events["start_ns"][rows]
    end_ns = start_ns + events["duration_ns"][rows]
    return int(np.count_nonzero((track[1:] == track[:-1]) & (start_ns[1:] < end_ns[:-1])))


def _innermost(track: IntColumn, end_ns: IntColumn) -> Mask:
    """Which rows contain no other row of their track; rows that only overlap do not.

    In the events' order whatever starts within a row comes after it, so a row contains another if
    any later one ends no later than it does.

    Args:
        track: Track of each row. Rows are sorted by track, start, and longest first.
        end_ns: End of each row.
    """
    innermost = np.ones(len(track), np.bool_)
    for ends, mask in zip(
        np.split(end_ns, np.flatnonzero(np.diff(track)) + 1),
        np.split(innermost, np.flatnonzero(np.diff(track)) + 1),
        strict=True,
    ):
        earliest_later_end = np.minimum.accumulate(ends[:0:-1])[::-1]
        mask[:-1] = earliest_later_end > ends[:-1]
    return innermost
