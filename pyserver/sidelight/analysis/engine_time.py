"""The device time of a NeuronCore, told from what its engines, queues and collectives did.

A core's time is the union of those rows. Each instant is split equally over the lines that have a
row active in it, a line's part equally over its calling contexts, and theirs over the rows; rows
that name no line count where no other runs. Where whole executions have rows of their own, those
are the device time, and this tells only whose each instant of them was.

Instants do not depend on one another, so this goes through the time window by window.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.analysis.core_clocks import Claims, CoreClocks, numbers_from
from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.analysis.time_windows import Stretches, time_windows
from sidelight.analysis.whole_parts import largest_remainders, running_remainders
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Column, Table

ROWS_AT_ONCE: Final = 1 << 17
"""Rows that start in a window: its clocks take a kilobyte or two for each."""

_FINE_TICKS: Final = 720_720
"""Ticks in a nanosecond: all numbers up to 16 divide it, so that what as many lines share comes out
without a rest."""

_MOST_FINE_NS: Final = 1 << 42
"""Time of all cores together, beyond which that many ticks would not fit; an hour and more."""


@dataclass(frozen=True)
class Division:
    """Device time of rows, by the calling context that each part belongs to.

    Attributes:
        row: Events, ascending; those of several parts follow one another.
        stack: Index into stacks.
        device_ns: Whole nanoseconds.
    """

    row: Indexes
    stack: Indexes
    device_ns: IntColumn


@dataclass(frozen=True)
class _Part:
    """What is in a window.

    Attributes:
        clocks: The clocks of the rows in it.
        claim: Their claims.
        silent: Those of them without a claim.
        executions: The executions in it.
    """

    clocks: CoreClocks
    claim: IntColumn
    silent: Indexes
    executions: Indexes


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
        self._rows = np.flatnonzero(
            (events["category"] == Category.ENGINE_WORK) & (events["duration_ns"] > 0)
        ).astype(np.int32)
        self._execution_rows = executions
        core_of_track = core_numbers(profile)
        self._work = _stretches(events, self._rows, core_of_track)
        self._executions = _stretches(events, executions, core_of_track)
        self._name_claims(profile, stacks, origins)
        extent_ns = 0
        if len(self._work):
            extent_ns = int(self._work.end_ns.max()) - int(self._work.start_ns.min())
        cores = int(self._work.core.max()) + 1 if len(self._work) else 1
        self._ticks_per_ns = _FINE_TICKS if cores * extent_ns < _MOST_FINE_NS else 1

    def by_row(self) -> tuple[Division, Division]:
        """The union of the rows, core by core, divided over them.

        Returns:
            What lines have of it, and what rows have that name no line (their stacks are -1).
        """
        ticks = np.zeros(len(self._claim_row), np.int64)
        silent_ticks = np.zeros(len(self._rows), np.int64)
        claimed_ns = silent_ns = 0
        for part in self._parts():
            ticks[part.claim] += part.clocks.of_claims()
            silent_ticks[part.silent] += part.clocks.of_silent()
            claimed_ns += part.clocks.claimed_ns()
            silent_ns += part.clocks.silent_ns()
        silent = np.flatnonzero(np.diff(self._first_claim) == 0)
        return (
            Division(
                self._rows[self._claim_row],
                self._claim_stack,
                self._over_lines(ticks, claimed_ns),
            ),
            Division(
                self._rows[silent],
                np.full(len(silent), -1, np.int32),
                running_remainders(
                    np.zeros(len(silent), np.int64),
                    silent_ticks[silent],
                    np.array([silent_ns]),
                ),
            ),
        )

    def by_execution(self) -> Division:
        """The executions' time in which rows with a line were active, divided over the lines.

        What there is of an execution beyond that is not in here, nor are executions without such
        time.
        """
        total_ns = np.zeros(len(self._executions), np.int64)
        # Of one context in one execution there may be many rows: they are one part.
        contexts = len(self._line_of_stack) + 1
        found = (np.zeros(0, np.int64), np.zeros(0, np.int64))
        for part in self._parts():
            total_ns[part.executions] += part.clocks.claimed_in_executions_ns()
            execution, claim, ticks = part.clocks.of_claims_in_executions()
            stack = self._claim_stack[part.claim[claim]]
            found = _summed(
                np.concatenate((found[0], part.executions[execution] * contexts + stack)),
                np.concatenate((found[1], ticks)),
            )
        key, ticks = found
        execution, stack = np.divmod(key, contexts)
        line = self._line_of_stack[stack]
        order = np.lexsort((stack, line, execution))
        device_ns = np.empty(len(order), np.int64)
        device_ns[order] = self._divided(execution[order], line[order], ticks[order], total_ns)
        return Division(self._execution_rows[execution], stack, device_ns)

    def _name_claims(self, profile: Profile, stacks: Table, origins: Table) -> None:
        """Which rows have which calling contexts, each once; ascending."""
        number = np.full(len(profile.events), -1, np.int32)
        number[self._rows] = np.arange(len(self._rows))
        row = number[origins["event"]]
        named = np.flatnonzero(row >= 0)
        contexts = len(stacks) + 1
        claims = row[named].astype(np.int64) * contexts + origins["stack"][named]
        # numpy's own way to find what is there once takes several times the room.
        claims.sort()
        is_first = np.ones(len(claims), np.bool_)
        is_first[1:] = claims[1:] != claims[:-1]
        claims = claims[is_first]
        self._claim_row = (claims // contexts).astype(np.int32)
        self._claim_stack = (claims % contexts).astype(np.int32)
        counts = np.bincount(self._claim_row, minlength=len(self._rows))
        self._first_claim = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
        self._line_of_stack = _line_numbers(profile.frames)[stacks["frame"]]

    def _parts(self) -> Iterator[_Part]:
        """What is in each window of the time in which there is work."""
        first, work, executions = self._first_claim, self._work, self._executions
        for window, rows in time_windows(work, ROWS_AT_ONCE):
            count = first[rows + 1] - first[rows]
            claim = numbers_from(first[rows], count)
            stack = self._claim_stack[claim]
            claims = Claims(
                np.repeat(np.arange(len(rows)), count),
                self._line_of_stack[stack],
                stack.astype(np.int64),
            )
            running = window.overlapping(executions)
            clocks = CoreClocks(
                work.within(window, rows),
                claims,
                executions.within(window, running),
                self._ticks_per_ns,
            )
            yield _Part(clocks, claim, rows[clocks.silent], running)

    def _over_lines(self, ticks: IntColumn, total_ns: int) -> IntColumn:
        """Divide the time of all claims over the lines, and what a line has over its claims."""
        row, stack = self._claim_row, self._claim_stack
        line = self._line_of_stack.astype(np.int32)[stack]
        order = np.lexsort((self._work.start_ns[row], stack, self._work.core[row], line))
        order = order.astype(np.int32)
        group = np.zeros(len(order), np.int8)
        device_ns = np.empty(len(order), np.int64)
        device_ns[order] = self._divided(group, line[order], ticks[order], np.array([total_ns]))
        return device_ns

    def _divided(
        self, group: Indexes, line: Indexes, ticks: IntColumn, total_ns: IntColumn
    ) -> IntColumn:
        """Divide each group's time over its lines, and what a line has over its parts.

        Args:
            group: The group of each part; ascending, and in a group by line.
            line: Its line.
            ticks: What it should get.
            total_ns: What each group has.
        """
        is_next = np.ones(len(line), np.bool_)
        is_next[1:] = (line[1:] != line[:-1]) | (group[1:] != group[:-1])
        first = np.flatnonzero(is_next)
        if not len(first):
            return np.zeros(0, np.int64)
        line_ns = largest_remainders(
            group[first], np.add.reduceat(ticks, first), self._ticks_per_ns, total_ns
        )
        number = np.cumsum(is_next, dtype=np.int32)
        number -= 1
        return running_remainders(number, ticks, line_ns)


def _stretches(events: Table, rows: Indexes, core_of_track: npt.NDArray[np.int32]) -> Stretches:
    start_ns: Column = events["start_ns"][rows]
    return Stretches(
        core_of_track[events["track"][rows]], start_ns, start_ns + events["duration_ns"][rows]
    )


def core_numbers(profile: Profile) -> npt.NDArray[np.int32]:
    """A number for the logical core of each track.

    Args:
        profile: Any profile.
    """
    numbers: dict[str, int] = {}
    return np.array(
        [numbers.setdefault(track.pid, len(numbers)) for track in profile.tracks], np.int32
    )


def _line_numbers(frames: Table) -> IntColumn:
    """A number for the line of each frame, ascending with file and line."""
    places = frames["file"].astype(np.int64) * (1 << 32) + frames["line"]
    return np.unique(places, return_inverse=True)[1].astype(np.int64)


def _summed(key: IntColumn, amount: IntColumn) -> tuple[IntColumn, IntColumn]:
    """The keys, each once and ascending, with the sum of its amounts."""
    keys, place = np.unique(key, return_inverse=True)
    sums = np.zeros(len(keys), np.int64)
    np.add.at(sums, place, amount)
    return keys, sums
