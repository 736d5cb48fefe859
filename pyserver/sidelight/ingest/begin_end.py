"""Joins events that are written as a beginning and an end into rows with a duration."""

from __future__ import annotations

import numpy as np

from sidelight.ingest.event_kinds import BEGIN, COMPLETE
from sidelight.ingest.time_faults import TimeFaults
from sidelight.profile.tables import Column, Table


def join_begin_end(rows: Table, faults: TimeFaults) -> Table:
    """Give each beginning the duration until its end: the last one open on the same lane.

    Args:
        rows: Rows as in ``trace_columns.ROW_COLUMNS``.
        faults: Counts beginnings and ends that are left out for want of the other, and those that
            are written after later ones.

    Returns:
        The rows with a duration.
    """
    phase, lane, start_ns = rows["phase"], rows["lane"], rows["start_ns"]
    halves = np.flatnonzero(phase != COMPLETE)
    if not len(halves):
        return rows
    faults.disorder += _disorder(lane[halves], start_ns[halves])
    duration_ns = np.array(rows["duration_ns"], np.int64)
    joined = phase == COMPLETE
    halves = halves[np.argsort(start_ns[halves], kind="stable")]
    open_rows: dict[int, list[int]] = {}
    unmatched = 0
    for row in map(int, halves):
        lane_stack = open_rows.setdefault(int(lane[row]), [])
        if phase[row] == BEGIN:
            lane_stack.append(row)
        elif lane_stack:
            begin = lane_stack.pop()
            duration_ns[begin] = start_ns[row] - start_ns[begin]
            joined[begin] = True
        else:
            unmatched += 1
    faults.unmatched += unmatched + sum(map(len, open_rows.values()))
    kept = np.flatnonzero(joined)
    columns = {name: rows[name][kept] for name in rows}
    return Table({**columns, "duration_ns": duration_ns[kept]})


def _disorder(lane: Column, at_ns: Column) -> int:
    """How many beginnings and ends are before the one that is written before them on their lane."""
    order = np.argsort(lane, kind="stable")
    goes_back = at_ns[order][1:] < at_ns[order][:-1]
    return int(np.count_nonzero(goes_back & (lane[order][1:] == lane[order][:-1])))
