"""The innermost row around each row of one track: found for all rows at once where that can be."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

IntColumn = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_WORTH_SORTING: Final = 256
"""Fewer rows are faster walked through than sorted."""


def innermost_around(
    start_ns: IntColumn, end_ns: IntColumn, encloses: Mask
) -> tuple[IntColumn, IntColumn]:
    """Find the last-started row that contains each row whole.

    Args:
        start_ns: Start of each row; rows are sorted by it, and longest first.
        end_ns: End of each row.
        encloses: Whether others may be in a row.

    Returns:
        Index of that row, -1 for none; and the rows that end after the innermost one that they
        began in.
    """
    if len(start_ns) >= _WORTH_SORTING:
        found = _all_at_once(start_ns, end_ns, encloses)
        if found is not None:
            return found
    return _one_by_one(start_ns, end_ns, encloses)


def _all_at_once(
    start_ns: IntColumn, end_ns: IntColumn, encloses: Mask
) -> tuple[IntColumn, IntColumn] | None:
    """By sorting; None where rows that others may be in overlap in part.

    Where they do not, those that are open when a row starts lie within one another. So the row
    around it is the last one before it that has one less around itself.
    """
    length = len(start_ns)
    is_outer = encloses & (end_ns > start_ns)  # nothing is in what has no duration
    outer = np.flatnonzero(is_outer)
    begun = np.cumsum(is_outer) - is_outer
    depth = begun - np.searchsorted(np.sort(end_ns[outer]), start_ns, side="right")
    inner = np.flatnonzero(depth > 0)
    inner = inner[np.argsort(depth[inner], kind="stable")]
    outer = outer[np.argsort(depth[outer], kind="stable")]
    # One number for a depth and a row, so that the row before another is found among those as deep.
    place_inside = (depth[inner] - 1) * length + inner
    parent = np.full(length, -1, np.int64)
    parent[inner] = outer[np.searchsorted(depth[outer] * length + outer, place_inside) - 1]
    outlasting = inner[end_ns[inner] > end_ns[parent[inner]]]
    if is_outer[outlasting].any():
        return None
    outlasting.sort()
    looking = outlasting
    while len(looking):  # further and further out
        parent[looking] = parent[parent[looking]]
        looking = looking[parent[looking] >= 0]
        looking = looking[end_ns[looking] > end_ns[parent[looking]]]
    return parent, outlasting


def _one_by_one(
    start_ns: IntColumn, end_ns: IntColumn, encloses: Mask
) -> tuple[IntColumn, IntColumn]:
    parents: list[int] = []
    outlasting: list[int] = []
    open_rows: list[int] = []
    open_ends: list[int] = []
    rows = zip(start_ns.tolist(), end_ns.tolist(), encloses.tolist(), strict=True)
    for row, (start, end, is_outer) in enumerate(rows):
        while open_ends and open_ends[-1] <= start:
            open_rows.pop()
            open_ends.pop()
        if not open_ends:
            parents.append(-1)
        elif open_ends[-1] >= end:
            parents.append(open_rows[-1])
        else:
            # The innermost open row ends within this one: look further out.
            outlasting.append(row)
            depth = len(open_ends) - 2
            while depth >= 0 and open_ends[depth] < end:
                depth -= 1
            parents.append(open_rows[depth] if depth >= 0 else -1)
        if is_outer:
            open_rows.append(row)
            open_ends.append(end)
    return np.asarray(parents, np.int64), np.asarray(outlasting, np.int64)
