"""Which lane of its track each event is drawn in: nested ones below what holds them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask

MOST_DEPTHS = 4096
"""What would lie deeper is in no lane: nobody looks so far down."""


def lane_depths(track: IntColumn, start_ns: IntColumn, end_ns: IntColumn) -> IntColumn:
    """The depth of each row in its track, 0 on top; ``MOST_DEPTHS`` for what is in no lane.

    A row lies below all rows that contain it, and no two of a track and depth overlap: of rows
    that do so only partly, the later one goes to the uppermost depth that is free.

    Args:
        track: Track of each row. Rows are sorted by track, start, and longest first.
        start_ns: Start of each row.
        end_ns: End of each row.
    """
    depth = np.zeros(len(track), np.int64)
    for first, stop in pairwise(track_bounds(track)):
        rows = slice(first, stop)
        depth[rows] = _of_track(start_ns[rows], end_ns[rows])
    return np.minimum(depth, MOST_DEPTHS)


def track_bounds(track: IntColumn) -> list[int]:
    """Where the rows of each track begin, and where the last one's end.

    Args:
        track: Track of each row, ascending.
    """
    return [0, *(np.flatnonzero(track[1:] != track[:-1]) + 1).tolist(), len(track)]


def _of_track(start_ns: IntColumn, end_ns: IntColumn) -> IntColumn:
    if (start_ns[1:] >= end_ns[:-1]).all():
        return np.zeros(len(start_ns), np.int64)  # they follow one another, as a queue's rows do
    depth = _open_before(start_ns, end_ns)
    overlaps = _overlapping(depth, end_ns)
    if overlaps.any():
        # Where nothing is open a new island begins; only those with overlaps need the slow way.
        starts = np.flatnonzero(depth == 0)
        bounds = np.append(starts, len(depth))
        for island in np.flatnonzero(np.logical_or.reduceat(overlaps, starts)):
            rows = slice(int(bounds[island]), int(bounds[island + 1]))
            depth[rows] = _one_by_one(start_ns[rows].tolist(), end_ns[rows].tolist())
    return depth


def _open_before(start_ns: IntColumn, end_ns: IntColumn) -> IntColumn:
    """How many earlier rows are still open where each starts: its depth if all are nested."""
    ended = np.searchsorted(np.sort(end_ns), start_ns, side="right")
    is_instant = start_ns == end_ns
    if is_instant.any():
        # Rows of no duration end where they start; the row itself and later ones were not earlier.
        instants_before = np.concatenate(([0], np.cumsum(is_instant)))
        last_of_start = np.searchsorted(start_ns, start_ns, side="right")
        ended -= instants_before[last_of_start] - instants_before[:-1]
    return np.arange(len(start_ns)) - ended


def _overlapping(depth: IntColumn, end_ns: IntColumn) -> Mask:
    """Which rows end after the row that they would be nested in at these depths.

    Before the first such row of an island all rows are nested, so that none is missed.
    """
    rows = np.arange(len(depth))
    by_depth = np.argsort(depth, kind="stable")
    keys = depth * len(depth) + rows
    # The last earlier row that is one less deep.
    around = np.searchsorted(keys[by_depth], keys - len(depth)) - 1
    return (depth > 0) & (end_ns > end_ns[by_depth[around]])


def _one_by_one(start_ns: list[int], end_ns: list[int]) -> list[int]:
    depths: list[int] = []
    end_by_depth: list[int] = []
    for start, end in zip(start_ns, end_ns, strict=True):
        while end_by_depth and end_by_depth[-1] <= start:
            end_by_depth.pop()
        depth = len(end_by_depth)
        while depth and not (end_by_depth[depth - 1] >= end and end_by_depth[depth - 1] > start):
            depth -= 1  # what is there does not contain this row
        while depth < len(end_by_depth) and end_by_depth[depth] > start:
            depth += 1  # what is there overlaps it
        depths.append(depth)
        if depth < len(end_by_depth):
            end_by_depth[depth] = end
        elif depth < MOST_DEPTHS:
            end_by_depth.append(end)
    return depths
