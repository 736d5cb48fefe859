"""Device time by whose it is: rows, and what of each belongs to which calling context.

Most rows belong to one context whole. Those of several lines are in the profile's ``shares``.
Whoever sums device time by line goes through here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.model import Profile
from sidelight.profile.tables import Table

ROWS_AT_ONCE: Final = 1 << 20
"""Rows whose parts are held where there may be many."""


@dataclass(frozen=True)
class Parts:
    """Parts of rows, in the order of the rows.

    Attributes:
        row: The event each is of. An event of several contexts has several parts.
        stack: Whose it is: index into stacks, -1 for nobody's.
        device_ns: Its device time; those of one event add up to the event's own.
        is_divided: Whether the event's device time is divided over several contexts.
    """

    row: IntColumn
    stack: IntColumn
    device_ns: IntColumn
    is_divided: Mask

    def on_lines(self) -> Parts:
        """Those that belong to a calling context."""
        on_line = self.stack >= 0
        return Parts(
            self.row[on_line],
            self.stack[on_line],
            self.device_ns[on_line],
            self.is_divided[on_line],
        )


def parts_of(profile: Profile, rows: IntColumn) -> Parts:
    """The parts of rows.

    Args:
        profile: An attributed profile.
        rows: Events, ascending.
    """
    events, shares = profile.events, profile.shares
    first, stop = np.searchsorted(shares["event"], (rows[0], rows[-1] + 1)) if len(rows) else (0, 0)
    shared: IntColumn = shares["event"][first:stop].astype(np.int64)
    is_divided = np.isin(rows, shared)
    if not is_divided.any():
        stack = events["stack"][rows].astype(np.int64)
        return Parts(rows, stack, events["device_ns"][rows], is_divided)
    whole = rows[~is_divided]
    taken = np.flatnonzero(np.isin(shared, rows))
    row = np.concatenate((whole, shared[taken]))
    taken += first
    order = np.argsort(row, kind="stable")
    return Parts(
        row[order],
        np.concatenate((events["stack"][whole], shares["stack"][taken])).astype(np.int64)[order],
        np.concatenate((events["device_ns"][whole], shares["device_ns"][taken]))[order],
        (np.arange(len(row)) >= len(whole))[order],
    )


def parts_in_pieces(profile: Profile, rows: IntColumn) -> Iterator[Parts]:
    """The parts of rows, some at a time, so that the whole of them is never held.

    Args:
        profile: An attributed profile.
        rows: Events, ascending.

    Returns:
        At least one piece, each of the rows that follow the last one's.
    """
    for first in range(0, max(len(rows), 1), ROWS_AT_ONCE):
        yield parts_of(profile, rows[first : first + ROWS_AT_ONCE])


def shares_of_event(profile: Profile, event: int) -> tuple[list[int], list[int]]:
    """The calling contexts that an event is divided over, and what each has, in nanoseconds."""
    rows = _of_event(profile.shares, event)
    return profile.shares["stack"][rows].tolist(), profile.shares["device_ns"][rows].tolist()


def contexts_of_event(profile: Profile, event: int) -> list[int]:
    """The calling contexts that the file itself names for an event."""
    return profile.origins["stack"][_of_event(profile.origins, event)].tolist()


def _of_event(table: Table, event: int) -> slice:
    first, stop = np.searchsorted(table["event"], (event, event + 1))
    return slice(int(first), int(stop))
