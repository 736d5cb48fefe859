"""Finding events on the timeline: by what stands on them, or by the line that they are of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.analysis.timelines.drawn import DrawnEvents, Placed
from sidelight.analysis.timelines.stretches import instant
from sidelight.analysis.timelines.told_types import Direction, Find, Match


class Matches:
    """The events that something is true of.

    Args:
        placed: Where all events are.
        is_match: Which of them it is true of.
    """

    def __init__(self, placed: Placed, is_match: Mask) -> None:
        self.drawn: DrawnEvents = placed.drawn(is_match)
        """They in their lanes, to be drawn over the others."""
        self._placed = placed
        rows = self.drawn.event
        self._by_time = rows[np.lexsort((rows, placed.start_ns[rows]))]

    def step(self, event: int | None, at_ns: int, direction: Direction) -> Match | None:
        """The match before or after a place; beyond the last comes the first.

        Args:
            event: The place, if it is a match itself.
            at_ns: The place, if it is not.
            direction: Which way to go.

        Returns:
            None where nothing matches.
        """
        rows = self._by_time
        if not len(rows):
            return None
        forward = direction == "next"
        current = np.flatnonzero(rows == event) if event is not None else rows[:0]
        if len(current):
            index = int(current[0]) + (1 if forward else -1)
        else:
            first_after = int(np.searchsorted(self._placed.start_ns[rows], instant(at_ns)))
            index = first_after if forward else first_after - 1
        index %= len(rows)
        found = int(rows[index])
        start_ns = int(self._placed.start_ns[found])
        return Match(
            count=len(rows),
            number=index + 1,
            event=found,
            start_ns=start_ns,
            duration_ns=int(self._placed.end_ns[found]) - start_ns,
        )


class Finder:
    """Finds events; what was found last is kept, as it is asked for window by window.

    Args:
        placed: Where all rows are: events, and behind them regions.
        label: The number of what stands on each row.
        name_of: What a label is, for people.
        of_line: Which events are of a line, by its file and number.
    """

    def __init__(
        self,
        placed: Placed,
        label: IntColumn,
        name_of: Callable[[int], str],
        of_line: Callable[[str, int], Mask],
    ) -> None:
        self._placed = placed
        self._label = label
        self._name_of = name_of
        self._of_line = of_line
        self._last: tuple[Find, Matches] | None = None

    def matches(self, find: Find) -> Matches:
        """The events that are meant: of a line if one is named, else those with the text."""
        if self._last is None or self._last[0] != find:
            self._last = (find, Matches(self._placed, self._is_match(find)))
        return self._last[1]

    def _is_match(self, find: Find) -> Mask:
        if find.file is not None and find.line is not None:
            of_line = self._of_line(find.file, find.line)
            return np.append(of_line, np.zeros(len(self._label) - len(of_line), np.bool_))
        text = find.text.strip().casefold()
        if not text or not len(self._label):
            return np.zeros(len(self._label), np.bool_)
        used = np.unique(self._label)
        fits = np.zeros(int(used[-1]) + 1, np.bool_)
        for label in used.tolist():
            fits[label] = text in self._name_of(label).casefold()
        return fits[self._label]
