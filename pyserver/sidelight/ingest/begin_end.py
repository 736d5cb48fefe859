"""Joins events that are written as a beginning and an end into rows with a duration."""

from __future__ import annotations

import numpy as np

from sidelight.ingest.chrome_trace import BEGIN, COMPLETE
from sidelight.profile.tables import Table


def join_begin_end(rows: Table) -> tuple[Table, int]:
    """Give each beginning the duration until its end: the last one open on the same lane.

    Args:
        rows: Rows as in ``chrome_trace.ROW_COLUMNS``.

    Returns:
        The rows with a duration, and how many beginnings and ends are left out for want of the
        other.
    """
    phase, lane, start_ns = rows["phase"], rows["lane"], rows["start_ns"]
    halves = np.flatnonzero(phase != COMPLETE)
    if not len(halves):
        return rows, 0
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
    unmatched += sum(map(len, open_rows.values()))
    kept = np.flatnonzero(joined)
    columns = {name: rows[name][kept] for name in rows}
    return Table({**columns, "duration_ns": duration_ns[kept]}), unmatched
