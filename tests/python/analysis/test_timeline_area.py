"""Areas of the timeline, against a plain walk over all events."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from profiles import TRACKS, Event, Steps, make_profile, recordings
from test_oracle import BOUNDED
from test_real_traces import TRACES
from test_timeline import training_step

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.timelines import area as areas
from sidelight.analysis.timelines.area import AreaSummaries
from sidelight.analysis.timelines.told_types import Area
from sidelight.ingest import read
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


def busy_by_walk(intervals: list[tuple[int, int]], from_ns: int, to_ns: int) -> int:
    """The union, one interval after another."""
    busy_ns, reached_ns = 0, from_ns
    for start_ns, end_ns in sorted(intervals):
        begin_ns, stop_ns = max(start_ns, reached_ns), min(end_ns, to_ns)
        busy_ns += max(stop_ns - begin_ns, 0)
        reached_ns = max(reached_ns, stop_ns)
    return busy_ns


def check_area(profile: Profile, area: Area, tracks: list[int]) -> None:
    """Everything of an area by looking at each event in turn."""
    events = profile.events
    rows = [{name: int(events[name][row]) for name in events} for row in range(len(events))]
    # Where a device's rows take time, they are device time; else operators are, one in another.
    has_device = any(row["device_ns"] and row["category"] != Category.OPERATOR for row in rows)
    counted: list[tuple[int, int]] = []
    by_operator: Counter[str] = Counter()
    by_track: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        start_ns, end_ns = row["start_ns"], row["start_ns"] + row["duration_ns"]
        is_in = start_ns < area.to_ns and (end_ns > area.from_ns or start_ns >= area.from_ns)
        if not is_in or (tracks and row["track"] not in tracks):
            continue
        by_track.setdefault(row["track"], []).append((start_ns, end_ns))
        if row["device_ns"] if has_device else row["category"] == Category.OPERATOR:
            counted.append((start_ns, end_ns))
        inside_ns = min(end_ns, area.to_ns) - max(start_ns, area.from_ns)
        if row["device_ns"]:
            part_ns = row["device_ns"] * inside_ns // row["duration_ns"]
            by_operator[profile.strings[rows[row["operator"]]["name"]]] += part_ns
    assert area.events == sum(map(len, by_track.values()))
    assert {track.track: track.events for track in area.tracks} == {
        track: len(spans) for track, spans in by_track.items()
    }
    for track in area.tracks:
        spans = by_track[track.track]
        assert track.busy_ns == busy_by_walk(spans, area.from_ns, area.to_ns)
    every = [span for spans in by_track.values() for span in spans]
    assert area.busy_ns == busy_by_walk(every, area.from_ns, area.to_ns)
    assert area.device_time_ns == by_operator.total()
    named = {o.name: o.device_time_ns for o in area.operators if o.device_time_ns}
    assert named == {name: time_ns for name, time_ns in by_operator.items() if time_ns}
    assert area.device_busy_ns == busy_by_walk(counted, area.from_ns, area.to_ns)


@BOUNDED
@given(
    recordings(),
    st.integers(-10, 200),
    st.integers(1, 250),
    st.lists(st.integers(0, len(TRACKS)), max_size=3),
)
def test_an_area_is_what_a_walk_finds(
    recording: tuple[list[Event], Steps], from_ns: int, length_ns: int, tracks: list[int]
) -> None:
    profile = attribute(make_profile(*recording))
    area = AreaSummaries(profile).of(from_ns, from_ns + length_ns, tracks)
    check_area(profile, area, tracks)


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not here")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_areas_of_real_traces(path: Path) -> None:
    profile = attribute(read(path))
    summaries, events = AreaSummaries(profile), profile.events
    start_ns, end_ns = int(events["start_ns"].min()), int(events["start_ns"].max())
    third_ns = (end_ns - start_ns) // 3
    parts = [(start_ns, start_ns + third_ns), (start_ns + third_ns, end_ns + 10**12)]
    found = [summaries.of(*part, []) for part in parts]
    if len(events) < 100_000:
        for area in found:
            check_area(profile, area, [])
    whole = summaries.of(start_ns, end_ns + 10**12, [])
    assert whole.device_time_ns == int(events["device_ns"].sum())
    assert whole.events == len(events)
    # Two areas that meet have what both together have, but for the rounding of rows cut in two.
    apart_ns = sum(area.device_time_ns for area in found)
    assert abs(apart_ns - whole.device_time_ns) <= len(profile.tracks) * 4096
    assert sum(area.device_busy_ns for area in found) == whole.device_busy_ns


def test_an_area_of_a_step() -> None:
    profile = training_step()
    area = AreaSummaries(profile).of(0, 1000, [])
    report = line_report(profile, "")
    assert area.device_time_ns * 2 == report.device_time_ns == 260
    assert [(o.name, o.events, o.device_time_ns) for o in area.operators] == [
        ("aten::add", 1, 80),
        ("aten::mm", 1, 50),
    ]
    assert (area.events, area.device_busy_ns, area.attribution) == (6, 130, "exact")
    assert [(track.track, track.events, track.busy_ns) for track in area.tracks] == [
        (0, 4, 600),
        (3, 2, 130),
    ]


def test_a_kernel_that_the_edge_cuts_counts_by_its_part() -> None:
    area = AreaSummaries(training_step()).of(210, 300, [3])
    assert [(o.name, o.device_time_ns) for o in area.operators] == [
        ("aten::add", 40),
        ("aten::mm", 40),
    ]
    assert (area.busy_ns, area.device_busy_ns) == (80, 80)


def test_what_is_not_named_is_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas, "MOST_OPERATORS", 1)
    area = AreaSummaries(training_step()).of(0, 1000, [])
    assert [(o.name, o.device_time_ns) for o in area.operators] == [("aten::add", 80), (None, 50)]


@pytest.mark.parametrize("tracks", [[], [99], [0]])
def test_an_area_with_nothing_in_it(tracks: list[int]) -> None:
    area = AreaSummaries(training_step()).of(5000, 6000, tracks)
    assert (area.events, area.busy_ns, area.device_time_ns) == (0, 0, 0)
    assert (area.operators, area.engines, area.tracks) == ([], [], [])


@pytest.mark.parametrize(
    ("from_ns", "to_ns", "events"),
    [(0, 10**30, 12), (-(10**30), 10**30, 12), (10**30, -(10**30), 0), (500, 100, 1), (50, 50, 2)],
)
def test_odd_areas_are_answered(from_ns: int, to_ns: int, events: int) -> None:
    """However far out, and of a nanosecond at least: as windows are."""
    profile = training_step()
    area = AreaSummaries(profile).of(from_ns, to_ns, [])
    assert area.from_ns < area.to_ns
    assert area.events == events
    check_area(profile, area, [])
