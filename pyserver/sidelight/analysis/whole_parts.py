"""Divides whole nanoseconds so that the parts are whole, too, and add up exactly."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.nesting import Indexes, IntColumn

MEMBERS_AT_ONCE: Final = 1 << 20
"""Members that are divided at a time: whole groups, so a few more where a group has them."""


def largest_remainders(
    group: Indexes, ticks: IntColumn, ticks_per_ns: int, total_ns: IntColumn
) -> IntColumn:
    """Round parts to whole nanoseconds that add up to their groups' totals.

    Each gets its whole nanoseconds; what is left of the total goes, one by one, to those that lost
    most by that, the first of equals.

    Args:
        group: The group of each part, ascending from 0 on.
        ticks: What each should get, in ticks. A group's parts add up to its total, or to a little
            less where ticks were too coarse for them.
        ticks_per_ns: How long a tick is.
        total_ns: What the parts of each group are to add up to.

    Returns:
        Nanoseconds for each part. A group without parts gives nothing, whatever its total.
    """
    whole_ns, lost = np.divmod(ticks, ticks_per_ns)
    parts = np.bincount(group, minlength=len(total_ns))
    given_ns = np.zeros(len(total_ns), np.int64)
    np.add.at(given_ns, group, whole_ns)
    left_ns = total_ns - given_ns
    order = np.lexsort((-lost, group))
    first = np.concatenate(([0], np.cumsum(parts)))[group]
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - first[order]
    each_ns, more = np.divmod(left_ns[group], parts[group])
    return whole_ns + each_ns + (rank < more)


def running_remainders(group: Indexes, weight: IntColumn, total_ns: IntColumn) -> IntColumn:
    """Divide each group's total over its members by weight, in whole nanoseconds.

    What has been given up to the end of each member is rounded, not what it gets, so that many
    small parts come out right together. Where nothing has a weight the last member gets all.

    Args:
        group: The group of each member, ascending.
        weight: By what to divide, 0 or more.
        total_ns: What each group has; every group that is named has an entry.
    """
    given_ns = np.empty(len(group), np.int64)
    start = 0
    while start < len(group):
        last = min(start + MEMBERS_AT_ONCE, len(group)) - 1
        stop = int(np.searchsorted(group, int(group[last]), side="right"))
        given_ns[start:stop] = _remainders(group[start:stop], weight[start:stop], total_ns)
        start = stop
    return given_ns


def _remainders(group: Indexes, weight: IntColumn, total_ns: IntColumn) -> IntColumn:
    first = np.flatnonzero(np.diff(group, prepend=-1))
    last = np.append(first[1:], len(group)) - 1
    member_of = np.repeat(np.arange(len(first)), last - first + 1)
    passed = np.cumsum(weight)  # sums of many groups may wrap around; differences do not
    passed -= (passed[first] - weight[first])[member_of]
    part = passed / np.maximum(passed[last], 1)[member_of]
    total = total_ns[group]
    given_ns = np.minimum(np.rint(part * total).astype(np.int64), total)
    given_ns[last] = total[last]
    before_ns = np.concatenate((np.zeros(1, np.int64), given_ns[:-1]))
    before_ns[first] = 0
    return given_ns - before_ns
