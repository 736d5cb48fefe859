"""Device time of operators, with and without that of the operators they call."""

from __future__ import annotations

import numpy as np

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
        total_ns = _with_callees(caller, own_ns)
        outermost = np.flatnonzero((total_ns > 0) & ~_has_own_name_above(caller, name))
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


def _with_callees(caller: IntColumn, own_ns: IntColumn) -> IntColumn:
    """Each row's time with that of all that it calls."""
    total_ns = np.array(own_ns)
    # What a level up has is added when all below it is known: from the deepest level on.
    rows, above = np.flatnonzero(caller >= 0), caller[caller >= 0]
    depth = np.zeros(len(caller), np.int32)
    while len(rows):
        depth[rows] += 1
        still = caller[above] >= 0
        rows, above = rows[still], caller[above[still]]
    order = np.argsort(depth, kind="stable")
    boundaries = np.searchsorted(depth[order], np.arange(1, int(depth.max(initial=0)) + 2))
    levels = np.split(order, boundaries)[1:-1]
    for level in reversed(levels):
        np.add.at(total_ns, caller[level], total_ns[level])
    return total_ns


def _has_own_name_above(caller: IntColumn, name: IntColumn) -> Mask:
    """Which rows an operator of their own name calls, at any depth."""
    found = np.zeros(len(caller), np.bool_)
    rows, above = np.flatnonzero(caller >= 0), caller[caller >= 0]
    while len(rows):
        found[rows] |= name[above] == name[rows]
        still = caller[above] >= 0
        rows, above = rows[still], caller[above[still]]
    return found
