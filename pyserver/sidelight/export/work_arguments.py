"""What is known of instructions, transfers and executions beside their time, as arguments."""

from __future__ import annotations

import numpy as np

from sidelight.export.source import Indexes
from sidelight.profile.json_files import encode_json
from sidelight.profile.model import Profile
from sidelight.profile.tables import WORK_COLUMNS, WORK_TEXTS, Column


class WorkArguments:
    """The rows of a profile's work and origins, by event.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def texts(self, rows: Indexes) -> dict[int, str]:
        """JSON members, each with a comma before it, for those of some events that have any.

        Args:
            rows: Events, ascending.
        """
        texts: dict[int, str] = {}
        origins, work = self._profile.origins, self._profile.work
        contexts: dict[int, list[str]] = {}
        for row in _rows_of(origins["event"], rows):
            event = int(origins["event"][row])
            contexts.setdefault(event, []).append(str(int(origins["stack"][row])))
        for event, stacks in contexts.items():
            texts[event] = f',"contexts":[{",".join(stacks)}]'
        for row in _rows_of(work["event"], rows):
            event = int(work["event"][row])
            texts[event] = texts.get(event, "") + self._of_work(row)
        return texts

    def _of_work(self, row: int) -> str:
        members: dict[str, int | str] = {}
        for name in WORK_COLUMNS:
            value = int(self._profile.work[name][row])
            if name != "event" and value >= 0:
                members[name] = self._profile.strings[value] if name in WORK_TEXTS else value
        return f",{encode_json(members)[1:-1].decode()}" if members else ""


def _rows_of(event: Column, rows: Indexes) -> list[int]:
    """The rows of a table whose event is among some; both ascend."""
    if not len(rows):
        return []
    first, stop = np.searchsorted(event, (rows[0], rows[-1] + 1))
    return (np.flatnonzero(np.isin(event[first:stop], rows)) + int(first)).tolist()
