"""What a timeline promises of any profile: its answers can be sent, lie where asked, and add up."""

from __future__ import annotations

import base64
import json
from collections import Counter
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.analysis.lines import line_report
from sidelight.analysis.timelines.drawn_types import (
    SPAN_COLUMNS,
    ColourBy,
    TimelineOverview,
    Window,
)
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.links import MOST_LINKS
from sidelight.analysis.timelines.told_types import Find
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import StoredManifest

COLOURS: Final[tuple[ColourBy, ...]] = ("category", "operator", "module", "file")

_FORMATS: Final = {
    "float64": "<f8",
    "int32": "<i4",
    "uint32": "<u4",
    "uint16": "<u2",
    "uint8": "<u1",
}

_WIDTH: Final = 7
"""Few pixels, so that events are merged."""

_MOST_MATCHES: Final = 50

Stretch = tuple[int, int]
Values = npt.NDArray[np.float64]


def timeline_holds_together(profile: Profile, device_time_ns: int) -> None:
    """Ask all that a timeline asks, of the whole, of parts and of what lies outside.

    Args:
        profile: An attributed profile.
        device_time_ns: That of its recorded steps.
    """
    index = TimelineIndex(profile)
    manifest = StoredManifest(
        **msgspec.structs.asdict(profile.manifest), device_time_ns=device_time_ns
    )
    overview = index.overview(manifest)
    _can_be_sent(overview)
    _is_an_overview(profile, overview)
    from_ns, to_ns = overview.start_ns, overview.end_ns + 1
    middle_ns = (from_ns + to_ns) // 2
    stretches = [(from_ns, middle_ns), (middle_ns, to_ns), (from_ns - 10, to_ns + 10**30)]
    for stretch in [(from_ns, to_ns), *stretches, (-(10**30), from_ns), (to_ns, from_ns)]:
        for colour_by in COLOURS:
            _is_a_window(profile, index.window(*stretch, _WIDTH, None, colour_by))
        _is_an_area(index, stretch)
        _are_counters(index, overview, stretch)
    _adds_up(profile, index, from_ns, middle_ns, to_ns)
    _are_found(profile, index)
    _are_linked(profile, index)
    for line in line_report(profile, "").lines:
        place = index.line(line.file, line.line)
        assert place is not None
        assert place.from_ns <= int(profile.events["start_ns"][place.event]) <= place.to_ns


def _can_be_sent(answer: msgspec.Struct) -> None:
    """It is JSON that everyone reads: no NaN, and no half of a character."""
    json.dumps(msgspec.to_builtins(answer), allow_nan=False, ensure_ascii=False).encode()


def _is_an_overview(profile: Profile, overview: TimelineOverview) -> None:
    events = profile.events
    of_events = {track.track for track in overview.tracks if track.regions_of is None}
    assert of_events == set(events["track"].tolist())
    assert all(track.regions_of in {None, *of_events} for track in overview.tracks)
    calls = profile.module_calls
    starts_ns = [*events["start_ns"].tolist(), *calls["start_ns"].tolist()]
    assert overview.start_ns == min(starts_ns, default=0)
    ends_ns = [
        (table["start_ns"] + table["duration_ns"]).max(initial=0) for table in (events, calls)
    ]
    assert overview.end_ns == max(map(int, ends_ns))
    assert overview.events == len(events)
    assert len(overview.steps) == len(profile.steps)
    for counter in overview.counters:
        assert counter.lowest <= counter.highest


def columns_of(window: Window) -> dict[str, npt.NDArray[Any]]:
    """The columns of a window, as whoever draws it reads them."""
    content, position = base64.b64decode(window.spans), 0
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, kind in SPAN_COLUMNS:
        columns[name] = np.frombuffer(content, _FORMATS[kind], window.count, position)
        position += columns[name].nbytes
    assert position == len(content)
    return columns


def _is_a_window(profile: Profile, window: Window) -> None:
    _can_be_sent(window)
    events = profile.events
    start_ns, duration_ns = events["start_ns"], events["duration_ns"]
    end_ns = start_ns + duration_ns
    touches = (start_ns < window.to_ns) & ((end_ns > window.from_ns) | (start_ns >= window.from_ns))
    columns = columns_of(window)
    _are_regions(profile, window, columns)
    is_event = columns["track"] < len(profile.tracks)
    spans = {name: column[is_event] for name, column in columns.items()}
    assert int(spans["merged"].sum()) == int(touches.sum())
    # Times that pass 2**53 are rounded.
    np.testing.assert_allclose(spans["busy_ns"].sum(), float(duration_ns[touches].sum()), rtol=1e-9)
    assert (spans["busy_ns"] <= spans["duration_ns"]).all()
    assert touches[spans["event"]].all()
    assert (spans["track"] == events["track"][spans["event"]]).all()
    assert (spans["start_ns"] <= start_ns[spans["event"]]).all()
    assert (spans["name"] < len(window.names)).all()
    assert (spans["key"] < len(window.keys)).all()


def _are_regions(profile: Profile, window: Window, columns: dict[str, npt.NDArray[Any]]) -> None:
    """What is behind the events is modules' calls, or spans their work."""
    spans = {
        name: column[columns["track"] >= len(profile.tracks)] for name, column in columns.items()
    }
    assert (spans["event"] >= len(profile.events)).all()
    assert (spans["busy_ns"] <= spans["duration_ns"]).all()
    assert (spans["start_ns"] <= window.to_ns).all()
    assert (spans["start_ns"] + spans["duration_ns"] >= window.from_ns).all()


def _is_an_area(index: TimelineIndex, stretch: Stretch) -> None:
    area = index.area(*stretch, [])
    _can_be_sent(area)
    assert sum(track.events for track in area.tracks) == area.events
    assert sum(operator.device_time_ns for operator in area.operators) == area.device_time_ns
    assert 0 <= area.device_busy_ns <= area.busy_ns <= area.to_ns - area.from_ns
    assert max((track.busy_ns for track in area.tracks), default=0) <= area.busy_ns
    tracks = [track.track for track in area.tracks]
    used = index.utilisation(*stretch, _WIDTH, [tracks, *([track] for track in tracks)])
    _can_be_sent(used)
    for group, busy_ns in zip(
        used.groups, [area.busy_ns, *(track.busy_ns for track in area.tracks)], strict=True
    ):
        levels = base64.b64decode(group.levels)
        assert len(levels) == used.width == _WIDTH
        assert group.busy_ns == busy_ns
        assert bool(busy_ns) <= any(levels)


def _are_counters(index: TimelineIndex, overview: TimelineOverview, stretch: Stretch) -> None:
    found = index.counters(*stretch, _WIDTH)
    _can_be_sent(found)
    assert [counter.counter for counter in found.counters] == [
        counter.counter for counter in overview.counters
    ]
    for counter, whole in zip(found.counters, overview.counters, strict=True):
        mean, highest = (
            np.frombuffer(base64.b64decode(content), "<f4")
            for content in (counter.mean, counter.highest)
        )
        assert len(mean) == len(highest) == found.width == _WIDTH
        assert (np.isnan(mean) == np.isnan(highest)).all()
        known = ~np.isnan(mean)
        lowest = np.float32(whole.lowest)
        assert (lowest <= mean[known]).all()
        assert (mean[known] <= highest[known]).all()
        assert (highest[known] <= np.float32(whole.highest)).all()


def _adds_up(
    profile: Profile, index: TimelineIndex, from_ns: int, middle_ns: int, to_ns: int
) -> None:
    whole = index.area(from_ns, to_ns, [])
    assert whole.events == len(profile.events)
    assert whole.device_time_ns == int(profile.events["device_ns"].sum())
    halves = [index.area(from_ns, middle_ns, []), index.area(middle_ns, to_ns, [])]
    assert sum(half.busy_ns for half in halves) == whole.busy_ns
    assert sum(half.device_busy_ns for half in halves) == whole.device_busy_ns
    cut_ns = whole.device_time_ns - sum(half.device_time_ns for half in halves)
    assert 0 <= cut_ns <= whole.events


def _are_found(profile: Profile, index: TimelineIndex) -> None:
    """Going from match to match visits each once, and comes back to the first."""
    starts_ns: list[int] = profile.events["start_ns"].tolist()
    for name in {index.event(event).name for event in range(0, len(starts_ns), 5)}:
        find = Find(text=name[:20])
        match = index.match(find, None, min(starts_ns), "next")
        if match is None:
            assert not find.text.strip()
            continue
        visited: list[int] = []
        for number in range(1, min(match.count, _MOST_MATCHES) + 1):
            assert match is not None
            assert match.number == number
            _can_be_sent(match)
            visited.append(match.event)
            match = index.match(find, match.event, 0, "next")
        assert len(set(visited)) == len(visited)
        places_ns = [index.event(event).start_ns for event in visited]
        assert places_ns == sorted(places_ns)
        window = index.window(min(starts_ns), max(starts_ns) + 1, _WIDTH, find)
        assert match is not None
        assert int(columns_of(window)["merged"].sum()) == match.count


def _are_linked(profile: Profile, index: TimelineIndex) -> None:
    """What leads to an event has it among what it led to."""
    causes: Counter[Stretch] = Counter()
    effects: Counter[Stretch] = Counter()
    for event in range(len(profile.events)):
        details = index.event(event)
        _can_be_sent(details)
        if max(len(details.causes), len(details.effects)) == MOST_LINKS:
            return
        causes.update((link.event, event) for link in details.causes)
        effects.update((event, link.event) for link in details.effects)
    assert causes == effects
