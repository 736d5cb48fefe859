"""How long collectives take, by what they are and how large.

Quartiles are interpolated linearly between the times in order. What lies more than one and a half
interquartile ranges beyond them is an outlier (J. W. Tukey, Exploratory Data Analysis, 1977), where
there are enough times to have quartiles of their own.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.analysis.collectives.operations import (
    UNKNOWN,
    Operations,
    Where,
    kind_of,
    operations,
)
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.manifest import TimeKind
from sidelight.profile.model import Profile

MOST_POINTS: Final = 5_000
"""Collectives that are told one by one."""

_REACH: Final = 1.5
_FEWEST: Final = 4


class CollectiveGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Collectives of one name, size and number of ranks.

    Attributes:
        name: As the profile has it.
        kind: What people call it, such as ``all-reduce``.
        size_bytes: The larger of what a rank gives and what it gets; None where not known.
        ranks: How many ranks take part: all of the run's, where nothing tells of a smaller group;
            None likewise.
        count: How many there are in the recorded steps.
        total_ns: Their times, summed.
        min_ns: The shortest time.
        q1_ns: The first quartile.
        median_ns: The median.
        q3_ns: The third quartile.
        max_ns: The longest time.
        low_ns: The shortest that is no outlier: where a box plot's lower whisker ends.
        high_ns: The longest that is none, likewise.
        outliers: How many lie beyond the whiskers.
        median_bytes_per_s: Their size over the median time; None where either is not known.
    """

    name: str
    kind: str
    size_bytes: int | None
    ranks: int | None
    count: int
    total_ns: int
    min_ns: int
    q1_ns: float
    median_ns: float
    q3_ns: float
    max_ns: int
    low_ns: int
    high_ns: int
    outliers: int
    median_bytes_per_s: float | None


class CollectivePoint(msgspec.Struct, frozen=True):
    """One collective.

    Attributes:
        group: Index of its group.
        start_ns: When it began, from the profile's start.
        duration_ns: How long it took, waiting for other ranks included.
        size_bytes: As its group's.
        is_outlier: Whether it is one of its group's outliers.
    """

    group: int
    start_ns: int
    duration_ns: int
    size_bytes: int | None
    is_outlier: bool


class Collectives(msgspec.Struct, frozen=True, kw_only=True):
    """The collectives of the recorded steps.

    Attributes:
        where: Whether the device's rows tell of them, or only the host's.
        time_kind: Whether their times are measured.
        groups: By name, size and ranks, longest in total first.
        points: One by one, in order of their starts; of more than can be shown all outliers, and
            of the others as many as there is room for, evenly through the run.
        points_left_out: How many are in no point.
    """

    where: Where
    time_kind: TimeKind
    groups: list[CollectiveGroup]
    points: list[CollectivePoint]
    points_left_out: int


def collectives_of(profile: Profile) -> Collectives | None:
    """Say how long the collectives of the recorded steps take.

    Args:
        profile: An attributed profile.

    Returns:
        None where there are none.
    """
    if not len(profile.events):
        return None
    found = operations(profile)
    if not len(found.row):
        return None
    events = profile.events
    duration_ns = events["duration_ns"][found.row]
    is_outlier = np.zeros(len(found.row), np.bool_)
    group_of = np.zeros(len(found.row), np.int64)
    groups: list[CollectiveGroup] = []
    for number, rows in enumerate(_alike(found, events["name"][found.row], duration_ns)):
        outlying = _outliers(duration_ns[rows])
        is_outlier[rows], group_of[rows] = outlying, number
        first = int(rows[0])
        name = profile.strings[int(events["name"][found.row[first]])]
        size_bytes, ranks = int(found.size_bytes[first]), int(found.ranks[first])
        groups.append(_group(name, size_bytes, ranks, duration_ns[rows], outlying))
    shown = _shown(is_outlier)
    columns = (
        group_of[shown].tolist(),
        events["start_ns"][found.row[shown]].tolist(),
        duration_ns[shown].tolist(),
        [_known(size) for size in found.size_bytes[shown].tolist()],
        is_outlier[shown].tolist(),
    )
    return Collectives(
        where=found.where,
        time_kind=profile.manifest.time_kind,
        groups=groups,
        points=[CollectivePoint(*values) for values in zip(*columns, strict=True)],
        points_left_out=len(found.row) - len(shown),
    )


def _alike(found: Operations, names: IntColumn, duration_ns: IntColumn) -> list[IntColumn]:
    """The collectives of each group, the group with most time first."""
    keys = (names, found.size_bytes, found.ranks)
    order = np.lexsort(keys)
    is_next = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    groups = np.split(order, np.flatnonzero(is_next) + 1)
    # In a group they stay in order of their starts: sorting is stable.
    return sorted(groups, key=lambda rows: -int(duration_ns[rows].sum()))


def _group(
    name: str, size_bytes: int, ranks: int, duration_ns: IntColumn, outlying: Mask
) -> CollectiveGroup:
    q1_ns, median_ns, q3_ns = (float(value) for value in _quartiles(duration_ns))
    size = _known(size_bytes)
    return CollectiveGroup(
        name=name,
        kind=kind_of(name),
        size_bytes=size,
        ranks=_known(ranks),
        count=len(duration_ns),
        total_ns=int(duration_ns.sum()),
        min_ns=int(duration_ns.min()),
        q1_ns=q1_ns,
        median_ns=median_ns,
        q3_ns=q3_ns,
        max_ns=int(duration_ns.max()),
        low_ns=int(duration_ns[~outlying].min()),
        high_ns=int(duration_ns[~outlying].max()),
        outliers=int(outlying.sum()),
        median_bytes_per_s=size * 1e9 / median_ns if size is not None and median_ns else None,
    )


def _quartiles(duration_ns: IntColumn) -> npt.NDArray[np.float64]:
    return np.quantile(duration_ns, (0.25, 0.5, 0.75))


def _outliers(duration_ns: IntColumn) -> Mask:
    """Which times lie beyond the whiskers."""
    if len(duration_ns) < _FEWEST:
        return np.zeros(len(duration_ns), np.bool_)
    q1_ns, _, q3_ns = _quartiles(duration_ns)
    reach_ns = _REACH * (q3_ns - q1_ns)
    return (duration_ns < q1_ns - reach_ns) | (duration_ns > q3_ns + reach_ns)


def _shown(is_outlier: Mask) -> IntColumn:
    """The collectives that are told one by one."""
    outliers, others = np.flatnonzero(is_outlier)[:MOST_POINTS], np.flatnonzero(~is_outlier)
    room = MOST_POINTS - len(outliers)
    if len(others) > room:
        others = others[np.arange(room) * len(others) // max(room, 1)]
    return np.sort(np.concatenate((outliers, others)))


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value
