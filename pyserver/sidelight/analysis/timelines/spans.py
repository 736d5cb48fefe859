"""Level of detail: the rows of disjoint lanes, merged where they are too short to be seen.

At a level, time is cut into bins of 2^level ns from zero on. Rows at least as long as a bin stay by
themselves; neighbours of a lane that are shorter and start in one bin become one span. So whether
two neighbours are parted is decided by one number: the level below which the boundary between them
holds. It is worked out once, and any part of the timeline at any level follows from it in a scan.
So that a scan of much of it is short, it is kept in stages too: spans of a coarser level are made
of those of a finer one, and each stage has half of the one before it or less.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sidelight.analysis.nesting import IntColumn

NOTHING_MERGED = -1
"""The level at which every row stands by itself."""

COARSEST_LEVEL = 63
"""At it, all that is in a lane is one, but for rows that last centuries."""

ALWAYS_PARTED = 255
"""No level makes one of the first row of a lane and the last of the lane before."""

_NO_LEVELS = np.zeros(0, np.uint8)


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
        # Within its lane, a rank stands for a duration, the last for the longest, so that a maximum
        # finds the row. Of equal rows the first is to rank last: so they are sorted from behind.
        self._by_rank = np.empty(len(duration_ns), np.int32)
        rank = np.empty(len(duration_ns), np.int32)
        for begin, end in pairwise(self._lanes):
            from_behind = np.argsort(duration_ns[begin:end][::-1], kind="stable")
            self._by_rank[begin:end] = end - 1 - from_behind
            rank[self._by_rank[begin:end]] = np.arange(begin, end, dtype=np.int32)
        parted_below = parted_below_level(start_ns, duration_ns)
        parted_below[lane_starts] = ALWAYS_PARTED
        self._rows = _Stage(NOTHING_MERGED, None, parted_below, rank)
        self._stages = _stages_above(self._rows)

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
        level = self._stage(finest).fine_enough(ranges, finest, most)
        return self._spans(ranges, level), level

    def _ranges(self, from_ns: int, to_ns: int) -> _Ranges:
        """Each lane's rows that touch the window."""
        lanes: list[int] = []
        firsts: list[int] = []
        stops: list[int] = []
        for lane, (begin, end) in enumerate(zip(self._lanes[:-1], self._lanes[1:], strict=True)):
            starts, ends = self._start_ns[begin:end], self._end_ns[begin:end]
            stop = int(starts.searchsorted(to_ns))
            # What starts at from_ns touches it, even if it ends there as well.
            first = min(
                int(ends.searchsorted(from_ns, side="right")), int(starts.searchsorted(from_ns))
            )
            if first < stop:
                lanes.append(lane)
                firsts.append(begin + first)
                stops.append(begin + stop)
        return _Ranges(*(np.array(column, np.int64) for column in (lanes, firsts, stops)))

    def _spans(self, ranges: _Ranges, level: int) -> Spans:
        if not len(ranges.lane):
            none = np.zeros(0, np.int64)
            return Spans(none, none, none, none, none, none)
        spans = self._stage(level).spans(ranges, level)
        first, rank = spans.first, spans.rank
        stop = np.append(first[1:], ranges.stop[-1])
        last_of_lane = np.append(spans.lane_begins[1:], len(first)) - 1
        stop[last_of_lane] = ranges.stop
        # At both edges a stage's span may hold rows that are not in the window.
        for edge in np.union1d(spans.lane_begins, last_of_lane).tolist():
            rank[edge] = self._rows.rank[first[edge] : stop[edge]].max()
        return Spans(
            lane=np.repeat(ranges.lane, np.diff(spans.lane_begins, append=len(first))),
            start_ns=self._start_ns[first],
            end_ns=self._end_ns[stop - 1],
            busy_ns=self._busy_before_ns[stop] - self._busy_before_ns[first],
            merged=stop - first,
            row=self._by_rank[rank].astype(np.int64),
        )

    def _stage(self, level: int) -> _Stage:
        """The shortest stage that has all that is parted at a level."""
        return next((stage for stage in self._stages if stage.level <= level), self._rows)


@dataclass(frozen=True)
class _Ranges:
    """Rows of lanes, from one to before another.

    Attributes:
        lane: The lanes, ascending.
        first: The first row of each.
        stop: The first row after it.
    """

    lane: IntColumn
    first: IntColumn
    stop: IntColumn


@dataclass(frozen=True)
class _Begun:
    """Spans, by where they begin.

    Attributes:
        first: The first row of each.
        rank: The highest rank of its rows.
        lane_begins: Index of each lane's first span.
    """

    first: IntColumn
    rank: npt.NDArray[np.int32]
    lane_begins: IntColumn


@dataclass(frozen=True)
class _Stage:
    """The spans of all lanes at a level.

    Attributes:
        level: The level.
        first: The first row of each; None where each row is one.
        parted_below: The first level at which each is one with the span before it.
        rank: The highest rank of its rows.
    """

    level: int
    first: npt.NDArray[np.int32] | None
    parted_below: npt.NDArray[np.uint8]
    rank: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rank)

    def fine_enough(self, ranges: _Ranges, finest: int, most: int) -> int:
        """The finest level, from one on, at which there are no more than so many spans."""
        parted = [self.parted_below[begin + 1 : end] for begin, end in self._within(ranges)]
        by_level = np.bincount(np.concatenate([_NO_LEVELS, *parted]), minlength=COARSEST_LEVEL + 2)
        # Beside the first span of each lane, those that are parted at a level from their neighbour.
        counts = len(ranges.lane) + np.cumsum(by_level[::-1])[::-1]
        level = finest
        while level < COARSEST_LEVEL and counts[level + 1] > most:
            level += 1
        return level

    def spans(self, ranges: _Ranges, level: int) -> _Begun:
        """The spans of a level; their ranks also count the rows of a stage's span at the edges."""
        within = self._within(ranges)
        parted = np.concatenate([self.parted_below[begin:end] for begin, end in within])
        rank = np.concatenate([self.rank[begin:end] for begin, end in within])
        begin = np.array([begin for begin, _ in within], np.int64)
        end = np.array([end for _, end in within], np.int64)
        lane_starts = np.cumsum(end - begin) - (end - begin)
        begins_span = parted > level
        begins_span[lane_starts] = True
        begins = np.flatnonzero(begins_span)
        number = begins + np.repeat(begin - lane_starts, end - begin)[begins]
        first = number if self.first is None else self.first[number].astype(np.int64)
        lane_begins = np.searchsorted(begins, lane_starts)
        first[lane_begins] = ranges.first
        return _Begun(first, np.maximum.reduceat(rank, begins), lane_begins)

    def at(self, level: int) -> _Stage:
        """The spans of a coarser level."""
        begins = np.flatnonzero(self.parted_below > level)
        first = begins.astype(np.int32) if self.first is None else self.first[begins]
        rank = np.maximum.reduceat(self.rank, begins)
        return _Stage(level, first, self.parted_below[begins], rank)

    def _within(self, ranges: _Ranges) -> list[tuple[int, int]]:
        """The spans, from one to before another, that hold the rows of each lane."""
        begin, end = ranges.first, ranges.stop
        if self.first is not None:
            # Of another type, they would have the whole column converted.
            begin = np.searchsorted(self.first, begin.astype(np.int32), side="right") - 1
            end = np.searchsorted(self.first, end.astype(np.int32))
        return list(zip(begin.tolist(), end.tolist(), strict=True))


def _stages_above(rows: _Stage) -> list[_Stage]:
    """Stages of ever coarser levels, the coarsest first, each half of the next or less."""
    stages = [rows]
    parted = np.cumsum(np.bincount(rows.parted_below, minlength=ALWAYS_PARTED + 1)[::-1])[::-1]
    for level in range(COARSEST_LEVEL):
        if 2 * parted[level + 1] <= len(stages[-1]) and parted[level + 1] > 0:
            stages.append(stages[-1].at(level))
    return stages[:0:-1]


def parted_below_level(start_ns: IntColumn, duration_ns: IntColumn) -> npt.NDArray[np.uint8]:
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
