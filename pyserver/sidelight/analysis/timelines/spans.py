"""Level of detail: the rows of disjoint lanes, merged where they are too short to be seen.

At a level, time is cut into bins of 2^level ns from zero on. Rows at least as long as a bin stay by
themselves; neighbours of a lane that are shorter and start in one bin become one span. So whether
two neighbours are parted is decided by one number: the level below which the boundary between them
holds. It is worked out once, and any part of the timeline at any level follows from it in a scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sidelight.analysis.nesting import IntColumn

NOTHING_MERGED = -1
"""The level at which every row stands by itself."""

_COARSEST = 63


@dataclass(frozen=True)
class Spans:
    """Spans in lanes, by lane and start.

    Attributes:
        lane: Whose.
        start_ns: Start of the span's first row.
        end_ns: End of its last.
        busy_ns: Its rows' durations, summed.
        merged: How many rows those are.
        row: Its longest row, the first of those that are equally long.
    """

    lane: IntColumn
    start_ns: IntColumn
    end_ns: IntColumn
    busy_ns: IntColumn
    merged: IntColumn
    row: IntColumn

    def __len__(self) -> int:
        return len(self.lane)


class LaneSpans:
    """Rows in lanes.

    Args:
        lane_starts: Index of each lane's first row.
        start_ns: Start of each row, by lane and start. Rows of a lane do not overlap.
        end_ns: End of each row.
    """

    def __init__(self, lane_starts: IntColumn, start_ns: IntColumn, end_ns: IntColumn) -> None:
        duration_ns = end_ns - start_ns
        self._lanes = [0, *lane_starts[1:].tolist(), len(start_ns)] if len(lane_starts) else [0]
        self._start_ns, self._end_ns = start_ns, end_ns
        self._busy_before_ns = np.concatenate(([0], np.cumsum(duration_ns)))
        self._parted_below = _parted_below(start_ns, duration_ns)
        # Ranks stand for durations, the last for the longest, so that a maximum finds the row. Of
        # equal rows the first is to rank last: so they are sorted from behind.
        from_behind = np.argsort(duration_ns[::-1], kind="stable")
        self._by_rank = (len(duration_ns) - 1 - from_behind).astype(np.int32)
        self._rank = np.empty(len(duration_ns), np.int32)
        self._rank[self._by_rank] = np.arange(len(duration_ns), dtype=np.int32)

    def window(self, from_ns: int, to_ns: int, *, finest: int, most: int) -> tuple[Spans, int]:
        """The spans of the rows that lie in, or reach into, a stretch of time.

        Args:
            from_ns: Its start.
            to_ns: Its end, which does not belong to it.
            finest: The level to use if there are not too many spans then.
            most: How many are too many; each lane may have one in any case.

        Returns:
            The spans, and the level they are at.
        """
        ranges = self._ranges(from_ns, to_ns)
        level = finest
        while level < _COARSEST and self._count(ranges, level) > most:
            level += 1
        return self._spans(ranges, level), level

    def _ranges(self, from_ns: int, to_ns: int) -> list[tuple[int, int, int]]:
        """Each lane's rows that touch the window: ``(lane, first, stop)``, no empty ones."""
        ranges: list[tuple[int, int, int]] = []
        for lane, (begin, end) in enumerate(zip(self._lanes[:-1], self._lanes[1:], strict=True)):
            starts, ends = self._start_ns[begin:end], self._end_ns[begin:end]
            stop = int(np.searchsorted(starts, to_ns))
            # What starts at from_ns touches it, even if it ends there as well.
            first = min(
                int(np.searchsorted(ends, from_ns, side="right")),
                int(np.searchsorted(starts, from_ns)),
            )
            if first < stop:
                ranges.append((lane, begin + first, begin + stop))
        return ranges

    def _count(self, ranges: Sequence[tuple[int, int, int]], level: int) -> int:
        return sum(
            1 + int(np.count_nonzero(self._parted_below[first + 1 : stop] > level))
            for _, first, stop in ranges
        )

    def _spans(self, ranges: Sequence[tuple[int, int, int]], level: int) -> Spans:
        lanes: list[IntColumn] = [np.zeros(0, np.int64)]
        firsts: list[IntColumn] = [np.zeros(0, np.int64)]
        stops: list[IntColumn] = [np.zeros(0, np.int64)]
        ranks: list[IntColumn] = [np.zeros(0, np.int64)]
        for lane, first, stop in ranges:
            parted = np.flatnonzero(self._parted_below[first + 1 : stop] > level)
            begins = np.concatenate(([0], parted + 1))
            lanes.append(np.full(len(begins), lane))
            firsts.append(begins + first)
            stops.append(np.append(begins[1:] + first, stop))
            ranks.append(np.maximum.reduceat(self._rank[first:stop], begins))
        first, stop = np.concatenate(firsts), np.concatenate(stops)
        return Spans(
            lane=np.concatenate(lanes),
            start_ns=self._start_ns[first],
            end_ns=self._end_ns[stop - 1],
            busy_ns=self._busy_before_ns[stop] - self._busy_before_ns[first],
            merged=stop - first,
            row=self._by_rank[np.concatenate(ranks)].astype(np.int64),
        )


def _parted_below(start_ns: IntColumn, duration_ns: IntColumn) -> npt.NDArray[np.uint8]:
    """The first level at which each row is one with the row before it, if that is of its lane.

    That is where both start in the same bin and this one is shorter than it. So is the one before,
    then: after one as long as a bin, the next starts in a later bin.
    """
    levels = np.zeros(len(start_ns), np.uint8)
    same_bin = _bit_length(start_ns[1:] ^ start_ns[:-1])
    levels[1:] = np.maximum(same_bin, _bit_length(duration_ns)[1:])
    return levels


def _bit_length(values: IntColumn) -> npt.NDArray[np.uint8]:
    # Exact up to 2**53, and beyond never too small.
    return np.frexp(values.astype(np.float64))[1].astype(np.uint8)
