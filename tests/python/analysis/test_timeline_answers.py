"""What timelines answer beside areas: matches, utilisation, counters, links and colours."""

from __future__ import annotations

import base64
import math
import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from profiles import Event, Steps, make_profile, recordings
from test_oracle import BOUNDED
from test_timeline import decode, training_step
from test_timeline_area import busy_by_walk

from sidelight.analysis.attribution import attribute
from sidelight.analysis.timelines.counters import Counters
from sidelight.analysis.timelines.drawn_types import MOST_SPANS, ColourBy
from sidelight.analysis.timelines.index import MOST_FOUND_SPANS, TimelineIndex
from sidelight.analysis.timelines.told_types import Find
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile
from sidelight.profile.tables import FLOW_COLUMNS, SAMPLE_COLUMNS, Category, Table


def named(profile: Profile, name: str) -> list[int]:
    """The events with a name, in the profile's order."""
    names: list[int] = profile.events["name"].tolist()
    return [event for event, number in enumerate(names) if profile.strings[number] == name]


# --- matches


@settings(BOUNDED, max_examples=30)
@given(recordings(), st.sampled_from(("mul", "ADD", "train.py:1", "func", "nothing")))
def test_stepping_visits_every_event_with_the_text_by_time(
    recording: tuple[list[Event], Steps], text: str
) -> None:
    profile = attribute(make_profile(*recording))
    index, find = TimelineIndex(profile), Find(text=text)
    shown = [index.event(event).name for event in range(len(profile.events))]
    expected = [event for event, name in enumerate(shown) if text.lower() in name.lower()]
    expected.sort(key=lambda event: (int(profile.events["start_ns"][event]), event))
    match = index.match(find, None, -1, "next")
    visited: list[int] = []
    for number, _ in enumerate(expected, 1):
        assert match is not None
        assert (match.count, match.number) == (len(expected), number)
        visited.append(match.event)
        match = index.match(find, match.event, 0, "next")
    assert visited == expected
    # Beyond the last comes the first, and before the first the last.
    assert (match.event if match else None) == (expected[0] if expected else None)
    if expected:
        before = index.match(find, expected[0], 0, "previous")
        assert before is not None
        assert before.event == expected[-1]


def test_matches_before_and_after_a_time() -> None:
    index, find = TimelineIndex(training_step()), Find(text="MM_kernel")
    starts_ns = [200, 1200]
    for at_ns, following, before in (
        *((0, 200, 1200), (200, 200, 1200), (201, 1200, 200)),
        *((-(10**30), 200, 1200), (10**30, 200, 1200)),
    ):
        found = [index.match(find, None, at_ns, way) for way in ("next", "previous")]
        assert [match.start_ns for match in found if match] == [following, before]
        assert {match.start_ns for match in found if match} <= set(starts_ns)
    assert index.match(Find(text=" "), None, 0, "next") is None


def test_the_matches_alone_are_drawn_where_they_are() -> None:
    profile = training_step()
    index = TimelineIndex(profile)
    everything = decode(index.window(0, 2000, 2000))
    window = index.window(0, 2000, 2000, Find(text="kernel"))
    found = decode(window)
    assert sorted(found["event"]) == sorted(
        named(profile, "mm_kernel") + named(profile, "add_kernel")
    )
    lanes = zip(everything["track"], everything["depth"], strict=True)
    places = dict(zip(everything["event"], lanes, strict=True))
    for event, track, depth in zip(found["event"], found["track"], found["depth"], strict=True):
        assert places[event] == (track, depth)


def test_a_lines_executions_are_found() -> None:
    profile = training_step()
    find = Find(file="/work/train.py", line=10)
    found = decode(TimelineIndex(profile).window(0, 2000, 2000, find))
    assert sorted(found["event"]) == sorted(
        named(profile, "mm_kernel") + named(profile, "add_kernel")
    )
    nowhere = Find(file="/work/train.py", line=999)
    assert TimelineIndex(profile).match(nowhere, None, 0, "next") is None


def test_a_frame_of_what_is_there_and_what_was_found_is_small_enough() -> None:
    assert MOST_SPANS + MOST_FOUND_SPANS < 20_000


# --- utilisation


@settings(BOUNDED, max_examples=30)
@given(recordings(), st.integers(-10, 200), st.integers(1, 250), st.integers(1, 40))
def test_utilisation_is_what_a_walk_finds(
    recording: tuple[list[Event], Steps], from_ns: int, length_ns: int, width: int
) -> None:
    profile = attribute(make_profile(*recording))
    groups = [[0, 1, 2], [3], [4, 99], []]
    to_ns = from_ns + length_ns
    found = TimelineIndex(profile).utilisation(from_ns, to_ns, width, groups)
    rows = [
        (int(track), int(start), int(start + length))
        for track, start, length in zip(
            *(profile.events[name] for name in ("track", "start_ns", "duration_ns")), strict=True
        )
    ]
    edges = [from_ns + round(length_ns * n / width) for n in range(width + 1)]
    for tracks, group in zip(groups, found.groups, strict=True):
        spans = [(start, end) for track, start, end in rows if track in tracks]
        assert group.busy_ns == busy_by_walk(spans, from_ns, to_ns)
        levels = list(base64.b64decode(group.levels))
        assert len(levels) == width
        for level, (left, right) in zip(levels, pairwise(edges), strict=True):
            busy_ns = busy_by_walk(spans, left, right)
            if right > left and busy_ns > 0:
                assert level >= 1  # nothing vanishes
                assert abs(level - 255 * busy_ns / (right - left)) <= 1


def test_what_takes_no_time_is_seen_too() -> None:
    instant = Event(Category.DEVICE, 50, 0, "instant", 3)
    profile = attribute(make_profile([instant], [(0, 100)]))
    (group,) = TimelineIndex(profile).utilisation(0, 100, 10, [[3]]).groups
    assert list(base64.b64decode(group.levels)) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]


# --- counters


def with_samples(samples: list[tuple[int, float]]) -> Profile:
    profile = training_step()
    profile.manifest.series = [Series("HBM", "bytes", "core 0"), Series("none", "", "core 0")]
    profile.samples = Table.of(
        SAMPLE_COLUMNS,
        {
            "series": [0] * len(samples),
            "at_ns": [at_ns for at_ns, _ in samples],
            "value": [value for _, value in samples],
        },
    )
    return profile


def floats(content: str) -> list[float]:
    return [value for (value,) in struct.iter_unpack("<f", base64.b64decode(content))]


@BOUNDED
@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 1000)), min_size=1, max_size=20),
    st.integers(-20, 120),
    st.integers(1, 12),
    st.integers(1, 9),
)
def test_counters_are_what_a_walk_finds(
    drawn: list[tuple[int, int]], from_ns: int, pixel_ns: int, width: int
) -> None:
    samples = sorted({at_ns: float(value) for at_ns, value in drawn}.items())
    found = Counters(with_samples(samples)).windows(from_ns, from_ns + pixel_ns * width, width)
    (counter,) = found.counters
    for pixel, (mean, highest) in enumerate(
        zip(floats(counter.mean), floats(counter.highest), strict=True)
    ):
        # The value at every nanosecond of the pixel, one by one.
        values = [
            next((value for at_ns, value in reversed(samples) if at_ns <= moment), None)
            for moment in range(from_ns + pixel * pixel_ns, from_ns + (pixel + 1) * pixel_ns)
        ]
        known = [value for value in values if value is not None]
        if not known:
            assert math.isnan(mean)
            continue
        assert mean == pytest.approx(sum(known) / len(known), rel=1e-6, abs=1e-3)
        assert highest >= max(known)
        ends_ns = from_ns + (pixel + 1) * pixel_ns
        at_the_end = next((value for at_ns, value in samples if at_ns == ends_ns), 0.0)
        assert highest <= max(*known, at_the_end)


def test_values_that_no_sum_can_hold_leave_the_others_as_they_are() -> None:
    counters = Counters(with_samples([(0, 5.0), (10, 1.7e308), (20, -1.7e308), (30, 7.0)]))
    (counter,) = counters.windows(0, 40, 8).counters
    largest = (2 - 2**-23) * 2.0**127  # of what a pixel can be
    expected = [5.0, 5.0, largest, largest, -largest, -largest, 7.0, 7.0]
    assert floats(counter.mean) == expected
    (whole,) = counters.overview
    assert (whole.lowest, whole.highest) == (-largest, largest)


def test_the_overview_of_counters() -> None:
    (counter,) = Counters(with_samples([(0, 5.0), (10, 1.0), (20, math.nan)])).overview
    assert (counter.name, counter.unit, counter.owner) == ("HBM", "bytes", "core 0")
    assert (counter.lowest, counter.highest) == (1.0, 5.0)


# --- links


def launched() -> Profile:
    """An operator, the call it makes of the runtime, and the two kernels which that launches."""
    events = [
        Event(Category.LINE, 0, 500, "sidelight:0", frame=0, entry=1),
        Event(Category.OPERATOR, 10, 100, "aten::mm", external_id=1),
        Event(Category.RUNTIME, 20, 10, "nrt_execute", correlation_id=7),
        Event(Category.DEVICE, 200, 50, "second", 3, correlation_id=7),
        Event(Category.DEVICE, 120, 50, "first", 3, correlation_id=7),
    ]
    return attribute(make_profile(events, [(0, 500)]))


def test_links_lead_from_operator_to_call_to_device_and_back() -> None:
    profile = launched()
    index = TimelineIndex(profile)
    (operator,), (call,) = named(profile, "aten::mm"), named(profile, "nrt_execute")
    (first,), (second,) = named(profile, "first"), named(profile, "second")
    assert [(link.event, link.kind) for link in index.event(operator).effects] == [(call, "calls")]
    effects = index.event(call).effects
    assert [(link.event, link.kind) for link in effects] == [
        (first, "launches"),
        (second, "launches"),
    ]
    boxes = [
        (each.name, each.track, each.depth, each.start_ns, each.duration_ns) for each in effects
    ]
    assert boxes == [
        ("first", 3, 0, 120, 50),
        ("second", 3, 0, 200, 50),
    ]
    for kernel in (first, second):
        assert [link.event for link in index.event(kernel).causes] == [call]
    assert [link.event for link in index.event(call).causes] == [operator]
    assert index.event(operator).causes == []


def test_the_whole_chain_is_told_of_each_of_its_events() -> None:
    profile = launched()
    index = TimelineIndex(profile)
    (operator,), (call,) = named(profile, "aten::mm"), named(profile, "nrt_execute")
    (first,), (second,) = named(profile, "first"), named(profile, "second")
    whole = {(operator, call), (call, first), (call, second)}
    for event, told in (
        (operator, whole),
        (call, whole),
        (first, {(operator, call), (call, first)}),
    ):
        details = index.event(event)
        arrows = {(link.event, event) for link in details.causes}
        arrows |= {(event, link.event) for link in details.effects}
        further = {(arrow.source.event, arrow.target.event) for arrow in details.chain}
        assert not arrows & further
        assert arrows | further == told
    (arrow,) = index.event(second).chain
    assert (arrow.source.name, arrow.target.name) == ("aten::mm", "nrt_execute")


def test_chains_do_not_follow_what_waits_for_what() -> None:
    profile = launched()
    (first,), (second,) = named(profile, "first"), named(profile, "second")
    profile.strings = [*profile.strings, "semaphore"]
    kind = len(profile.strings) - 1
    # Two that wait for each other would go on for ever.
    profile.flows = Table.of(
        FLOW_COLUMNS,
        {
            "source": sorted((first, second)),
            "target": sorted((first, second), reverse=True),
            "kind": [kind, kind],
        },
    )
    details = TimelineIndex(profile).event(first)
    assert {link.kind for link in details.causes} == {"launches", "semaphore"}
    assert [arrow.source.name for arrow in details.chain] == ["aten::mm"]


def test_a_row_without_a_call_follows_from_its_operator() -> None:
    profile = training_step()
    index = TimelineIndex(profile)
    operators, kernels = named(profile, "aten::mm"), named(profile, "mm_kernel")
    for operator, kernel in zip(operators, kernels, strict=True):
        assert [link.event for link in index.event(kernel).causes] == [operator]
        assert [link.event for link in index.event(operator).effects] == [kernel]


def test_arrows_of_the_file_itself_lead_both_ways() -> None:
    profile = launched()
    (first,), (second,) = named(profile, "first"), named(profile, "second")
    profile.strings = [*profile.strings, "semaphore"]
    kind = len(profile.strings) - 1
    profile.flows = Table.of(FLOW_COLUMNS, {"source": [first], "target": [second], "kind": [kind]})
    index = TimelineIndex(profile)
    assert [(link.event, link.kind) for link in index.event(first).effects] == [
        (second, "semaphore")
    ]
    assert (first, "semaphore") in [(link.event, link.kind) for link in index.event(second).causes]


@settings(BOUNDED, max_examples=30)
@given(recordings())
def test_every_link_leads_back(recording: tuple[list[Event], Steps]) -> None:
    profile = attribute(make_profile(*recording))
    index = TimelineIndex(profile)
    details = [index.event(event) for event in range(len(profile.events))]
    forward = {(each.event, link.event) for each in details for link in each.effects}
    back = {(link.event, each.event) for each in details for link in each.causes}
    assert forward == back


# --- colours


def keys_of(profile: Profile, colour_by: ColourBy) -> dict[str, str]:
    """What each name is coloured by."""
    window = TimelineIndex(profile).window(0, 500, 500, None, colour_by)
    columns = decode(window)
    return {
        window.names[name]: window.keys[key]
        for name, key in zip(columns["name"], columns["key"], strict=True)
    }


def test_spans_are_coloured_by_operator_file_and_module() -> None:
    profile = training_step()
    by_operator = keys_of(profile, "operator")
    assert by_operator["mm_kernel"] == by_operator["aten::mm"] == "aten::mm"
    assert by_operator["add_kernel"] == "aten::add"
    by_file = keys_of(profile, "file")
    assert (by_file["mm_kernel"], by_file["model.py:20"]) == ("train.py", "model.py")
    assert set(keys_of(profile, "category").values()) == {""}
    assert set(keys_of(profile, "module").values()) == {""}
    profile.strings = [*profile.strings, "Block.forward"]
    profile.frames = profile.frames.with_columns(
        {"function": np.full(len(profile.frames), len(profile.strings) - 1, np.int32)}
    )
    assert keys_of(profile, "module")["mm_kernel"] == "Block"
