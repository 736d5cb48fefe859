"""Collectives: their times against plain statistics, and what is known of each."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from profiles import Event, make_profile
from test_oracle import BOUNDED

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.collectives.operations import kind_of
from sidelight.analysis.collectives.report import MOST_POINTS, Collectives, collectives_of
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import Track
from sidelight.profile.tables import Category

ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
NAMES = (ALL_REDUCE, "ncclDevKernel_AllGather_RING_LL", "kernel_a")
TRACE = (
    Path(__file__).parents[4]
    / "shared/traces/torch/hta__cpu_only_rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz"
)


def found_in(events: list[Event]) -> Collectives | None:
    return collectives_of(attribute(make_profile(events, [(0, 10**9)])))


def one_after_another(named: list[tuple[str, int]]) -> list[Event]:
    """Device rows of these names and durations, each a while after the other."""
    events: list[Event] = []
    for name, duration_ns in named:
        start_ns = events[-1].end_ns + 10 if events else 0
        events.append(Event(Category.DEVICE, start_ns, duration_ns, name, 3))
    return events


@BOUNDED
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 60)), min_size=1, max_size=30))
def test_times_are_as_plain_statistics_have_them(named: list[tuple[str, int]]) -> None:
    found = found_in(one_after_another(named))
    times: defaultdict[str, list[int]] = defaultdict(list)
    for name, duration_ns in named:
        if name.startswith("nccl"):
            times[name].append(duration_ns)
    assert {group.name for group in (found.groups if found else ())} == set(times)
    for group in found.groups if found else ():
        of_group = times[group.name]
        q1, median, q3 = (
            statistics.quantiles(of_group, n=4, method="inclusive")
            if len(of_group) > 1
            else of_group * 3
        )
        assert (group.count, group.total_ns) == (len(of_group), sum(of_group))
        assert (group.min_ns, group.max_ns) == (min(of_group), max(of_group))
        assert (group.q1_ns, group.median_ns, group.q3_ns) == pytest.approx((q1, median, q3))
        reach = 1.5 * (q3 - q1)
        outside = [time for time in of_group if not q1 - reach <= time <= q3 + reach]
        if len(of_group) < 4:
            outside = []
        assert group.outliers == len(outside)
        inside = [time for time in of_group if time not in outside]
        assert (group.low_ns, group.high_ns) == (min(inside), max(inside))
    if found:
        told = [(found.groups[point.group].name, point.duration_ns) for point in found.points]
        assert told == [each for each in named if each[0].startswith("nccl")]
        totals = [group.total_ns for group in found.groups]
        assert totals == sorted(totals, reverse=True)


def test_an_outlier_is_told_by_its_place() -> None:
    found = found_in(one_after_another([(ALL_REDUCE, ns) for ns in (10, 11, 10, 90, 11, 10)]))
    assert found is not None
    assert (found.where, found.groups[0].kind, found.groups[0].outliers) == (
        "device",
        "all-reduce",
        1,
    )
    assert [point.duration_ns for point in found.points if point.is_outlier] == [90]
    assert (found.groups[0].low_ns, found.groups[0].high_ns) == (10, 11)
    # Nothing tells how large they are, nor how many ranks there are.
    assert (found.groups[0].size_bytes, found.groups[0].ranks) == (None, None)
    assert found.groups[0].median_bytes_per_s is None


def test_of_more_than_can_be_shown_all_outliers_are() -> None:
    times = [10] * (MOST_POINTS * 2) + [99]
    found = found_in(one_after_another([(ALL_REDUCE, ns) for ns in times]))
    assert found is not None
    assert (len(found.points), found.points_left_out) == (MOST_POINTS, len(times) - MOST_POINTS)
    assert found.points[-1].duration_ns == 99
    starts = [point.start_ns for point in found.points]
    assert starts == sorted(starts)
    assert starts[1] - starts[0] == starts[-2] - starts[-3] == 40


def test_a_core_tells_sizes_and_ranks() -> None:
    builder = ProfileBuilder()
    track = builder.tracks.code(Track("device", "cc", "nc0", "cc", "collective"))
    operands = builder.strings.code("algorithm=mesh replica_group=[[0,1,2,3],[4,5,6,7]]")
    builder.add_rows(
        {
            "track": [track] * 2,
            "category": [Category.ENGINE_WORK] * 2,
            "name": [builder.strings.code("AllGather")] * 2,
            "start_ns": [0, 50],
            "duration_ns": [20, 40],
        },
        work={"moved_bytes": [4096, -1], "operands": [operands, -1]},
    )
    found = collectives_of(attribute(builder.build(new_manifest("core", "test", []), "it")))
    assert found is not None
    assert [(each.size_bytes, each.ranks, each.total_ns) for each in found.groups] == [
        (None, None, 40),
        (4096, 4, 20),
    ]
    assert found.groups[1].median_bytes_per_s == 4096 / 20e-9


def test_what_operators_are_given_tells_sizes_and_ranks() -> None:
    functional, of_group = "_c10d_functional::all_gather_into_tensor", "c10d::_allgather_base_"
    profile = make_profile(
        [
            Event(Category.OPERATOR, 0, 5, functional, external_id=1),
            Event(Category.OPERATOR, 10, 5, of_group, external_id=2),
            Event(Category.DEVICE, 20, 30, NAMES[1], 3, external_id=1),
            Event(Category.DEVICE, 60, 20, NAMES[1], 3, external_id=2),
        ],
        [(0, 100)],
    )
    given: dict[str, object] = {
        functional: {
            "Input Dims": [[4, 2], [], []],
            "Input type": ["float", "Scalar", ""],
            "Concrete Inputs": ["", "8", "0"],
        },
        of_group: {"Input Dims": [[64, 2], [4, 2]], "Input type": ["float", "float"]},
    }
    for row, name in enumerate(profile.events["name"].tolist()):
        if profile.strings[name] in given:
            profile.events["signature"][row] = len(profile.strings)
            profile.strings.append(json.dumps(given[profile.strings[name]]))
    profile.manifest.world_size = 16
    found = collectives_of(attribute(profile))
    assert found is not None
    # 4 x 2 floats of each of 8 ranks; and 64 x 2, of as many as there are.
    assert [(each.total_ns, each.size_bytes, each.ranks) for each in found.groups] == [
        (30, 8 * 4 * 2 * 4, 8),
        (20, 64 * 2 * 4, 16),
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("c10d::allreduce_", "all-reduce"),
        ("c10d::_reduce_scatter_base_", "reduce-scatter"),
        ("_c10d_functional::all_gather_into_tensor", "all-gather"),
        ("ncclDevKernel_SendRecv", "send and receive"),
        ("gloo:broadcast", "broadcast"),
        ("c10d::alltoall_base_", "all-to-all"),
        ("Collective-Compute", "Collective-Compute"),
    ],
)
def test_kinds(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_without_collectives_there_is_nothing_to_tell() -> None:
    assert found_in(one_after_another([("kernel_a", 5)])) is None


@pytest.mark.skipif(not TRACE.exists(), reason="the real traces are not here")
def test_those_of_a_library_on_the_host() -> None:
    found = collectives_of(attribute(ingest.read(TRACE)))
    assert found is not None
    assert (found.where, [(each.kind, each.count) for each in found.groups]) == (
        "host",
        [("all-reduce", 10)],
    )
