"""Which row encloses which, on one track after another."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sidelight.analysis.innermost import innermost_around
from sidelight.profile.tables import Category, Table

IntColumn = npt.NDArray[np.int64]
Indexes = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]


def user_code_rows(events: Table) -> Mask:
    """Which rows are user code, at the finest level there is: exact lines, else function calls."""
    category = events["category"]
    is_line = category == Category.LINE
    return is_line if is_line.any() else (category == Category.FUNCTION) & (events["frame"] >= 0)


def operator_rows(events: Table) -> Mask:
    """Which rows are operators, wherever they are computed."""
    return np.isin(events["category"], (Category.OPERATOR, Category.HOST_OPERATOR))


def enclosing_rows(events: Table) -> Mask:
    """Which rows others may be nested in: operators and user code.

    Annotations and calls of the runtime enclose nothing.
    """
    return user_code_rows(events) | operator_rows(events)


class Nesting(NamedTuple):
    """Which row encloses which.

    Attributes:
        parent: Index of each row's parent, -1 for none.
        outlasting: The rows that end after the innermost one that they began in.
    """

    parent: IntColumn
    outlasting: IntColumn


def nest(track: IntColumn, start_ns: IntColumn, end_ns: IntColumn, encloses: Mask) -> Nesting:
    """Find each row's parent: the last-started row of its track that contains it whole.

    Rows that only overlap are not parents of one another. A row that ends where another starts
    does not contain it, so that a row of no duration at a boundary belongs outside.

    Args:
        track: Track of each row. Rows are sorted by track, start, and longest first.
        start_ns: Start of each row.
        end_ns: End of each row.
        encloses: Whether a row may be a parent; the others only have one.
    """
    parent = np.full(len(track), -1, np.int64)
    outlasting: list[IntColumn] = [np.zeros(0, np.int64)]
    first_rows = np.flatnonzero(np.diff(track, prepend=-1)).tolist()
    for first, stop in pairwise([*first_rows, len(track)]):
        rows = slice(first, stop)
        around, outlasts = innermost_around(start_ns[rows], end_ns[rows], encloses[rows])
        parent[rows] = np.where(around >= 0, around + first, -1)
        outlasting.append(outlasts + first)
    return Nesting(parent, np.concatenate(outlasting))


def nested_parts(
    start_ns: IntColumn, end_ns: IntColumn, parent: Indexes
) -> tuple[Indexes, IntColumn, IntColumn]:
    """The parts of rows that the rows nested directly in them take up.

    Args:
        start_ns: Start of each row.
        end_ns: End of each row.
        parent: Index of the row around it as :func:`nest` finds it, -1 for none. Whatever has a
            parent here was itself allowed to be one there.

    Returns:
        ``(owner, starts, ends)``: intervals, ascending by owner and start. Those of one owner
        never overlap: where nested rows do, the later one gives its remainder only.
    """
    rows = np.flatnonzero(parent >= 0)
    rows = rows[np.argsort(parent[rows], kind="stable")]
    owner, starts, ends = parent[rows], start_ns[rows], end_ns[rows]
    # Of two rows with one parent the later ends later, or it would be nested in the other.
    same_owner = owner[1:] == owner[:-1]
    starts[1:] = np.where(same_owner, np.maximum(starts[1:], ends[:-1]), starts[1:])
    return owner, starts, ends


def time_without_nested(start_ns: IntColumn, end_ns: IntColumn, parent: Indexes) -> IntColumn:
    """Duration of each row less the union of the rows nested directly in it, in nanoseconds.

    Args:
        start_ns: Start of each row.
        end_ns: End of each row.
        parent: As for :func:`nested_parts`.
    """
    own_ns = end_ns - start_ns
    owner, starts, ends = nested_parts(start_ns, end_ns, parent)
    if len(owner):
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        own_ns[owner[first]] -= np.add.reduceat(ends - starts, first)
    return own_ns


def outermost_above(above: Indexes) -> IntColumn:
    """Where a walk from each row upwards ends.

    Args:
        above: The row to go on to from each, -1 to stay; no walk comes back to where it was.
    """
    every_row = np.arange(len(above))
    end = np.where(above >= 0, above, every_row)
    while True:
        # Each round doubles how far a walk has come.
        further = end[end]
        if (further == end).all():
            return end
        end = further
