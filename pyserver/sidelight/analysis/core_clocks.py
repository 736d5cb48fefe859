"""Clocks that tell what each row of engines has of the time of its core."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.analysis.shared_time import OuterClock, SharedTime
from sidelight.analysis.time_windows import Stretches


@dataclass(frozen=True)
class Claims:
    """Which rows have a part of which calling contexts' time, each pair once.

    Attributes:
        row: The row.
        line: The line that the context is in.
        stack: The context.
    """

    row: IntColumn
    line: IntColumn
    stack: IntColumn

    def __len__(self) -> int:
        return len(self.row)


class CoreClocks:
    """The clocks: a core's over its lines, a line's over its contexts, theirs over the rows.

    Rows without a claim have what is left of the core's time, together.

    Args:
        rows: When they were.
        claims: Theirs.
        executions: At whose bounds the clocks are read, too.
        ticks_per_ns: How many ticks of the clocks a nanosecond has.
    """

    def __init__(
        self, rows: Stretches, claims: Claims, executions: Stretches, ticks_per_ns: int
    ) -> None:
        times_ns, place = np.unique(
            np.concatenate((rows.start_ns, executions.start_ns, rows.end_ns, executions.end_ns)),
            return_inverse=True,
        )
        start, end = np.split(place.astype(np.int64), 2)
        self._start, self._execution_start = np.split(start, [len(rows)])
        self._end, self._execution_end = np.split(end, [len(rows)])
        self._core = rows.core.astype(np.int64)
        self._execution_core = executions.core.astype(np.int64)
        self._ticks_per_ns = ticks_per_ns
        self._ticks = (times_ns - times_ns[:1]) * ticks_per_ns
        self._instants = max(len(self._ticks), 1)
        # Clocks are looked up fast in this order: context by context.
        self._order = np.lexsort(
            (self._start[claims.row], claims.stack, claims.line, self._core[claims.row])
        )
        self._claims = Claims(
            claims.row[self._order], claims.line[self._order], claims.stack[self._order]
        )
        is_silent = np.ones(len(rows), np.bool_)
        is_silent[claims.row] = False
        self.silent = np.flatnonzero(is_silent)
        """The rows without a claim."""
        self._share_time()

    def of_claims(self) -> IntColumn:
        """What each claim has, in ticks."""
        row = self._claims.row
        ticks = np.empty(len(row), np.int64)
        ticks[self._order] = self._between(np.arange(len(row)), self._start[row], self._end[row])
        return ticks

    def of_silent(self) -> IntColumn:
        """What each row without a claim has, in ticks."""
        silent, clock = self.silent, self._by_nobody
        core, start, end = self._core[silent], self._start[silent], self._end[silent]
        return clock.at(core, end) - clock.at(core, start)

    def claimed_ns(self) -> int:
        """How long any claim's row was active, core by core."""
        return self._whole_ns(self._by_lines.covered)

    def silent_ns(self) -> int:
        """How long rows without a claim were active, and none with one."""
        return self._whole_ns(self._by_nobody.covered)

    def claimed_in_executions_ns(self) -> IntColumn:
        """How long any claim's row was active on its core within each execution."""
        core, covered = self._execution_core, self._by_lines.covered
        ticks = covered(core, self._execution_end) - covered(core, self._execution_start)
        return ticks // self._ticks_per_ns

    def of_claims_in_executions(self) -> tuple[IntColumn, IntColumn, IntColumn]:
        """Every claim with every execution of its core that its row overlaps.

        Returns:
            ``(execution, claim, ticks)``.
        """
        execution, claim = self._overlapping_executions()
        row = self._claims.row[claim]
        ticks = self._between(
            claim,
            np.maximum(self._start[row], self._execution_start[execution]),
            np.minimum(self._end[row], self._execution_end[execution]),
        )
        return execution, self._order[claim], ticks

    def _share_time(self) -> None:
        # The clocks must not hold this object: many follow one another, and each has to go at once.
        claims, instants, ticks = self._claims, self._instants, self._ticks
        core = self._core[claims.row]
        start, end = self._start[claims.row], self._end[claims.row]
        line_group, core_of_line = _groups(core, claims.line)
        self._context, line_of_context = _groups(line_group, claims.stack)

        def elapsed(_core: IntColumn, instant: IntColumn) -> IntColumn:
            return ticks[instant]

        self._by_lines = by_lines = SharedTime(
            core, claims.line, start, end, outer=elapsed, instants=instants
        )
        by_contexts = SharedTime(
            line_group,
            claims.stack,
            start,
            end,
            outer=lambda line, instant: by_lines.at(core_of_line[line], instant),
            instants=instants,
        )
        self._by_rows = SharedTime(
            self._context,
            claims.row,
            start,
            end,
            outer=lambda context, instant: by_contexts.at(line_of_context[context], instant),
            instants=instants,
        )
        silent = self.silent
        self._by_nobody = SharedTime(
            self._core[silent],
            silent,
            self._start[silent],
            self._end[silent],
            outer=lambda core, instant: ticks[instant] - by_lines.covered(core, instant),
            instants=instants,
        )

    def _between(self, claim: IntColumn, start: IntColumn, end: IntColumn) -> IntColumn:
        """What is a claim's between two instants within its row, in ticks."""
        context = self._context[claim]
        return self._by_rows.at(context, end) - self._by_rows.at(context, start)

    def _whole_ns(self, covered: OuterClock) -> int:
        cores = np.unique(self._core)
        first, last = np.zeros(len(cores), np.int64), np.full(len(cores), len(self._ticks) - 1)
        return int((covered(cores, last) - covered(cores, first)).sum()) // self._ticks_per_ns

    def _overlapping_executions(self) -> tuple[IntColumn, IntColumn]:
        instants = self._instants
        by_start = np.lexsort((self._execution_start, self._execution_core))
        core = self._execution_core[by_start] * instants
        starts = core + self._execution_start[by_start]
        ends = core + self._execution_end[by_start]
        row_core = self._core[self._claims.row] * instants
        row_start = row_core + self._start[self._claims.row]
        row_end = row_core + self._end[self._claims.row]
        # Executions may overlap: before the first that may matter all have ended, not each after.
        first = np.searchsorted(np.maximum.accumulate(ends), row_start, side="right")
        count = np.maximum(np.searchsorted(starts, row_end) - first, 0)
        claim = np.repeat(np.arange(len(count)), count)
        place = numbers_from(first, count)
        overlaps = ends[place] > row_start[claim]
        return by_start[place[overlaps]], claim[overlaps]


def numbers_from(first: Indexes, count: Indexes) -> IntColumn:
    """So many numbers from each first one on, one after another."""
    before = np.cumsum(count) - count
    return np.arange(int(count.sum())) + np.repeat(first - before, count)


def _groups(outer: IntColumn, inner: IntColumn) -> tuple[IntColumn, IntColumn]:
    """A number for each pair of two columns, ascending with them, and the first of each pair."""
    width = int(inner.max()) + 1 if len(inner) else 1
    pairs, number = np.unique(outer * width + inner, return_inverse=True)
    return number.astype(np.int64), pairs // width
