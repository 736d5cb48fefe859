"""What each thread of the host was in at an instant."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.chosen_rows import rows_on_host
from sidelight.analysis.nesting import Indexes, IntColumn, Mask, enclosing_rows, user_code_rows
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

NOTHING = -1
"""No row, or no thread."""


class Regions:
    """Rows that tell that a thread is in something; of those within one another the outermost.

    Args:
        profile: Any profile.
        chosen: The rows.
    """

    def __init__(self, profile: Profile, chosen: Mask) -> None:
        events = profile.events
        rows = np.flatnonzero(chosen)
        self._by_thread: dict[int, tuple[Indexes, IntColumn, IntColumn]] = {}
        for track in np.unique(events["track"][rows]).tolist():
            own = rows[events["track"][rows] == track]
            start_ns = events["start_ns"][own]
            latest_ns = np.maximum.accumulate(start_ns + events["duration_ns"][own])
            is_outermost = np.ones(len(own), np.bool_)
            is_outermost[1:] = start_ns[1:] >= latest_ns[:-1]
            first = np.flatnonzero(is_outermost)
            last = np.append(first[1:], len(own)) - 1
            self._by_thread[track] = (own[first], start_ns[first], latest_ns[last])

    def __bool__(self) -> bool:
        return bool(self._by_thread)

    def at(self, thread: IntColumn, time_ns: IntColumn, *, until_end: bool = False) -> IntColumn:
        """The region that each thread is in.

        Args:
            thread: Tracks.
            time_ns: An instant for each.
            until_end: Whether the instant at which a region ends is in it, and that at which it
                starts is not.

        Returns:
            Events, ``NOTHING`` where there is none.
        """
        found = np.full(len(thread), NOTHING, np.int64)
        for track, (rows, start_ns, end_ns) in self._by_thread.items():
            asked = np.flatnonzero(thread == track)
            side = "left" if until_end else "right"
            index = np.searchsorted(start_ns, time_ns[asked], side=side) - 1
            current = np.maximum(index, 0)
            reaches = time_ns[asked] < end_ns[current] + until_end
            found[asked] = np.where((index >= 0) & reaches, rows[current], NOTHING)
        return found

    def bounds_ns(self) -> IntColumn:
        """When regions begin and end, in no order."""
        bounds = [bound for _, *bounds in self._by_thread.values() for bound in bounds]
        return np.concatenate([np.zeros(0, np.int64), *bounds])


class HostThreads:
    """The rows of the host that others are nested in: lines and operators.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        events = profile.events
        self._events = events
        on_host = rows_on_host(profile)
        self._rows = np.flatnonzero(enclosing_rows(events) & on_host)
        self._main = _main_thread(profile, on_host)

    def bounds_ns(self) -> IntColumn:
        """When what runs is of another calling context from then on, in no order."""
        events, rows = self._events, self._rows
        parent = events["parent"][rows]
        around = np.where(parent >= 0, events["stack"][parent], NOTHING)
        changes = rows[events["stack"][rows] != around]
        start_ns = events["start_ns"][changes]
        return np.concatenate((start_ns, start_ns + events["duration_ns"][changes]))

    def innermost(self, thread: IntColumn, time_ns: IntColumn) -> IntColumn:
        """The innermost row that each thread is in at an instant, ``NOTHING`` for none."""
        events = self._events
        found = np.full(len(thread), NOTHING, np.int64)
        track = events["track"][self._rows]
        for number in np.unique(thread[thread >= 0]).tolist():
            first, stop = np.searchsorted(track, (number, number + 1))
            rows = self._rows[first:stop]
            if not len(rows):
                continue
            asked = np.flatnonzero(thread == number)
            index = np.searchsorted(events["start_ns"][rows], time_ns[asked], side="right") - 1
            row = np.where(index >= 0, rows[np.maximum(index, 0)], NOTHING)
            found[asked] = self._still_running(row, time_ns[asked])
        return found

    def busy_thread(self, thread: IntColumn, time_ns: IntColumn) -> IntColumn:
        """Each thread, or the main one while it does nothing itself.

        A thread of autograd's has no rows until the main thread calls it.
        """
        return np.where(self.innermost(thread, time_ns) >= 0, thread, self._main)

    def _still_running(self, row: IntColumn, time_ns: IntColumn) -> IntColumn:
        """The rows, or of each that has ended the innermost one around it that has not."""
        events = self._events
        while True:
            ended = np.flatnonzero(row >= 0)
            ended = ended[
                events["start_ns"][row[ended]] + events["duration_ns"][row[ended]] <= time_ns[ended]
            ]
            if not len(ended):
                return row
            row[ended] = events["parent"][row[ended]]


def _main_thread(profile: Profile, on_host: Mask) -> int:
    """The thread with most of the user's code, else with most operators; ``NOTHING`` for none."""
    events = profile.events
    for rows in (user_code_rows(events), events["category"] == Category.OPERATOR):
        tracks = events["track"][rows & on_host]
        if len(tracks):
            return int(np.bincount(tracks).argmax())
    return NOTHING
