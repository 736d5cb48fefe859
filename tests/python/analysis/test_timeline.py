"""The timeline: overview, windows as they are sent, details, and where a line is."""

from __future__ import annotations

import base64
import struct
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from profiles import TRACKS, Event, Steps, make_profile, recordings
from test_oracle import BOUNDED
from test_real_traces import TRACES

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.timelines.drawn_types import (
    MOST_SPANS,
    SPAN_COLUMNS,
    TimelineOverview,
    Window,
)
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.told_types import Details
from sidelight.ingest import read
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.tables import Category
from sidelight.server import protocol

Columns = dict[str, list[Any]]


FORMATS = {"float64": "d", "int32": "i", "uint32": "I", "uint16": "H", "uint8": "B"}


def decode(window: Window) -> Columns:
    """The columns of a window, as whoever draws it reads them."""
    content, position = base64.b64decode(window.spans), 0
    columns: Columns = {}
    for name, kind in SPAN_COLUMNS:
        layout = struct.Struct(f"<{window.count}{FORMATS[kind]}")
        columns[name] = list(layout.unpack_from(content, position))
        position += layout.size
    assert position == len(content)
    return columns


def manifest_of(profile: Profile) -> StoredManifest:
    return StoredManifest(
        **msgspec.structs.asdict(profile.manifest),
        device_time_ns=line_report(profile, "").device_time_ns,
        steps=len(profile.steps),
    )


def overview_of(profile: Profile) -> TimelineOverview:
    return TimelineIndex(profile).overview(manifest_of(profile))


@BOUNDED
@given(recordings(), st.integers(-10, 200), st.integers(1, 250), st.integers(1, 300))
def test_every_event_is_in_the_windows_it_touches(
    recording: tuple[list[Event], Steps], from_ns: int, length_ns: int, width: int
) -> None:
    profile = attribute(make_profile(*recording))
    window = TimelineIndex(profile).window(from_ns, from_ns + length_ns, width)
    check_window(profile, window)


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not here")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_windows_of_real_traces(path: Path) -> None:
    profile = attribute(read(path))
    index = TimelineIndex(profile)
    overview = index.overview(manifest_of(profile))
    length_ns = overview.end_ns - overview.start_ns
    for parts in (1, 7, 50):
        for part in {0, parts // 2, parts - 1}:
            from_ns = overview.start_ns + length_ns * part // parts
            window = index.window(from_ns, from_ns + length_ns // parts + 1, 1000)
            check_window(profile, window)
            assert window.count <= MOST_SPANS
    details = [index.event(event) for event in range(0, len(profile.events), 97)]
    assert all(detail.name and detail.start_ns >= overview.start_ns for detail in details)
    for line in line_report(profile, "").lines[:5]:
        assert index.line(line.file, line.line) is not None


def check_window(profile: Profile, window: Window) -> None:
    events = profile.events
    start_ns, duration_ns = events["start_ns"], events["duration_ns"]
    end_ns = start_ns + duration_ns
    touches = (start_ns < window.to_ns) & ((end_ns > window.from_ns) | (start_ns >= window.from_ns))
    columns = events_only(profile, decode(window))
    assert sum(columns["merged"]) == touches.sum()
    assert sum(columns["busy_ns"]) == duration_ns[touches].sum()
    lanes: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for span in zip(*columns.values(), strict=True):
        row = dict(zip(columns, span, strict=True))
        event = row["event"]
        assert touches[event]
        assert row["track"] == events["track"][event]
        assert row["category"] == events["category"][event]
        own = (start_ns[event], duration_ns[event], duration_ns[event])
        if row["merged"] == 1:
            assert (row["start_ns"], row["duration_ns"], row["busy_ns"]) == own
        else:
            assert own[1] < window.bin_ns
            assert row["busy_ns"] <= row["duration_ns"]
        end = row["start_ns"] + row["duration_ns"]
        lanes.setdefault((row["track"], row["depth"]), []).append((row["start_ns"], end))
    for spans in lanes.values():
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


def events_only(profile: Profile, columns: Columns) -> Columns:
    """The spans that are events, without the regions of modules."""
    tracks = columns["track"]
    return {
        name: [
            value
            for value, track in zip(column, tracks, strict=True)
            if track < len(profile.tracks)
        ]
        for name, column in columns.items()
    }


@settings(BOUNDED, max_examples=50)
@given(recordings())
def test_tracks_cover_their_events(recording: tuple[list[Event], Steps]) -> None:
    profile = attribute(make_profile(*recording))
    overview = overview_of(profile)
    events = profile.events
    counts: Counter[int] = Counter(events["track"].tolist())
    assert {track.track for track in overview.tracks} == set(counts)
    for track in overview.tracks:
        rows = events["track"] == track.track
        assert track.start_ns == events["start_ns"][rows].min()
        assert track.end_ns == (events["start_ns"] + events["duration_ns"])[rows].max()
    kinds = [track.kind for track in overview.tracks]
    assert kinds == sorted(kinds)  # devices before hosts
    hosts = [counts[track.track] for track in overview.tracks if track.kind == "host"]
    assert hosts == sorted(hosts, reverse=True)
    whole = decode(TimelineIndex(profile).window(0, 10**6, 10**9))
    for track in overview.tracks:
        shown = [
            depth
            for number, depth in zip(whole["track"], whole["depth"], strict=True)
            if number == track.track
        ]
        assert max(shown) + 1 == track.depth


def training_step() -> Profile:
    """A line with two operators and their kernels, then another line, twice."""
    events: list[Event] = []
    for step, at in enumerate((0, 1000)):
        ids = {"external_id": 2 * step + 1}
        events += [
            Event(Category.LINE, at, 300, "sidelight:0", frame=0, entry=1),
            Event(Category.OPERATOR, at + 10, 100, "aten::mm", **ids),
            Event(Category.OPERATOR, at + 120, 100, "aten::add", external_id=2 * step + 2),
            Event(Category.LINE, at + 400, 300, "sidelight:1", frame=3, entry=1),
            Event(Category.DEVICE, at + 200, 50, "mm_kernel", 3, **ids),
            Event(Category.DEVICE, at + 260, 80, "add_kernel", 3, external_id=2 * step + 2),
        ]
    return attribute(make_profile(events, [(0, 1000), (1000, 2000)]))


def test_the_overview() -> None:
    overview = overview_of(training_step())
    assert overview.headline == "made: 130 ns of device time a step, measured on its device"
    assert [(t.track, t.kind, t.name, t.depth) for t in overview.tracks] == [
        (3, "device", TRACKS[3].name, 1),
        (0, "host", TRACKS[0].name, 2),
    ]
    assert (overview.start_ns, overview.end_ns, overview.events) == (0, 1700, 12)
    steps = [(step.number, step.start_ns, step.end_ns) for step in overview.steps]
    assert steps == [(1, 0, 1000), (2, 1000, 2000)]
    assert overview.categories[Category.DEVICE] == "device"
    assert overview.categories[len(Category) :] == ["module"]


def test_source_lines_are_named_by_their_place_and_lie_over_their_operators() -> None:
    window = TimelineIndex(training_step()).window(0, 500, 500)
    columns = decode(window)
    names = [window.names[int(name)] for name in columns["name"]]
    found = set(zip(names, columns["depth"], strict=True))
    assert found == {
        ("train.py:10", 0),
        ("model.py:20", 0),
        ("aten::mm", 1),
        ("aten::add", 1),
        ("mm_kernel", 0),
        ("add_kernel", 0),
    }
    assert window.bin_ns == 0


def test_the_columns_are_those_of_the_protocol() -> None:
    assert SPAN_COLUMNS == protocol.SPAN_COLUMNS


def test_long_names_are_cut() -> None:
    profile = training_step()
    profile.strings = [f"{name}<{'float, ' * 100}>" for name in profile.strings]
    window = TimelineIndex(profile).window(0, 500, 500)
    assert max(map(len, window.names)) == 200


@pytest.mark.parametrize(
    ("from_ns", "to_ns", "width"),
    [(0, 0, 100), (500, 100, 100), (0, 10**30, 1), (-(10**30), 10**30, 0), (0, 10, 10**12)],
)
def test_odd_windows_are_answered(from_ns: int, to_ns: int, width: int) -> None:
    profile = training_step()
    check_window(profile, TimelineIndex(profile).window(from_ns, to_ns, width))


def test_a_profile_without_events_has_an_empty_timeline() -> None:
    profile = attribute(make_profile([], []))
    index = TimelineIndex(profile)
    assert index.window(0, 100, 100).count == 0
    assert index.overview(manifest_of(profile)).tracks == []
    assert index.line("/work/train.py", 10) is None


def details_named(profile: Profile, name: str) -> Details:
    index = TimelineIndex(profile)
    details = [index.event(event) for event in range(len(profile.events))]
    return next(detail for detail in details if detail.name == name)


def test_details() -> None:
    profile = training_step()
    kernel = details_named(profile, "add_kernel")
    assert (kernel.device_time_ns, kernel.device_time_text) == (80, "80 ns")
    assert (kernel.step, kernel.backward, kernel.category) == (1, False, "device")
    assert [(place.file, place.line) for place in kernel.places] == [("/work/train.py", 10)]
    line = details_named(profile, "model.py:20")
    assert (line.device_time_ns, line.device_time_text, line.duration_text) == (
        None,
        None,
        "300 ns",
    )
    profile.manifest.time_kind = "predicted"
    kernel = details_named(profile, "add_kernel")
    assert (kernel.device_time_text, kernel.duration_text) == ("≈80 ns", "≈80 ns")
    line = details_named(profile, "model.py:20")
    assert (line.duration_text, line.start_text[0]) == ("≈300 ns", "≈")


@pytest.mark.parametrize("event", [-1, 12, 10**20])
def test_there_is_no_such_event(event: int) -> None:
    with pytest.raises(UnreadableInputError, match=f"has no event {event}"):
        TimelineIndex(training_step()).event(event)


def test_a_lines_device_time_is_found() -> None:
    profile = training_step()
    index = TimelineIndex(profile)
    place = index.line("/work/train.py", 10)
    assert place is not None
    assert index.event(place.event).name == "add_kernel"
    assert index.event(place.event).step == 1
    assert place.executions == 4
    assert place.from_ns < 200  # both kernels of the first step, and some room around
    assert 340 < place.to_ns < 5000
    assert index.line("/work/model.py", 20) is None
    assert index.line("/nowhere.py", 1) is None


def test_a_line_that_only_calls_others_shows_their_time() -> None:
    caller = Event(Category.LINE, 0, 500, "sidelight:0", frame=0, entry=1)
    called = Event(Category.LINE, 10, 400, "sidelight:1", frame=3, entry=1)
    operator = Event(Category.OPERATOR, 20, 300, "aten::mm")
    profile = attribute(make_profile([caller, called, operator], [(0, 500)]))
    place = TimelineIndex(profile).line("/work/train.py", 10)
    assert place is not None
    assert place.executions == 1


@settings(BOUNDED, max_examples=100)
@given(recordings())
def test_lines_have_a_place_exactly_where_they_have_time(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = attribute(make_profile(*recording))
    index = TimelineIndex(profile)
    timed = {
        (line.file, line.line)
        for line in line_report(profile, "").lines
        if line.self_ns or line.total_ns
    }
    for file, line in {("/work/train.py", line) for line in (10, 11, 12)} | {
        ("/work/model.py", line) for line in (20, 21)
    }:
        place = index.line(file, line)
        assert (place is not None) == ((file, line) in timed)
        if place:
            details = index.event(place.event)
            assert details.device_time_ns
            assert (file, line) in {(where.file, where.line) for where in details.places}
            assert place.from_ns <= details.start_ns
            assert place.to_ns >= details.start_ns + details.duration_ns
