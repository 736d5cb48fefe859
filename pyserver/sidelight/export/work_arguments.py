"""What is known of instructions, transfers and executions beside their time, as arguments."""

from __future__ import annotations

import numpy as np

from sidelight.export.source import Indexes
from sidelight.profile.model import Profile
from sidelight.profile.tables import WORK_COLUMNS, WORK_TEXTS, Column


class WorkArguments:
    """The rows of a profile's work and origins, by event.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def contexts(self, rows: Indexes) -> dict[int, list[int]]:
        """The calling contexts that the recording names for some events, ascending; by event."""
        origins = self._profile.origins
        contexts: dict[int, list[int]] = {}
        for row in _rows_of(origins["event"], rows):
            contexts.setdefault(int(origins["event"][row]), []).append(int(origins["stack"][row]))
        return contexts

    def members(self, rows: Indexes) -> dict[int, dict[str, int | str]]:
        """What is known of the work of some events, ascending, by event and column."""
        work, strings = self._profile.work, self._profile.strings
        found: dict[int, dict[str, int | str]] = {}
        for row in _rows_of(work["event"], rows):
            values = {name: int(work[name][row]) for name in WORK_COLUMNS}
            event = values.pop("event")
            found[event] = {
                name: strings[value] if name in WORK_TEXTS else value
                for name, value in values.items()
                if value >= 0
            }
        return {event: members for event, members in found.items() if members}


def _rows_of(event: Column, rows: Indexes) -> list[int]:
    """The rows of a table whose event is among some; both ascend."""
    if not len(rows):
        return []
    first, stop = np.searchsorted(event, (rows[0], rows[-1] + 1))
    return (np.flatnonzero(np.isin(event[first:stop], rows)) + int(first)).tolist()
