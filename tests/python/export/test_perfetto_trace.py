"""A Perfetto trace, read back by Perfetto's own classes and by Sidelight's reader."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    CounterDescriptor,
    Trace,
    TracePacket,
    TrackDescriptor,
    TrackEvent,
)

from export.exported_profiles import PROFILES
from sidelight import ingest
from sidelight.export.perfetto.wire import number_field, varint
from sidelight.export.rows import ShownRows
from sidelight.export.source import TimeRange
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile
from sidelight.profile.tables import SAMPLE_COLUMNS, Category, Table
from support.exported import write_exported

Slice = tuple[str, int, int]
"""Name, start and duration, in nanoseconds from the profile's start."""


@dataclass
class Found:
    """What Perfetto's classes find in a trace, put together by a plain walk.

    Attributes:
        tracks: The descriptors, by uuid.
        slices: The slices of each track.
        begun: The events that begin them, likewise.
        values: Values of counters, by track.
        texts: What is interned: (kind, number) to what it is.
    """

    tracks: dict[int, TrackDescriptor] = field(default_factory=dict[int, TrackDescriptor])
    slices: defaultdict[int, list[Slice]] = field(default_factory=lambda: defaultdict(list))
    begun: defaultdict[int, list[TrackEvent]] = field(default_factory=lambda: defaultdict(list))
    values: defaultdict[int, list[tuple[int, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    texts: dict[tuple[str, int], object] = field(default_factory=dict[tuple[str, int], object])

    def add(self, packet: TracePacket, opened: dict[int, list[tuple[str, int]]]) -> None:
        for kind in ("event_names", "event_categories", "debug_annotation_names"):
            for entry in getattr(packet.interned_data, kind):
                assert (kind, entry.iid) not in self.texts
                self.texts[kind, entry.iid] = entry.name
        for place in packet.interned_data.source_locations:
            told = (place.file_name, place.line_number, place.function_name)
            self.texts["source_locations", place.iid] = told
        if packet.HasField("track_descriptor"):
            self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if not packet.HasField("track_event"):
            return
        event = packet.track_event
        assert event.track_uuid in self.tracks
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            name = event.name or str(self.texts["event_names", event.name_iid])
            opened[event.track_uuid].append((name, packet.timestamp))
            self.begun[event.track_uuid].append(event)
        elif event.type == TrackEvent.TYPE_SLICE_END:
            name, start_ns = opened[event.track_uuid].pop()
            self.slices[event.track_uuid].append((name, start_ns, packet.timestamp - start_ns))
        else:
            self.values[event.track_uuid].append((packet.timestamp, event.double_counter_value))

    def categories(self) -> set[object]:
        return {
            self.texts["event_categories", number]
            for events in self.begun.values()
            for event in events
            for number in event.category_iids
        }

    def annotations(self, event: TrackEvent) -> dict[object, int | str]:
        return {
            self.texts["debug_annotation_names", each.name_iid]: each.string_value
            if each.HasField("string_value")
            else each.int_value
            for each in event.debug_annotations
        }


def read_by_perfetto(path: Path) -> Found:
    found, opened = Found(), defaultdict[int, list[tuple[str, int]]](list)
    trace = Trace.FromString(path.read_bytes())
    first = trace.packet[0]
    assert first.sequence_flags & TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    last_ns: dict[int, int] = {}
    for packet in trace.packet:
        found.add(packet, opened)
        if packet.HasField("track_event"):
            uuid = packet.track_event.track_uuid
            assert packet.timestamp >= last_ns.get(uuid, 0)  # in order on every track
            last_ns[uuid] = packet.timestamp
            assert packet.trusted_packet_sequence_id == first.trusted_packet_sequence_id
    assert not any(opened.values())
    return found


def expected_slices(profile: Profile) -> Counter[Slice]:
    shown, events = ShownRows(profile), profile.events
    names: list[str] = []
    for row in range(len(events)):
        frame = int(events["frame"][row])
        if events["category"][row] == Category.LINE and frame >= 0:
            path, line = shown.places[frame]
            function = profile.strings[int(profile.frames["function"][frame])] or "?"
            names.append(f"{path}({line}): {function}")
        else:
            names.append(profile.strings[int(events["name"][row])])
    times = events["start_ns"].tolist(), events["duration_ns"].tolist()
    return Counter(zip(names, *times, strict=True))


@pytest.fixture(name="profile", params=PROFILES)
def make_profile(request: pytest.FixtureRequest, tmp_path: Path) -> Profile:
    return PROFILES[request.param](tmp_path)


def steps_track(found: Found) -> int:
    (uuid,) = (uuid for uuid, track in found.tracks.items() if track.name == "Recorded steps")
    return uuid


def test_perfettos_classes_find_every_event_and_step(profile: Profile, tmp_path: Path) -> None:
    path = tmp_path / "trace.pftrace"
    write_exported(path, profile, "perfetto")
    found = read_by_perfetto(path)
    of_steps = found.slices.pop(steps_track(found))
    assert sum(map(Counter, found.slices.values()), Counter[Slice]()) == expected_slices(profile)
    assert [(start_ns, start_ns + duration_ns) for _, start_ns, duration_ns in of_steps] == list(
        zip(profile.steps["start_ns"].tolist(), profile.steps["end_ns"].tolist(), strict=True)
    )


def test_sidelights_reader_finds_the_same_names_and_times(profile: Profile, tmp_path: Path) -> None:
    path = tmp_path / "trace.pftrace"
    write_exported(path, profile, "perfetto")
    back = ingest.read(path)
    events = back.events
    names = [back.strings[int(name)] for name in events["name"]]
    zero_ns = back.manifest.start_unix_ns - profile.manifest.start_unix_ns
    starts_ns: list[int] = (events["start_ns"] + zero_ns).tolist()
    found = Counter(zip(names, starts_ns, events["duration_ns"].tolist(), strict=True))
    steps = Counter(
        (f"step {number}", int(start_ns), int(end_ns - start_ns))
        for number, (start_ns, end_ns) in enumerate(
            zip(profile.steps["start_ns"], profile.steps["end_ns"], strict=True), 1
        )
    )
    if profile.manifest.start_unix_ns == 0:  # nothing tells when it was
        first_ns = min(start_ns for _, start_ns, _ in expected_slices(profile))
        assert first_ns == min(starts_ns)
    assert found == expected_slices(profile) + steps
    assert not [note for note in back.manifest.quality if note.code == "unmatched_begin_end"]


def test_tracks_are_those_of_the_profile(profile: Profile, tmp_path: Path) -> None:
    path = tmp_path / "trace.pftrace"
    write_exported(path, profile, "perfetto")
    found = read_by_perfetto(path)
    with_slices = {
        track.thread.thread_name or track.name
        for uuid, track in found.tracks.items()
        if uuid in found.slices
    } - {"Recorded steps"}
    numbers: list[int] = profile.events["track"].tolist()
    used = {profile.tracks[track].name for track in numbers}
    assert {name for name in with_slices if not name.endswith(")")} <= used <= with_slices
    for track in found.tracks.values():
        assert not track.HasField("parent_uuid") or track.parent_uuid in found.tracks


def test_places_in_the_source_and_annotations(tmp_path: Path) -> None:
    profile = PROFILES["priced"](tmp_path)
    path = tmp_path / "trace.pftrace"
    write_exported(path, profile, "perfetto")
    found = read_by_perfetto(path)
    products = [
        event
        for events in found.begun.values()
        for event in events
        if found.texts.get(("event_names", event.name_iid)) == "aten::mm"
    ]
    assert len(products) == 4
    for event in products:
        file, line, _ = found.texts["source_locations", event.source_location_iid]  # type: ignore[misc]
        assert (file, line) == ("/project/net/model.py", 12)
        told = found.annotations(event)
        assert told["kind"] == "operator"
        assert str(told["Input Dims"]).replace(" ", "") == "[[4096,1024],[1024,2048]]"


def test_arrows_join_a_launch_and_its_work(tmp_path: Path) -> None:
    path = tmp_path / "trace.pftrace"
    write_exported(path, PROFILES["predicted"](tmp_path), "perfetto")
    found = read_by_perfetto(path)
    begun = [event for events in found.begun.values() for event in events]
    leaving = Counter(number for event in begun for number in event.flow_ids)
    ending = Counter(number for event in begun for number in event.terminating_flow_ids)
    assert leaving == ending != Counter()
    assert set(leaving.values()) == {1}
    kernels = [event for event in begun if found.annotations(event).get("kind") == "device"]
    assert len(kernels) == len(ending)


def test_quantities_are_counters(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    profile.manifest.series = [Series("HBM", "bytes", "core 0"), Series("HFU", "fraction", "")]
    samples = {"series": [0, 0, 1], "at_ns": [0, 70, 9], "value": [1e9, 2.5e9, 0.25]}
    profile.samples = Table.of(SAMPLE_COLUMNS, samples)
    path = tmp_path / "trace.pftrace"
    write_exported(path, profile, "perfetto")
    found = read_by_perfetto(path)
    told = {
        found.tracks[uuid].name: (found.tracks[uuid].counter.unit, values)
        for uuid, values in found.values.items()
    }
    assert told == {
        "HBM (core 0)": (CounterDescriptor.UNIT_SIZE_BYTES, [(0, 1e9), (70, 2.5e9)]),
        "HFU": (CounterDescriptor.UNIT_UNSPECIFIED, [(9, 0.25)]),
    }


def test_the_time_since_1970_is_told(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    profile.manifest.start_unix_ns = 1_790_857_026_123_456_789
    path = tmp_path / "trace.pftrace"
    write_exported(path, profile, "perfetto")
    assert ingest.read(path).manifest.start_unix_ns == profile.manifest.start_unix_ns


def test_predicted_times_are_nobodys_device_time(tmp_path: Path) -> None:
    path = tmp_path / "trace.pftrace"
    write_exported(path, PROFILES["predicted"](tmp_path), "perfetto")
    categories = read_by_perfetto(path).categories()
    assert categories
    assert all(str(category).startswith("predicted ") for category in categories)
    back = ingest.read(path)
    assert set(map(Category, back.events["category"].tolist())) == {Category.OTHER}


def test_a_part_of_the_time(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    path = tmp_path / "trace.pftrace"
    written = write_exported(path, profile, "perfetto", TimeRange(50_000, 600_000))
    found = read_by_perfetto(path)
    found.slices.pop(steps_track(found))
    slices = sum(map(Counter, found.slices.values()), Counter[Slice]())
    assert slices == Counter(
        {
            each: count
            for each, count in expected_slices(profile).items()
            if each[1] < 600_000 and each[1] + each[2] > 50_000
        }
    )
    assert written.events == slices.total()


@given(st.integers(-(1 << 63), (1 << 64) - 1))
def test_numbers_are_as_perfettos_classes_read_them(number: int) -> None:
    content = number_field(8, number)  # the timestamp, an unsigned number
    assert TracePacket.FromString(content).timestamp == number % (1 << 64)
    assert varint(number)[-1] < 0x80
