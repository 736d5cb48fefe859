"""The innermost row around each row: a plain search from every row is right."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sidelight.analysis import innermost
from sidelight.analysis.innermost import innermost_around

# (start, duration, whether others may be in it): small numbers, so that boundaries coincide.
ROW = st.tuples(st.integers(0, 12), st.integers(0, 9), st.booleans())


def searched(rows: list[tuple[int, int, bool]]) -> tuple[list[int], list[int]]:
    """For each row, the last row before it that others may be in, is open, and contains it."""
    parents: list[int] = []
    outlasting: list[int] = []
    for row, (start, duration, _) in enumerate(rows):
        is_open = [
            other
            for other in range(row)
            if rows[other][2] and rows[other][0] + rows[other][1] > start
        ]
        contains = [o for o in is_open if rows[o][0] + rows[o][1] >= start + duration]
        parents.append(contains[-1] if contains else -1)
        if is_open and (not contains or contains[-1] != is_open[-1]):
            outlasting.append(row)
    return parents, outlasting


@pytest.mark.parametrize("worth_sorting", [0, 1000])
@settings(max_examples=400)
@given(rows=st.lists(ROW, max_size=14))
def test_every_row_is_in_the_last_row_that_contains_it(
    worth_sorting: int, rows: list[tuple[int, int, bool]]
) -> None:
    rows = sorted(rows, key=lambda row: (row[0], -row[1]))
    start_ns = np.array([start for start, _, _ in rows], np.int64)
    end_ns = start_ns + np.array([duration for _, duration, _ in rows], np.int64)
    encloses = np.array([is_outer for _, _, is_outer in rows], np.bool_)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(innermost, "_WORTH_SORTING", worth_sorting)
        parents, outlasting = innermost_around(start_ns, end_ns, encloses)
    assert (parents.tolist(), outlasting.tolist()) == searched(rows)


def test_a_long_track_with_one_overlap_is_as_right_as_one_without() -> None:
    rows = [(10 * number, 9, True) for number in range(400)]
    inner = [(10 * number + 2, 4, number % 2 == 0) for number in range(400)]
    for overlapping in ([], [(2005, 7, True)]):
        every = sorted([*rows, *inner, *overlapping], key=lambda row: (row[0], -row[1]))
        start_ns = np.array([start for start, _, _ in every], np.int64)
        end_ns = start_ns + np.array([duration for _, duration, _ in every], np.int64)
        encloses = np.array([is_outer for _, _, is_outer in every], np.bool_)
        parents, outlasting = innermost_around(start_ns, end_ns, encloses)
        assert (parents.tolist(), outlasting.tolist()) == searched(every)
