"""Level of detail against a plain merge of one row after another."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from hypothesis import example, given, settings, strategies as st

from sidelight.analysis.timelines.drawn import Placed
from sidelight.analysis.timelines.spans import NOTHING_MERGED, LaneSpans, Spans
from sidelight.analysis.timelines.whole_spans import whole_spans

Row = tuple[int, int]
"""Start and end."""


@st.composite
def lanes(draw: st.DrawFn) -> list[list[Row]]:
    """Lanes of rows that follow one another, close together or far apart, short or long."""
    length = st.one_of(st.integers(0, 3), st.integers(0, 40), st.sampled_from((64, 128, 1000)))
    found: list[list[Row]] = []
    for _ in range(draw(st.integers(0, 3))):
        lengths = draw(st.lists(st.tuples(length, length), min_size=1, max_size=25))
        edges = list(accumulate(part for pair in lengths for part in pair))
        found.append(list(zip(edges[::2], edges[1::2], strict=True)))
    return found


@dataclass
class Merged:
    """A span, as the plain merge makes it."""

    lane: int
    rows: list[int]


def plain_merge(
    rows: list[Row], lane_of: list[int], from_ns: int, to_ns: int, bin_ns: int | None
) -> list[Merged]:
    merged: list[Merged] = []
    for number, (start, end) in enumerate(rows):
        if not (start < to_ns and (end > from_ns or start >= from_ns)):
            continue
        last = merged[-1] if merged else None
        if last and bin_ns and last.lane == lane_of[number]:
            before = rows[last.rows[-1]]
            both_short = end - start < bin_ns and before[1] - before[0] < bin_ns
            if both_short and before[0] // bin_ns == start // bin_ns:
                last.rows.append(number)
                continue
        merged.append(Merged(lane_of[number], [number]))
    return merged


def index_of(found: list[list[Row]]) -> tuple[LaneSpans, list[Row], list[int]]:
    rows = [row for lane in found for row in lane]
    lane_of = [number for number, lane in enumerate(found) for _ in lane]
    firsts = [0, *accumulate(map(len, found))][: len(found)]
    starts = np.array([start for start, _ in rows], np.int64)
    ends = np.array([end for _, end in rows], np.int64)
    return LaneSpans(np.array(firsts, np.int64), starts, ends), rows, lane_of


def check(spans: Spans, rows: list[Row], expected: list[Merged]) -> None:
    def duration(row: int) -> int:
        return rows[row][1] - rows[row][0]

    assert spans.lane.tolist() == [span.lane for span in expected]
    assert spans.merged.tolist() == [len(span.rows) for span in expected]
    assert spans.start_ns.tolist() == [rows[span.rows[0]][0] for span in expected]
    assert spans.end_ns.tolist() == [rows[span.rows[-1]][1] for span in expected]
    assert spans.busy_ns.tolist() == [sum(map(duration, span.rows)) for span in expected]
    assert spans.row.tolist() == [max(span.rows, key=duration) for span in expected]


@settings(max_examples=400)
@given(lanes(), st.integers(0, 900), st.integers(1, 900), st.integers(NOTHING_MERGED, 12))
@example([[(0, 1), (1, 2), (2, 70), (70, 71)]], 0, 100, 6)
def test_windows_are_as_a_plain_merge_says(
    found: list[list[Row]], from_ns: int, length_ns: int, level: int
) -> None:
    index, rows, lane_of = index_of(found)
    to_ns = from_ns + length_ns
    spans, used = index.window(from_ns, to_ns, finest=level, most=10**6)
    assert used == level
    bin_ns = None if level == NOTHING_MERGED else 1 << level
    expected = plain_merge(rows, lane_of, from_ns, to_ns, bin_ns)
    check(spans, rows, expected)
    touching = [row for row in rows if row[0] < to_ns and (row[1] > from_ns or row[0] >= from_ns)]
    assert spans.merged.sum() == len(touching)
    assert spans.busy_ns.sum() == sum(end - start for start, end in touching)
    if bin_ns:
        most = length_ns // bin_ns + 2 + 1  # bins that it cuts, and a row that reaches into it
        assert all(count <= most for count in np.bincount(spans.lane))


@settings(max_examples=100)
@given(lanes(), st.integers(1, 30))
def test_too_many_spans_make_the_level_coarser(found: list[list[Row]], most: int) -> None:
    index, rows, lane_of = index_of(found)
    spans, level = index.window(0, 10**5, finest=NOTHING_MERGED, most=most)
    assert len(spans) <= max(most, len(found))
    if level != NOTHING_MERGED:
        assert len(plain_merge(rows, lane_of, 0, 10**5, (1 << level) >> 1 or None)) > most


@settings(max_examples=200)
@given(lanes(), st.integers(1, 30), st.integers(NOTHING_MERGED, 8), st.integers(0, 4))
def test_spans_of_a_whole_timeline_are_as_a_plain_merge_says(
    found: list[list[Row]], most: int, finest: int, coarser: int
) -> None:
    _, rows, lane_of = index_of(found)
    # Two lanes a track, and the events of a track in the order of their starts.
    row_of = sorted(range(len(rows)), key=lambda row: (lane_of[row] // 2, rows[row][0]))
    placed = Placed(
        track=np.array([lane_of[row] // 2 for row in row_of], np.int64),
        depth=np.array([lane_of[row] % 2 for row in row_of], np.int64),
        start_ns=np.array([rows[row][0] for row in row_of], np.int64),
        end_ns=np.array([rows[row][1] for row in row_of], np.int64),
    )
    gathered, level = whole_spans(placed, finest=finest, most=most)
    assert len(gathered) <= max(most, len(found))
    if level > finest:
        assert len(plain_merge(rows, lane_of, 0, 10**5, (1 << level) >> 1 or None)) > most
    for each in (level, level + coarser):
        spans = gathered.at(each)
        check(
            Spans(
                lane=2 * spans.track + spans.depth,
                start_ns=spans.start_ns,
                end_ns=spans.end_ns,
                busy_ns=spans.busy_ns,
                merged=spans.merged,
                row=np.array([row_of[event] for event in spans.event.tolist()], np.int64),
            ),
            rows,
            plain_merge(rows, lane_of, 0, 10**5, None if each == NOTHING_MERGED else 1 << each),
        )
