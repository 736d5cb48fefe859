"""Lanes: nothing is drawn over anything else, and nested rows lie below what holds them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from sidelight.analysis.timelines import lanes
from sidelight.analysis.timelines.lanes import MOST_DEPTHS, lane_depths

Interval = tuple[int, int]


def depths_of(intervals: list[Interval], tracks: list[int] | None = None) -> list[int]:
    """Depths of intervals that are in order."""
    track = np.array(tracks or [0] * len(intervals), np.int64)
    starts = np.array([start for start, _ in intervals], np.int64)
    ends = np.array([end for _, end in intervals], np.int64)
    return lane_depths(track, starts, ends).tolist()


def in_order(intervals: list[Interval]) -> list[Interval]:
    return sorted(intervals, key=lambda interval: (interval[0], -interval[1]))


def contains(outer: Interval, inner: Interval) -> bool:
    return outer[0] <= inner[0] < outer[1] and inner[1] <= outer[1]


anything = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda pair: (pair[0], sum(pair))),
    max_size=30,
).map(in_order)


@st.composite
def nested(draw: st.DrawFn) -> list[Interval]:
    """Intervals of which any two are nested or apart."""
    found: list[Interval] = [(0, 100)]
    for _ in range(draw(st.integers(0, 20))):
        outer = draw(st.sampled_from(found))
        taken = [inner for inner in found if inner != outer and contains(outer, inner)]
        start = draw(st.integers(outer[0], outer[1]))
        end = draw(st.integers(start, outer[1]))
        if all(end <= other[0] or other[1] <= start for other in taken):
            found.append((start, end))
    return in_order(found)


@settings(max_examples=300)
@given(anything)
def test_rows_of_one_depth_never_overlap_and_what_holds_a_row_is_above_it(
    intervals: list[Interval],
) -> None:
    depths = depths_of(intervals)
    for row, (interval, depth) in enumerate(zip(intervals, depths, strict=True)):
        for other in range(row):
            before = intervals[other]
            if contains(before, interval):
                assert depths[other] < depth
            elif depths[other] == depth:
                assert before[1] <= interval[0]


@settings(max_examples=300)
@given(nested())
def test_nested_rows_are_as_deep_as_the_rows_around_them_are_many(
    intervals: list[Interval],
) -> None:
    around = [
        sum(contains(before, interval) for before in intervals[:row])
        for row, interval in enumerate(intervals)
    ]
    assert depths_of(intervals) == around


def test_rows_that_overlap_like_stairs_do_not_climb_down_for_ever() -> None:
    stairs = [(10 * number, 10 * number + 15) for number in range(1000)]
    assert max(depths_of(stairs)) == 1


def test_tracks_do_not_know_each_other() -> None:
    intervals = [(0, 10), (2, 5), (0, 10), (2, 15)]
    assert depths_of(intervals, [0, 0, 1, 1]) == [0, 1, 0, 1]
    assert depths_of([]) == []


def test_what_is_too_deep_is_in_no_lane() -> None:
    count = MOST_DEPTHS + 10
    nest = [(number, 2 * count - number) for number in range(count)]
    assert depths_of(nest) == [min(number, MOST_DEPTHS) for number in range(count)]
    one_by_one = lanes._one_by_one([1, *(0,) * count], [2, *(9,) * count])  # pyright: ignore[reportPrivateUsage]
    assert max(one_by_one) == MOST_DEPTHS
