"""Device time of operators, with and without that of the operators they call."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.lines import counts_as_row
from sidelight.analysis.nesting import Indexes, IntColumn, Mask, outermost_above
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


class OperatorTotals:
    """Sums over the recorded steps, by string id of the operator's name.

    Args:
        profile: An attributed profile.

    Attributes:
        self_ns: Of rows that count under it.
        total_ns: Of rows that count under it, or under what it calls, each once: also where an
            operator calls itself.
        count: How many rows count under it, as in the per-line report.
    """

    def __init__(self, profile: Profile) -> None:
        events, names = profile.events, len(profile.strings)
        counted = np.flatnonzero(counted_rows(events) & (events["step"] >= 0))
        operator = events["operator"][counted]
        name: IntColumn = events["name"].astype(np.int64)
        self.self_ns = _sums(name[operator], events["device_ns"][counted], names)
        self.count = _sums(name[operator], counts_as_row(events)[counted].astype(np.int64), names)
        own_ns = _sums(operator, events["device_ns"][counted], len(events))
        caller = _calling_operators(profile)
        total_ns, last = _with_callees(caller, own_ns)
        outermost = np.flatnonzero((total_ns > 0) & ~_has_own_name_above(last, name))
        self.total_ns = _sums(name[outermost], total_ns[outermost], names)


def _sums(index: Indexes, amount: IntColumn, length: int) -> IntColumn:
    """Sums by index, exactly."""
    found = np.zeros(length, np.int64)
    np.add.at(found, index, amount)
    return found


def _calling_operators(profile: Profile) -> IntColumn:
    """The operator around each row, -1 for none, whatever lies between."""
    events = profile.events
    is_operator = events["category"] == Category.OPERATOR
    parent: IntColumn = events["parent"].astype(np.int64)
    walk_on = np.where(is_operator, -1, parent)
    nearest = outermost_above(walk_on)
    found = np.where(parent >= 0, nearest[parent], -1)
    return np.where((found >= 0) & is_operator[found], found, -1)


def _with_callees(caller: IntColumn, own_ns: IntColumn) -> tuple[IntColumn, IntColumn]:
    """Each row's time with that of all that it calls, and the last row of these, itself if none."""
    total_ns, last = np.array(own_ns), np.arange(len(caller))
    # What a level up has is added when all below it is known: from the deepest level on.
    depth = _depths(caller)
    order = np.argsort(depth, kind="stable")
    boundaries = np.searchsorted(depth[order], np.arange(1, int(depth.max(initial=0)) + 2))
    levels = np.split(order, boundaries)[1:-1]
    for level in reversed(levels):
        np.add.at(total_ns, caller[level], total_ns[level])
        np.maximum.at(last, caller[level], last[level])
    return total_ns, last


def _depths(caller: IntColumn) -> npt.NDArray[np.int32]:
    """How many operators are around each row."""
    depth, above = (caller >= 0).astype(np.int32), np.array(caller)
    # Each round doubles how far a walk has come.
    while len(rows := np.flatnonzero(above >= 0)):
        depth[rows] += depth[above[rows]]
        above[rows] = above[above[rows]]
    return depth


def _has_own_name_above(last: IntColumn, name: IntColumn) -> Mask:
    """Which rows an operator of their own name calls, at any depth.

    Whatever stands between a row and the last that it calls is called by it, too.

    Args:
        last: The last row that each calls, itself if none.
        name: The name of each.
    """
    order = np.argsort(name, kind="stable")
    # The farthest that an earlier row of the name reaches; another name's reach ends before it.
    reach = np.maximum.accumulate(last[order] + name[order] * len(name))
    found = np.zeros(len(name), np.bool_)
    found[order[1:]] = reach[:-1] >= order[1:] + name[order[1:]] * len(name)
    return found
