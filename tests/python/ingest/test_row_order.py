"""The order of rows: what Python's own sort makes of it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from sidelight.ingest.row_order import row_order

START = st.one_of(st.integers(0, 5), st.integers(0, (1 << 62) - 1))
ROWS = st.lists(st.tuples(st.integers(0, 3), START, st.integers(0, 4)), max_size=20)


@given(rows=ROWS)
def test_rows_come_by_track_and_start_and_longest_first(rows: list[tuple[int, int, int]]) -> None:
    track = np.array([row[0] for row in rows], np.int32)
    start_ns = np.array([row[1] for row in rows], np.int64)
    duration_ns = np.array([row[2] for row in rows], np.int64)
    expected = sorted(
        range(len(rows)), key=lambda index: (*rows[index][:2], -rows[index][2], index)
    )
    assert row_order(track, start_ns, duration_ns).tolist() == expected
