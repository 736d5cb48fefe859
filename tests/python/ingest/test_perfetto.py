"""Perfetto traces, written by Perfetto's own classes, and what their slices and counters become."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    BUILTIN_CLOCK_MONOTONIC,
    CounterDescriptor,
    TracePacket,
    TrackEvent,
)

from sidelight import ingest
from sidelight.ingest.perfetto import (
    clocks as clocks_module,
    descriptors,
    packets as packets_module,
    sequences,
    track_events,
)
from sidelight.ingest.perfetto.reader import FORMAT
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from traces.perfetto import bytes_of, clocks, counter, event, slice_of, track, write

REALTIME, MONOTONIC, BOOTTIME, OWN = 1, 3, 6, 64
EPOCH_NS = 1_790_857_026_123_456_789


Row = tuple[str, str, int, int]
"""Track, name, start and duration, in nanoseconds from the profile's first row."""


def column(profile: Profile, name: str) -> list[int]:
    return [int(value) for value in profile.events[name]]


def rows(profile: Profile) -> Counter[Row]:
    lanes = [profile.tracks[code].name for code in column(profile, "track")]
    names = [profile.strings[code] for code in column(profile, "name")]
    times = column(profile, "start_ns"), column(profile, "duration_ns")
    return Counter(zip(lanes, names, *times, strict=True))


def categories(profile: Profile) -> dict[str, Category]:
    names = (profile.strings[code] for code in map(int, profile.events["name"]))
    return dict(zip(names, map(Category, profile.events["category"]), strict=True))


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def test_slices_of_threads_and_of_tracks_in_tracks(tmp_path: Path) -> None:
    path = write(
        tmp_path / "system_profile.pftrace",
        [
            track(1, process=(77, "python train.py")),
            track(2, thread=(77, 78, "MainThread")),
            track(3, "Neuron runtime"),
            track(4, "worker 0", parent=3),
            *slice_of(2, 5_000, 9_000, "outer"),
            *slice_of(2, 6_000, 7_000, "inner"),
            *slice_of(4, 6_500, 6_501, "nrt_execute"),
            event(TrackEvent.TYPE_INSTANT, 8_000, 4, "mark"),
            *slice_of(99, 5_500, 5_600, "nowhere"),
        ],
    )
    profile = ingest.read(path)
    assert rows(profile) == Counter(
        [
            ("python train.py: MainThread", "outer", 0, 4_000),
            ("python train.py: MainThread", "inner", 1_000, 1_000),
            ("Neuron runtime: worker 0", "nrt_execute", 1_500, 1),
            ("Neuron runtime: worker 0", "mark", 3_000, 0),
            ("track 99", "nowhere", 500, 100),
        ]
    )
    assert {(lane.kind, lane.pid, lane.tid) for lane in profile.tracks} == {
        ("host", "77", "78"),
        ("host", "Neuron runtime", "4"),
        ("host", "trace", "99"),
    }
    assert set(categories(profile).values()) == {Category.OTHER}
    assert codes(profile) == {"no_device_rows": 1, "no_stacks": 1}
    manifest = profile.manifest
    assert (manifest.name, manifest.format) == ("system_profile", "perfetto_trace")
    assert (manifest.device, manifest.start_unix_ns) == ("unknown", 0)
    assert profile.steps["end_ns"].tolist() == [4_000]


def test_executions_of_both_physical_cores_are_one(tmp_path: Path) -> None:
    name = "nc_exec_running"
    path = write(
        tmp_path / "system.pftrace",
        [
            track(1, process=(5, "i-012")),
            track(2, thread=(5, 1, "worker")),
            track(3, thread=(5, 2, "worker")),
            *slice_of(
                2, EPOCH_NS, EPOCH_NS + 100, name, model_id=7, flow_id=1, lnc_idx=2, nc_idx=4
            ),
            *slice_of(
                3, EPOCH_NS + 3, EPOCH_NS + 120, name, model_id=7, flow_id=1, lnc_idx=2, nc_idx=5
            ),
            *slice_of(2, EPOCH_NS + 200, EPOCH_NS + 210, name, model_id=7, flow_id=2, lnc_idx=2),
            *slice_of(2, EPOCH_NS + 300, EPOCH_NS + 310, name),
        ],
    )
    profile = ingest.read(path)
    assert rows(profile) == Counter(
        [
            ("NeuronCore 2", name, 0, 120),
            ("NeuronCore 2", name, 200, 10),
            ("worker", name, 300, 10),
        ]
    )
    assert categories(profile) == {name: Category.DEVICE}
    assert {(lane.kind, lane.pid) for lane in profile.tracks} == {
        ("device", "NeuronCore 2"),
        ("device", "worker"),
    }
    assert (profile.manifest.device, profile.manifest.start_unix_ns) == ("neuron", EPOCH_NS)
    assert codes(profile) == {"unverified_format": 1, "executions_not_merged": 1, "no_stacks": 1}


def test_categories_of_torchs_traces_mean_the_same_here(tmp_path: Path) -> None:
    ids = {"External__id": 9, "correlation": (1 << 53) + 1}
    path = write(
        tmp_path / "trace.pftrace.gz",
        [
            track(1, "main"),
            track(2, "stream 7"),
            *slice_of(1, 0, 100, "train.py(12): step", category="python_function"),
            *slice_of(1, 0, 100, "torch/nn/modules/module.py(1): f", category="python_function"),
            *slice_of(1, 10, 60, "aten::mm", category="cpu_op", External__id=9, Sequence__number=4),
            *slice_of(1, 20, 30, "launch", category="cuda_runtime", **ids),
            *slice_of(2, 70, 90, "gemm", category="kernel", **ids),
            *slice_of(1, 95, 96, "else", category="mine", External__id=1),
        ],
    )
    profile = ingest.read(path)
    assert categories(profile) == {
        "train.py(12): step": Category.FUNCTION,
        "torch/nn/modules/module.py(1): f": Category.FUNCTION,
        "aten::mm": Category.OPERATOR,
        "launch": Category.RUNTIME,
        "gemm": Category.DEVICE,
        "else": Category.OTHER,
    }
    events = profile.events
    at = {profile.strings[code]: row for row, code in enumerate(map(int, events["name"]))}
    ids_of = {
        name: tuple(
            int(events[column][row]) for column in ("external_id", "correlation_id", "sequence_nr")
        )
        for name, row in at.items()
    }
    assert ids_of["aten::mm"] == (9, -1, 4)
    assert ids_of["launch"] == ids_of["gemm"] == (9, (1 << 53) + 1, -1)
    assert ids_of["else"] == (-1, -1, -1)
    assert profile.tracks[int(events["track"][at["gemm"]])].kind == "device"
    frame = int(events["frame"][at["train.py(12): step"]])
    assert profile.files[int(profile.frames["file"][frame])].path == "train.py"
    assert int(profile.frames["line"][frame]) == 12
    assert events["entry"].sum() == 1
    assert (profile.manifest.device, profile.manifest.line_level) == ("cuda", "function")
    assert codes(profile) == {}


def test_steps_of_the_profiler_are_steps(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.pftrace",
        [
            *slice_of(1, 0, 100, "ProfilerStep#3", category="user_annotation"),
            *slice_of(1, 100, 180, "ProfilerStep#4", category="user_annotation"),
            *slice_of(1, 10, 60, "aten::mm", category="cpu_op"),
            *slice_of(1, 110, 200, "aten::mm", category="cpu_op"),
        ],
    )
    profile = ingest.read(path)
    assert categories(profile)["ProfilerStep#4"] == Category.STEP
    assert profile.steps["start_ns"].tolist() == [0, 100]
    assert profile.steps["end_ns"].tolist() == [100, 200]
    assert profile.manifest.device == "cpu"


def test_texts_and_defaults_of_a_sequence(tmp_path: Path) -> None:
    first = TracePacket(
        trusted_packet_sequence_id=5,
        sequence_flags=TracePacket.SEQ_INCREMENTAL_STATE_CLEARED,
    )
    first.trace_packet_defaults.track_event_defaults.track_uuid = 8
    first.interned_data.event_names.add(iid=1, name="first")
    first.interned_data.event_categories.add(iid=1, name="kernel")
    first.interned_data.debug_annotation_names.add(iid=3, name="correlation")
    begin = event(TrackEvent.TYPE_SLICE_BEGIN, 10, sequence=5)
    begin.track_event.name_iid = 1
    begin.track_event.category_iids.append(1)
    begin.track_event.debug_annotations.add(name_iid=3, uint_value=42)
    again = TracePacket(trusted_packet_sequence_id=5, incremental_state_cleared=True)
    again.interned_data.event_names.add(iid=1, name="second")
    later = event(TrackEvent.TYPE_SLICE_BEGIN, 30, 8, sequence=5)
    later.track_event.name_iid = 1
    elsewhere = event(TrackEvent.TYPE_SLICE_BEGIN, 50, 8, sequence=6)
    elsewhere.track_event.name_iid = 1
    path = write(
        tmp_path / "t.pftrace",
        [
            first,
            begin,
            event(TrackEvent.TYPE_SLICE_END, 20, sequence=5),
            again,
            later,
            event(TrackEvent.TYPE_SLICE_END, 40, 8, sequence=5),
            elsewhere,
            event(TrackEvent.TYPE_SLICE_END, 60, 8, sequence=6),
            track(8, "lane"),
        ],
    )
    profile = ingest.read(path)
    assert rows(profile) == Counter(
        [("lane", "first", 0, 10), ("lane", "second", 20, 10), ("lane", "", 40, 10)]
    )
    assert categories(profile)["first"] == Category.DEVICE
    assert 42 in profile.events["correlation_id"]


def test_clocks_are_brought_to_one(tmp_path: Path) -> None:
    snapshot = clocks((BOOTTIME, 1_000_000), (REALTIME, EPOCH_NS), (MONOTONIC, 400_000))
    own = snapshot.clock_snapshot.clocks.add(clock_id=OWN, timestamp=7)
    own.is_incremental, own.unit_multiplier_ns = True, 1000
    defaults = TracePacket(trusted_packet_sequence_id=1)
    defaults.trace_packet_defaults.timestamp_clock_id = MONOTONIC
    on_own_clock = slice_of(1, 3, 2, "own")
    for packet in on_own_clock:
        packet.timestamp_clock_id = OWN
    on_boottime = slice_of(1, 1_000_500, 1_000_600, "boot")
    for packet in on_boottime:
        packet.timestamp_clock_id = BOOTTIME
    path = write(
        tmp_path / "t.pftrace",
        [
            snapshot,
            defaults,
            track(1, "lane"),
            *slice_of(1, 400_000, 400_100, "mono"),
            *on_own_clock,
            *on_boottime,
        ],
    )
    profile = ingest.read(path)
    # The own clock ticks once a microsecond from 7 on: 3 ticks after it, then 2 more.
    assert rows(profile) == Counter(
        [("lane", "mono", 0, 100), ("lane", "own", 3_000, 2_000), ("lane", "boot", 500, 100)]
    )
    assert profile.manifest.start_unix_ns == EPOCH_NS
    assert "unrelated_clocks" not in codes(profile)


def test_the_trace_may_name_its_clock_and_another_may_not_relate(tmp_path: Path) -> None:
    snapshot = clocks((MONOTONIC, 100), (REALTIME, EPOCH_NS))
    snapshot.clock_snapshot.primary_trace_clock = BUILTIN_CLOCK_MONOTONIC
    on_monotonic = slice_of(1, 50, 70, "mono")
    for packet in on_monotonic:
        packet.timestamp_clock_id = MONOTONIC
    path = write(
        tmp_path / "t.pftrace", [snapshot, *on_monotonic, *slice_of(1, 1_050, 1_060, "boot")]
    )
    profile = ingest.read(path)
    assert rows(profile) == Counter([("track 1", "mono", 0, 20), ("track 1", "boot", 1_000, 10)])
    assert profile.manifest.start_unix_ns == EPOCH_NS - 50
    assert codes(profile)["unrelated_clocks"] == 1


def test_counters_become_samples(tmp_path: Path) -> None:
    hbm = track(1, "HBM", parent=9)
    hbm.track_descriptor.counter.unit = CounterDescriptor.UNIT_SIZE_BYTES
    hbm.track_descriptor.counter.unit_multiplier = 1024
    change = track(2, "running")
    change.track_descriptor.counter.is_incremental = True
    path = write(
        tmp_path / "t.pftrace",
        [
            track(9, "NeuronCore 0"),
            hbm,
            change,
            *slice_of(3, 100, 400, "work"),
            counter(1, 250, 3),
            counter(1, 150, 2.5),
            counter(2, 100, 4),
            counter(2, 300, -1),
            counter(1, 260, float("nan")),
        ],
    )
    profile = ingest.read(path)
    series = [(one.name, one.unit, one.owner) for one in profile.manifest.series]
    assert series == [("HBM", "bytes", "NeuronCore 0"), ("running", "", "running")]
    samples = zip(*(profile.samples[name].tolist() for name in profile.samples), strict=True)
    assert list(samples) == [
        (0, 50, 2560.0),
        (0, 150, 3072.0),
        (1, 0, 4.0),
        (1, 200, 3.0),
    ]
    assert codes(profile)["samples_left_out"] == 1


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    timeless = event(TrackEvent.TYPE_SLICE_BEGIN, 0, 1, "timeless")
    timeless.ClearField("timestamp")
    scheduling = TracePacket(timestamp=5)
    scheduling.ftrace_events.cpu = 1
    path = write(
        tmp_path / "t.pftrace",
        [
            *slice_of(1, 10, 20, "kept"),
            event(TrackEvent.TYPE_SLICE_BEGIN, 30, 1, "never ends"),
            event(TrackEvent.TYPE_SLICE_END, 5, 1),
            event(TrackEvent.TYPE_SLICE_END, 5, 2),
            event(TrackEvent.TYPE_INSTANT, (1 << 64) - 1, 1, "beyond"),
            *slice_of(2, 10, 10 + 11 * 366 * 24 * 3600 * 10**9, "eleven years"),
            timeless,
            scheduling,
            TracePacket(zstd_compressed_packets=b"x"),
        ],
    )
    profile = ingest.read(path)
    assert rows(profile) == Counter([("track 1", "kept", 0, 10)])
    assert codes(profile) == {
        "unmatched_begin_end": 3,
        "bad_duration": 3,
        "other_data_sources": 1,
        "unknown_compression": 1,
        "no_device_rows": 1,
        "no_stacks": 1,
    }


def test_compressed_packets_are_read(tmp_path: Path) -> None:
    inner = bytes_of(slice_of(1, 10, 20, "inside"))
    nested = TracePacket(compressed_packets=zlib.compress(inner))
    twice = TracePacket(compressed_packets=zlib.compress(bytes_of([nested])))
    path = write(
        tmp_path / "t.pftrace",
        [*slice_of(1, 0, 5, "before"), nested, twice, TracePacket(compressed_packets=b"no zlib")],
    )
    profile = ingest.read(path)
    # Perfetto does not nest them either.
    assert rows(profile) == Counter([("track 1", "before", 0, 5), ("track 1", "inside", 10, 10)])
    assert codes(profile)["damaged_events"] == 1


@pytest.mark.parametrize("name", ["t.pftrace", "t.pftrace.gz"])
def test_of_a_cut_trace_every_whole_packet_is_read(tmp_path: Path, name: str) -> None:
    whole = bytes_of([*slice_of(1, 10, 20, "first"), *slice_of(1, 30, 40, "x" * 5000)])
    path = tmp_path / name
    path.write_bytes((gzip.compress(whole, 0) if name.endswith(".gz") else whole)[:-1000])
    profile = ingest.read(path)
    assert rows(profile) == Counter([("track 1", "first", 0, 10)])
    assert codes(profile)["cut_off"] == 1


def test_packets_are_found_across_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packets_module, "_WINDOW_BYTES", 7)
    slices = [each for at in range(50) for each in slice_of(1, at * 10, at * 10 + 3, f"s{at}")]
    profile = ingest.read(write(tmp_path / "t.pftrace", slices))
    assert len(profile.events) == 50


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"\x0a\x00", "no_events"),
        (b"\x00" * 100, "no_events"),
        (b"\x0a" + b"\xff" * 30, "no_events"),
        (b'{"traceEvents": []}', "no_events"),
        (bytes_of([track(1, "lane"), counter(1, 5, 5)]), "no_events"),
    ],
)
def test_traces_that_hold_nothing(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "t.pftrace"
    path.write_bytes(content)
    with pytest.raises(UnreadableInputError, match=r"t\.pftrace") as raised:
        FORMAT.read(path)
    assert raised.value.code == code


@pytest.mark.parametrize(
    "packets",
    [
        [clocks((BOOTTIME, 1)), *slice_of(1, 2, 3, "s")],
        [TracePacket(trusted_packet_sequence_id=3), track(1, "lane")],
        slice_of(1, 2, 3, "s"),
        [TracePacket(compressed_packets=zlib.compress(bytes_of(slice_of(1, 2, 3, "s"))))],
        [
            TracePacket(
                synchronization_marker=bytes.fromhex("82477a76b28d42ba81dc33326d57a079"),
            )
        ],
    ],
    ids=["clocks", "track", "event", "compressed", "marker"],
)
def test_traces_are_known_by_what_they_begin_with(
    tmp_path: Path, packets: list[TracePacket]
) -> None:
    assert FORMAT.detect(write(tmp_path / "unnamed", packets))


@pytest.mark.parametrize(
    "content",
    [
        b'\n{"traceEvents": []}' + b" " * 200,
        b"\n\n\n",
        b"\n",
        b"[]",
        b"\x1f\x8b",
        b"",
        # Other protocol buffers: messages of texts and numbers in field 1.
        b"\x0a\x08\x0a\x06i-0123" * 40,
        b"\x0a\x04\x40\x05\x50\x06" * 40,
        b"\x0a\x07\x40\x05\x5a\x03abc" * 40,
    ],
)
def test_other_files_are_no_traces(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    assert not FORMAT.detect(path)
    assert not FORMAT.detect(tmp_path)
    assert not FORMAT.detect(tmp_path / "absent.pftrace")


@pytest.mark.parametrize(
    "what",
    [
        "_MOST_SEQUENCES",
        "MOST_TRACKS",
        "_MOST_EVENTS",
        "_MOST_PACKETS",
        "_MOST_TEXTS",
        "_MOST_CLOCKS",
        "_MOST_EXECUTIONS",
    ],
)
def test_room_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    for module in (clocks_module, descriptors, sequences, track_events, packets_module):
        if hasattr(module, what):
            monkeypatch.setattr(module, what, 2)
    texts = TracePacket()
    for number in range(3):
        texts.interned_data.event_names.add(iid=number, name="a")
    path = write(
        tmp_path / "t.pftrace",
        [
            texts,
            clocks((BOOTTIME, 1), (REALTIME, 2), (MONOTONIC, 3)),
            *(track(uuid, "lane") for uuid in range(3)),
            *(
                each
                for at in range(3)
                for each in slice_of(1, at, at, "nc_exec_running", sequence=at)
            ),
        ],
    )
    with pytest.raises(UnreadableInputError, match=r"t\.pftrace") as raised:
        ingest.read(path)
    assert raised.value.code == "too_large"


def test_ids_of_a_damaged_event_are_not_anothers(tmp_path: Path) -> None:
    begin, end = slice_of(1, 10, 20, "damaged", category="kernel", correlation=7)
    begin.track_event.debug_annotations.add(name="x", string_value="cut here")
    torn = bytes_of([begin]).replace(b"\x32\x08cut here", b"\x32\x7fcut here")
    assert torn != bytes_of([begin])
    path = tmp_path / "t.pftrace"
    whole = slice_of(1, 30, 40, "whole", category="kernel")
    path.write_bytes(torn + bytes_of([*whole, end]))
    profile = ingest.read(path)
    assert column(profile, "correlation_id") == [-1]
    assert codes(profile)["damaged_events"] == 1


def test_tracks_that_are_in_each_other_have_an_end(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.pftrace",
        [track(1, "a", parent=2), track(2, "b", parent=1), *slice_of(1, 0, 1, "s")],
    )
    assert [lane.name for lane in ingest.read(path).tracks] == ["b: a"]


@st.composite
def nested_slices(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Starts and ends of slices that nest properly, each instant used once."""
    shape = draw(st.lists(st.booleans(), max_size=24))
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    at = 0
    for opens in shape:
        at += draw(st.integers(1, 1000))
        if opens or not opened:
            opened.append(at)
        else:
            spans.append((opened.pop(), at))
    while opened:
        at += 1
        spans.append((opened.pop(), at))
    return spans


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    lanes=st.lists(nested_slices(), min_size=1, max_size=4),
    order=st.randoms(use_true_random=False),
    compress=st.booleans(),
)
def test_slices_come_back_whatever_the_order_of_packets(
    tmp_path: Path, lanes: list[list[tuple[int, int]]], order: Random, compress: bool
) -> None:
    packets = [
        packet
        for uuid, spans in enumerate(lanes, start=1)
        for number, (start, end) in enumerate(spans)
        for packet in slice_of(uuid, EPOCH_NS + start, EPOCH_NS + end, f"s{number}")
    ]
    order.shuffle(packets)
    if compress:
        packets = [TracePacket(compressed_packets=zlib.compress(bytes_of(packets)))]
    expected = Counter(
        (f"track {uuid}", f"s{number}", start, end - start)
        for uuid, spans in enumerate(lanes, start=1)
        for number, (start, end) in enumerate(spans)
    )
    path = write(tmp_path / "t.pftrace", packets)
    if not expected:
        with pytest.raises(UnreadableInputError):
            FORMAT.read(path)
        return
    zero = min(start for _, _, start, _ in expected)
    assert rows(ingest.read(path)) == Counter(
        {(lane, name, at - zero, took): n for (lane, name, at, took), n in expected.items()}
    )


SAMPLE = bytes_of(
    [
        clocks((BOOTTIME, 1_000_000), (REALTIME, EPOCH_NS), (MONOTONIC, 400_000)),
        track(1, process=(77, "python")),
        track(2, "lane", parent=1),
        *slice_of(2, 10, 30, "aten::mm", category="cpu_op", External__id=3),
        *slice_of(2, 12, 30, "nc_exec_running", flow_id=1, model_name="m"),
        counter(1, 20, 1.5),
        TracePacket(compressed_packets=zlib.compress(bytes_of(slice_of(1, 5, 6, "inside")))),
    ]
)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    at=st.integers(0, len(SAMPLE) - 1),
    length=st.integers(0, 20),
    put=st.binary(max_size=20),
)
def test_damaged_traces_are_read_or_explained(
    tmp_path: Path, at: int, length: int, put: bytes
) -> None:
    path = tmp_path / "damaged.pftrace"
    path.write_bytes(SAMPLE[:at] + put + SAMPLE[at + length :])
    message = str(path)
    try:
        profile = FORMAT.read(path)
    except UnreadableInputError as error:
        message = error.message
    else:
        assert (profile.events["duration_ns"] >= 0).all()
        assert (profile.events["start_ns"] >= 0).all()
    assert str(path) in message
