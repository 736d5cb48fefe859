"""Where on the timeline a line's device time lies."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.analysis.parts import parts_of
from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.timelines.told_types import LineSpan
from sidelight.profile.model import Profile

_MARGIN = 0.25
"""So much more than a stretch is shown on either side of it, by its length."""

_LEAST_MARGIN_NS = 1_000


class LineExecutions:
    """Finds the events of device time that a line caused.

    Args:
        profile: An attributed profile.
        source_lines: Its lines.
    """

    def __init__(self, profile: Profile, source_lines: SourceLines) -> None:
        self._events = profile.events
        self._source_lines = source_lines
        is_counted = counted_rows(self._events) & (self._events["step"] >= 0)
        parts = parts_of(profile, np.flatnonzero(is_counted & (self._events["device_ns"] > 0)))
        self._row, self._stack, self._device_ns = parts.row, parts.stack, parts.device_ns
        self._line = source_lines.innermost(parts.stack)

    def find(self, file: str, line: int) -> LineSpan | None:
        """A stretch of the first recorded step with the line's device time that shows it well.

        It is the longest event of that step, with the line's others directly around it.

        Args:
            file: As the profile has it.
            line: 1-based.

        Returns:
            None for a line without device time. Of one that only called others, their events count.
        """
        positions = np.flatnonzero(self._is_of_line(file, line) & (self._device_ns > 0))
        if not len(positions):
            return None
        step = self._events["step"][self._row[positions]]
        in_first = positions[step == step.min()]
        longest = int(in_first[int(np.argmax(self._device_ns[in_first]))])
        from_ns, to_ns = self._stretch(longest, in_first)
        executions = len(np.unique(self._row[positions]))
        return LineSpan(from_ns, to_ns, int(self._row[longest]), executions)

    def of_line(self, file: str, line: int) -> Mask:
        """Which events of device time are a line's, as :meth:`find` counts them.

        Args:
            file: As the profile has it.
            line: 1-based.
        """
        found = np.zeros(len(self._events), np.bool_)
        found[self._row[self._is_of_line(file, line)]] = True
        return found

    def _is_of_line(self, file: str, line: int) -> Mask:
        """Which parts of device time are a line's own; of one without, what it called."""
        number = self._source_lines.numbers.get((file, line))
        if number is None:
            return np.zeros(len(self._line), np.bool_)
        is_own = self._line == number
        if is_own.any():
            return is_own
        return self._source_lines.contexts_within(number)[self._stack]

    def _stretch(self, chosen: int, positions: IntColumn) -> tuple[int, int]:
        """From start to end of what follows without a break on the chosen event's track."""
        events = self._events
        # Without a break: no other line's counted row lies between, in the events' order.
        run_ids = np.cumsum(np.diff(positions, prepend=positions[0]) > 1)
        run = positions[run_ids == run_ids[np.searchsorted(positions, chosen)]]
        rows = self._row[run]
        rows = rows[events["track"][rows] == events["track"][self._row[chosen]]]
        start_ns = events["start_ns"][rows]
        end_ns = start_ns + events["duration_ns"][rows]
        from_ns, to_ns = int(start_ns.min()), int(end_ns.max())
        margin_ns = max(int((to_ns - from_ns) * _MARGIN), _LEAST_MARGIN_NS)
        return from_ns - margin_ns, to_ns + margin_ns
