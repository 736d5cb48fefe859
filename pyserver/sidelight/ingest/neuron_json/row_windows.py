"""Rows of a list that come window by window, and are one table in the end."""

from __future__ import annotations

import numpy as np

from sidelight.ingest.time_policy import good_times
from sidelight.profile.tables import Column


class RowWindows:
    """Gathers columns of rows.

    Attributes:
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    def __init__(self) -> None:
        self.bad_times = 0
        self._windows: list[dict[str, Column]] = []

    def __bool__(self) -> bool:
        return bool(self._windows)

    def add(self, columns: dict[str, Column]) -> None:
        """Add a window's columns, all of one length; ``start_ns`` and ``duration_ns`` are among
        them."""
        is_good = good_times(columns["start_ns"], columns["duration_ns"])
        self.bad_times += int((~is_good).sum())
        self._windows.append({name: column[is_good] for name, column in columns.items()})

    def joined(self) -> dict[str, Column]:
        """All rows in the order they came, at least one window of them."""
        return {
            name: np.concatenate([window[name] for window in self._windows])
            for name in self._windows[0]
        }
