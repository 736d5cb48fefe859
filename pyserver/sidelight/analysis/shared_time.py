"""Time that is shared by whoever is active in it, without going through it instant by instant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sidelight.analysis.nesting import IntColumn

OuterClock = Callable[[IntColumn, IntColumn], IntColumn]
"""What a group's time is a part of: (groups, instants) to ticks that have passed by then."""


class SharedTime:
    """A clock for each group that runs at one n-th of an outer clock's pace while n members run.

    So what a member gets of its group's time is what the group's clock shows at the member's end
    less what it shows at its start. A member that has several stretches at once is one member.

    Instants are given by number, not by time: how far apart they are is the outer clock's to say.

    Args:
        group: The group of each stretch, from 0 on.
        member: Its member, by numbers that need be unique within a group only.
        start: The instant at which the stretch starts.
        end: The instant at which it ends, later than its start.
        outer: What is shared.
        instants: How many instants there are.
    """

    def __init__(
        self,
        group: IntColumn,
        member: IntColumn,
        start: IntColumn,
        end: IntColumn,
        *,
        outer: OuterClock,
        instants: int,
    ) -> None:
        self._outer, self._instants = outer, instants
        group, start, end = _merged(group, member, start, end, instants)
        knots, place = np.unique(
            np.concatenate((group * instants + start, group * instants + end)), return_inverse=True
        )
        change = np.repeat((1, -1), len(start))
        running = np.zeros(len(knots), np.int64)
        np.add.at(running, place, change)
        self._knots = knots
        self._running = np.cumsum(running)
        self._outer_at = outer(knots // instants, knots % instants)
        # Nothing runs between the last knot of a group and the first of the next. Sums of many
        # groups may wrap around; differences within one do not.
        passed = np.where(self._running > 0, np.diff(self._outer_at, append=0), 0)
        self._shared_before = _before(passed // np.maximum(self._running, 1))
        self._covered_before = _before(passed)

    def at(self, group: IntColumn, instant: IntColumn) -> IntColumn:
        """What each group's clock shows at an instant, in ticks; only differences mean anything."""
        knot, since = self._since_knot(group, instant)
        return self._shared_before[knot] + since // np.maximum(self._running[knot], 1)

    def covered(self, group: IntColumn, instant: IntColumn) -> IntColumn:
        """How much of the outer clock's time has passed with any member running, likewise."""
        knot, since = self._since_knot(group, instant)
        return self._covered_before[knot] + since

    def _since_knot(self, group: IntColumn, instant: IntColumn) -> tuple[IntColumn, IntColumn]:
        """The last knot up to each instant, and the time since then if a member runs."""
        if not len(self._knots):
            return np.zeros(len(group), np.int64), np.zeros(len(group), np.int64)
        code = group * self._instants + instant
        knot = np.searchsorted(self._knots, code, side="right") - 1
        # Before its first knot a group shows what the group before it shows after its last.
        runs = (knot >= 0) & (self._running[knot] > 0)
        since = np.zeros(len(group), np.int64)
        since[runs] = self._outer(group[runs], instant[runs]) - self._outer_at[knot[runs]]
        return np.maximum(knot, 0), since


def _before(amounts: IntColumn) -> IntColumn:
    """The sum of all amounts before each; a first entry where there are none."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(amounts)))[: max(len(amounts), 1)]


def _merged(
    group: IntColumn, member: IntColumn, start: IntColumn, end: IntColumn, instants: int
) -> tuple[IntColumn, IntColumn, IntColumn]:
    """The stretches of each member as ones that do not overlap; their groups, starts and ends."""
    order = np.lexsort((start, member, group))
    group, member, start, end = group[order], member[order], start[order], end[order]
    is_next = np.ones(len(group), np.bool_)
    is_next[1:] = (np.diff(group) != 0) | (np.diff(member) != 0)
    owner = np.cumsum(is_next) - 1
    ends_so_far = np.maximum.accumulate(owner * instants + end)
    is_apart = np.ones(len(group), np.bool_)
    is_apart[1:] = owner[1:] * instants + start[1:] > ends_so_far[:-1]
    first = np.flatnonzero(is_next | is_apart)
    if not len(first):
        return group, start, end
    last = np.append(first[1:], len(group)) - 1
    return group[first], start[first], ends_so_far[last] - owner[last] * instants
