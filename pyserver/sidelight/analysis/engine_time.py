"""The device time of a NeuronCore, told from what its engines, queues and collectives did.

A core's time is the union of those rows. Each instant is split equally over the lines that have a
row active in it, a line's part equally over its calling contexts, and theirs over the rows; rows
that name no line count where no other runs. Where whole executions have rows of their own, those
are the device time, and this tells only whose each instant of them was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.shared_time import OuterClock, SharedTime
from sidelight.analysis.whole_parts import largest_remainders, running_remainders
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table

_FINE_TICKS: Final = 720_720
"""Ticks in a nanosecond: all numbers up to 16 divide it, so that what as many lines share comes out
without a rest."""

_MOST_FINE_NS: Final = 1 << 42
"""Time of all cores together, beyond which that many ticks would not fit; an hour and more."""


@dataclass(frozen=True)
class Division:
    """Device time of rows, by the calling context that each part belongs to.

    Attributes:
        row: Events; those of several parts follow one another.
        stack: Index into stacks, -1 for no line.
        device_ns: Whole nanoseconds.
    """

    row: IntColumn
    stack: IntColumn
    device_ns: IntColumn


class EngineTime:
    """Divides time over the rows of ENGINE_WORK of a profile.

    Args:
        profile: Its events, tracks and frames.
        stacks: Its calling contexts.
        origins: Which of them the file names for events; ascending by event.
        executions: Rows of whole executions, if there are any that count.
    """

    def __init__(
        self, profile: Profile, stacks: Table, origins: Table, executions: IntColumn
    ) -> None:
        events = profile.events
        rows = np.flatnonzero(
            (events["category"] == Category.ENGINE_WORK) & (events["duration_ns"] > 0)
        )
        self._rows, self._executions = rows, executions
        core_of_track = _core_numbers(profile)
        self._core = core_of_track[events["track"][rows]]
        self._execution_core = core_of_track[events["track"][executions]]
        timed = np.concatenate((rows, executions))
        start_ns = events["start_ns"][timed]
        times_ns, place = np.unique(
            np.concatenate((start_ns, start_ns + events["duration_ns"][timed])), return_inverse=True
        )
        start, end = np.split(place.astype(np.int64), 2)
        self._start, self._execution_start = np.split(start, [len(rows)])
        self._end, self._execution_end = np.split(end, [len(rows)])
        cores = int(self._core.max()) + 1 if len(rows) else 1
        extent_ns = int(times_ns[-1]) - int(times_ns[0]) if len(times_ns) else 0
        self._ticks_per_ns = _FINE_TICKS if cores * extent_ns < _MOST_FINE_NS else 1
        self._ticks = (times_ns - times_ns[:1]) * self._ticks_per_ns
        self._name_claims(profile, stacks, origins)
        self._share_time()

    def by_row(self) -> Division:
        """The union of the rows, core by core, divided over them."""
        of_lines_ns = self._whole_ns(self._by_lines.covered, self._core)
        of_nobody_ns = self._whole_ns(self._by_nobody.covered, self._core)
        claims = np.arange(len(self._claim_row))
        device_ns = self._divide(
            np.zeros(len(claims), np.int64),
            claims,
            self._claimed(claims, self._start[self._claim_row], self._end[self._claim_row]),
            np.array([of_lines_ns]),
        )
        silent = self._silent
        core, start, end = self._core[silent], self._start[silent], self._end[silent]
        silent_ns = running_remainders(
            np.zeros(len(silent), np.int64),
            self._by_nobody.at(core, end) - self._by_nobody.at(core, start),
            np.array([of_nobody_ns]),
        )
        row = np.concatenate((self._claim_row, silent))
        order = np.argsort(row, kind="stable")
        return Division(
            self._rows[row[order]],
            np.concatenate((self._claim_stack, np.full(len(silent), -1)))[order],
            np.concatenate((device_ns, silent_ns))[order],
        )

    def by_execution(self) -> Division:
        """The executions' time in which rows with a line were active, divided over the lines.

        What there is of an execution beyond that is not in here, nor are executions without such
        time.
        """
        claim, execution = self._claims_within_executions()
        row = self._claim_row[claim]
        ticks = self._claimed(
            claim,
            np.maximum(self._start[row], self._execution_start[execution]),
            np.minimum(self._end[row], self._execution_end[execution]),
        )
        # Of one context in one execution there may be many rows: they are one part.
        key = execution * (len(self._line_of_stack) + 1) + self._claim_stack[claim]
        _, first, part = np.unique(key, return_index=True, return_inverse=True)
        ticks_of_part = np.zeros(len(first), np.int64)
        np.add.at(ticks_of_part, part, ticks)
        core, covered = self._execution_core, self._by_lines.covered
        total_ns = covered(core, self._execution_end) - covered(core, self._execution_start)
        execution, claim = execution[first], claim[first]
        device_ns = self._divide(execution, claim, ticks_of_part, total_ns // self._ticks_per_ns)
        return Division(self._executions[execution], self._claim_stack[claim], device_ns)

    def _name_claims(self, profile: Profile, stacks: Table, origins: Table) -> None:
        """Which rows have which calling contexts, each once, and which rows have none."""
        number = np.full(len(profile.events), -1, np.int64)
        number[self._rows] = np.arange(len(self._rows))
        row = number[origins["event"]]
        named = np.flatnonzero(row >= 0)
        contexts = len(stacks) + 1
        claims = np.unique(row[named] * contexts + origins["stack"][named])
        self._claim_row, self._claim_stack = np.divmod(claims, contexts)
        frames = profile.frames
        line_of_frame, _ = _groups(frames["file"].astype(np.int64), frames["line"].astype(np.int64))
        self._line_of_stack = line_of_frame[stacks["frame"]]
        self._claim_line = self._line_of_stack[self._claim_stack]
        self._order_claims()
        is_silent = np.ones(len(self._rows), np.bool_)
        is_silent[self._claim_row] = False
        self._silent = np.flatnonzero(is_silent)

    def _order_claims(self) -> None:
        """Put the claims in the order in which clocks are looked up fast: context by context."""
        row = self._claim_row
        order = np.lexsort((self._start[row], self._claim_stack, self._claim_line, self._core[row]))
        self._claim_row, self._claim_stack = row[order], self._claim_stack[order]
        self._claim_line = self._claim_line[order]

    def _share_time(self) -> None:
        """The clocks: a core's over its lines, a line's over its contexts, theirs over rows."""
        instants = max(len(self._ticks), 1)
        core = self._core[self._claim_row]
        start, end = self._start[self._claim_row], self._end[self._claim_row]
        line_group, core_of_line = _groups(core, self._claim_line)
        self._context, line_of_context = _groups(line_group, self._claim_stack)

        def elapsed(_core: IntColumn, instant: IntColumn) -> IntColumn:
            return self._ticks[instant]

        self._by_lines = by_lines = SharedTime(
            core, self._claim_line, start, end, outer=elapsed, instants=instants
        )
        by_contexts = SharedTime(
            line_group,
            self._claim_stack,
            start,
            end,
            outer=lambda line, instant: by_lines.at(core_of_line[line], instant),
            instants=instants,
        )
        self._by_rows = SharedTime(
            self._context,
            self._claim_row,
            start,
            end,
            outer=lambda context, instant: by_contexts.at(line_of_context[context], instant),
            instants=instants,
        )
        silent = self._silent
        self._by_nobody = SharedTime(
            self._core[silent],
            silent,
            self._start[silent],
            self._end[silent],
            outer=lambda core, instant: self._ticks[instant] - by_lines.covered(core, instant),
            instants=instants,
        )

    def _claimed(self, claim: IntColumn, start: IntColumn, end: IntColumn) -> IntColumn:
        """What is a claim's between two instants within its row, in ticks."""
        context = self._context[claim]
        return self._by_rows.at(context, end) - self._by_rows.at(context, start)

    def _whole_ns(self, covered: OuterClock, core: IntColumn) -> int:
        cores = np.unique(core)
        first, last = np.zeros(len(cores), np.int64), np.full(len(cores), len(self._ticks) - 1)
        return int((covered(cores, last) - covered(cores, first)).sum()) // self._ticks_per_ns

    def _divide(
        self, group: IntColumn, claim: IntColumn, ticks: IntColumn, total_ns: IntColumn
    ) -> IntColumn:
        """Divide each group's time over its lines, and what a line has over its claims."""
        order = np.lexsort((self._claim_line[claim], group))
        line, group_of_line = _groups(group[order], self._claim_line[claim[order]])
        ticks_of_line = np.zeros(len(group_of_line), np.int64)
        np.add.at(ticks_of_line, line, ticks[order])
        line_ns = largest_remainders(group_of_line, ticks_of_line, self._ticks_per_ns, total_ns)
        device_ns = np.empty(len(claim), np.int64)
        device_ns[order] = running_remainders(line, ticks[order], line_ns)
        return device_ns

    def _claims_within_executions(self) -> tuple[IntColumn, IntColumn]:
        """Every claim with every execution of its core that its row overlaps."""
        instants = max(len(self._ticks), 1)
        by_start = np.lexsort((self._execution_start, self._execution_core))
        core = self._execution_core[by_start] * instants
        starts = core + self._execution_start[by_start]
        ends = core + self._execution_end[by_start]
        row_core = self._core[self._claim_row] * instants
        row_start = row_core + self._start[self._claim_row]
        row_end = row_core + self._end[self._claim_row]
        # Executions may overlap: before the first that may matter all have ended, not each after.
        first = np.searchsorted(np.maximum.accumulate(ends), row_start, side="right")
        count = np.maximum(np.searchsorted(starts, row_end) - first, 0)
        claim = np.repeat(np.arange(len(count)), count)
        nth = np.arange(len(claim)) - np.repeat(np.cumsum(count) - count, count)
        place = first[claim] + nth
        overlaps = ends[place] > row_start[claim]
        return claim[overlaps], by_start[place[overlaps]]


def _core_numbers(profile: Profile) -> IntColumn:
    """A number for the logical core of each track."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(track.pid, len(numbers)) for track in profile.tracks])


def _groups(outer: IntColumn, inner: IntColumn) -> tuple[IntColumn, IntColumn]:
    """A number for each pair of two columns, ascending with them, and the first of each pair."""
    width = int(inner.max()) + 1 if len(inner) else 1
    pairs, number = np.unique(outer * width + inner, return_inverse=True)
    return number.astype(np.int64), pairs // width
