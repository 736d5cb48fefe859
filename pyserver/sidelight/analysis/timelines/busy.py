"""When any of several rows runs: their union over time."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask


class BusyTime:
    """The union of rows over time.

    Args:
        start_ns: Start of each row, in any order.
        end_ns: End of each row.
    """

    def __init__(self, start_ns: IntColumn, end_ns: IntColumn) -> None:
        order = np.argsort(start_ns, kind="stable")
        start_ns = start_ns[order]
        reached_ns = np.maximum.accumulate(end_ns[order]) if len(order) else end_ns
        begins = np.ones(len(order), np.bool_)
        begins[1:] = start_ns[1:] > reached_ns[:-1]
        first = np.flatnonzero(begins)
        self._start_ns = start_ns[first]
        self._end_ns = reached_ns[np.append(first[1:], len(order)) - 1] if len(first) else end_ns
        self._before_ns = np.concatenate(([0], np.cumsum(self._end_ns - self._start_ns)))

    def until(self, at_ns: IntColumn) -> IntColumn:
        """How long any row ran before each instant, in nanoseconds."""
        if not len(self._start_ns):
            return np.zeros(len(at_ns), np.int64)
        begun = np.searchsorted(self._start_ns, at_ns, side="right")
        last = np.maximum(begun - 1, 0)
        to_come_ns = np.maximum(self._end_ns[last] - np.maximum(at_ns, self._start_ns[last]), 0)
        return self._before_ns[begun] - np.where(begun > 0, to_come_ns, 0)

    def within(self, from_ns: int, to_ns: int) -> int:
        """How long any row ran in a stretch of time, in nanoseconds."""
        before_ns, after_ns = self.until(np.array([from_ns, to_ns]))
        return int(after_ns - before_ns)

    def any_begins(self, edges_ns: IntColumn) -> Mask:
        """Whether a stretch of it begins between each two edges, if only for an instant."""
        return np.diff(np.searchsorted(self._start_ns, edges_ns)) > 0
