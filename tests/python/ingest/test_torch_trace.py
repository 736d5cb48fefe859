"""Traces that torch.profiler wrote, and what their rows become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import EVENT_COLUMNS, Category
from traces.chrome import BASE_NS, PID, Event, arrow, operator, row, text_of, write


def names(profile: Profile) -> list[str]:
    return [profile.strings[name] for name in profile.events["name"]]


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def event_named(profile: Profile, name: str) -> dict[str, int]:
    index = names(profile).index(name)
    return {column: int(profile.events[column][index]) for column in profile.events}


def test_columns_of_an_operator_and_its_kernel(tmp_path: Path) -> None:
    shapes: dict[str, Any] = {
        "Input Dims": [[4, 8], []],
        "Input type": ["float", "Scalar"],
        "Concrete Inputs": ["", "1e-05"],
    }
    ids = {"External id": 5, "Sequence number": 9, "Fwd thread id": 0}
    path = write(
        tmp_path / "run.json",
        [
            operator("aten::mm", 10.5, 20.25, **ids, **shapes),
            row("cuda_runtime", "cudaLaunchKernel", 12.0, 1.0, correlation=77),
            row("kernel", "gemm", 40.001, 3.5, pid=0, tid=7, correlation=77, **{"External id": 5}),
        ],
        distributedInfo={"rank": 3, "world_size": 8},
        host_name="box",
    )
    profile = ingest.read(path)
    assert set(profile.events) == set(EVENT_COLUMNS)
    assert {name: profile.events[name].dtype for name in EVENT_COLUMNS} == EVENT_COLUMNS
    mm, gemm = event_named(profile, "aten::mm"), event_named(profile, "gemm")
    assert (mm["start_ns"], mm["duration_ns"]) == (0, 20_250)
    assert (mm["external_id"], mm["sequence_nr"], mm["correlation_id"]) == (5, 9, -1)
    assert profile.strings[mm["signature"]] == json.dumps(shapes, separators=(",", ":"))
    assert (gemm["start_ns"], gemm["duration_ns"]) == (29_501, 3_500)
    assert (gemm["external_id"], gemm["correlation_id"], gemm["signature"]) == (5, 77, -1)
    assert event_named(profile, "cudaLaunchKernel")["correlation_id"] == 77
    assert [(t.kind, t.pid, t.tid) for t in profile.tracks] == [
        ("host", str(PID), "1"),
        ("device", "0", "7"),
    ]
    manifest = profile.manifest
    assert manifest.start_unix_ns == BASE_NS + 10_500
    assert (manifest.device, manifest.format, manifest.name) == ("cuda", "torch_trace", "run")
    assert (manifest.rank, manifest.world_size, manifest.host) == (3, 8, "box")
    assert profile.steps["start_ns"].tolist() == [0]
    assert profile.steps["end_ns"].tolist() == [33_001]


@settings(max_examples=30, deadline=None)
@given(
    times=st.lists(
        st.tuples(st.integers(1, 3), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40
    )
)
def test_rows_are_sorted_by_track_start_longest_and_file(
    times: list[tuple[int, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    events = [
        operator(f"op{index}", start, duration, tid=tid)
        for index, (tid, start, duration) in enumerate(times)
    ]
    profile = ingest.read(write(tmp_path_factory.mktemp("sorted") / "t.json", events))
    tids = list(dict.fromkeys(tid for tid, _, _ in times))
    expected = sorted(
        range(len(times)),
        key=lambda index: (tids.index(times[index][0]), times[index][1], -times[index][2], index),
    )
    assert names(profile) == [f"op{index}" for index in expected]


def test_a_stream_and_a_thread_of_the_same_numbers_are_two_tracks(tmp_path: Path) -> None:
    events = [
        row("python_function", "train.py(1): f", 0, 9, pid=0, tid=0),
        row("kernel", "k", 1, 2, pid=0, tid=0),
        {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "python"}},
        {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}},
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert [(t.kind, t.name) for t in profile.tracks] == [
        ("host", "python: thread 0"),
        ("device", "GPU 0: stream 0"),
    ]


def test_older_spellings(tmp_path: Path) -> None:
    events = [
        row("Operator", "aten::add", 1, 5, **{"external id": "12"}),
        row("Operator", "ProfilerStep#2", 0, 9),
        row("Kernel", "k", 2, 2, pid="0", tid="stream 7", **{"external id": "12"}),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events, base_ns=None))
    assert event_named(profile, "aten::add")["external_id"] == 12
    assert event_named(profile, "k")["category"] == Category.DEVICE
    assert event_named(profile, "ProfilerStep#2")["category"] == Category.STEP
    assert profile.tracks[1].tid == "stream 7"


def test_gpu_user_annotation_is_no_device_time(tmp_path: Path) -> None:
    events = [
        row("gpu_user_annotation", "ProfilerStep#1", 0, 50, pid=0, tid=7),
        row("kernel", "k", 2, 2, pid=0, tid=7),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert event_named(profile, "ProfilerStep#1")["category"] == Category.ANNOTATION
    assert len(profile.steps) == 1
    assert profile.steps["end_ns"].tolist() == [50_000]


def test_functions_of_the_user_have_frames(tmp_path: Path) -> None:
    events = [
        row("python_function", "project/train.py(30): main", 0, 90),
        row("python_function", "torch/nn/modules/module.py(1770): _call_impl", 1, 80),
        row("python_function", "project/train.py(30): main", 100, 5),
        operator("aten::add", 2, 5),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert profile.manifest.line_level == "function"
    assert profile.events["frame"].tolist() == [0, -1, -1, 0]
    assert profile.events["entry"].tolist() == [1, 0, 0, 1]
    assert [file.path for file in profile.files] == ["project/train.py"]
    assert profile.frames["line"].tolist() == [30]
    assert profile.strings[profile.frames["function"][0]] == "main"
    assert codes(profile) == {"cpu_is_device": 1, "function_level_lines": 1, "no_shapes": 1}


def test_a_trace_without_a_place_says_what_it_lacks(tmp_path: Path) -> None:
    events = [operator("aten::add", 2, 5)]
    said: list[str] = []
    for more in ([], [row("python_function", "trace.py(3): main", 0, 90)]):
        profile = ingest.read(write(tmp_path / "t.json", [*events, *more]))
        (note,) = [note for note in profile.manifest.quality if note.code == "no_stacks"]
        said.append(note.message)
    without_stacks, of_others = said
    assert "with_stack=True" in without_stacks
    assert "with_stack" not in of_others
    assert "give it another name" in of_others


def test_steps_of_the_profiler(tmp_path: Path) -> None:
    events = [
        row("user_annotation", "ProfilerStep#4", 10, 10),
        row("user_annotation", "ProfilerStep#5", 20, 10),
        row("user_annotation", "ProfilerStep#4", 11, 99, tid=2),
        operator("aten::add", 0, 5),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    # From one boundary to the next; the first and the last hold what else is in the trace.
    assert profile.steps["start_ns"].tolist() == [0, 20_000]
    assert profile.steps["end_ns"].tolist() == [20_000, 110_000]
    assert profile.manifest.steps_from == "profiler"


def backward(name: str, ts: float, number: int, *, tid: int) -> Event:
    ids = {"Sequence number": 4, "Fwd thread id": number}
    return operator(name, ts, 3, tid=tid, **ids)


def forward(name: str, ts: float, *, tid: int) -> Event:
    return operator(name, ts, 3, tid=tid, **{"Sequence number": 4, "Fwd thread id": 0})


def test_the_forward_thread_is_told_by_arrows(tmp_path: Path) -> None:
    events = [
        forward("f1", 0, tid=1),
        forward("f2", 1, tid=2),
        backward("b1", 10, 6, tid=3),
        backward("b2", 20, 5, tid=3),
        backward("b3", 30, 5, tid=1),
        backward("unknown", 40, 9, tid=3),
        *arrow(1, (1, 0), (3, 10)),
        *arrow(2, (2, 1), (3, 20)),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    told = {name: event_named(profile, name)["forward_thread"] for name in names(profile)}
    assert told == {"f1": 0, "f2": 0, "b1": 1, "b2": 2, "b3": 2, "unknown": -1}


def test_the_only_thread_with_forwards_needs_no_arrow(tmp_path: Path) -> None:
    events = [operator("other", 0, 1, tid=1), forward("f", 1, tid=2), backward("b", 5, 3, tid=1)]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert event_named(profile, "b")["forward_thread"] == 2


def test_begin_and_end_become_rows(tmp_path: Path) -> None:
    events: list[Event] = [
        {"ph": "B", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 1.0},
        {"ph": "B", "cat": "cpu_op", "name": "inner", "pid": 1, "tid": 1, "ts": 2.0},
        {"ph": "E", "pid": 1, "tid": 1, "ts": 3.5},
        {"ph": "E", "pid": 1, "tid": 1, "ts": 9.0},
        {"ph": "E", "pid": 1, "tid": 1, "ts": 9.5},
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert names(profile) == ["outer", "inner"]
    assert profile.events["duration_ns"].tolist() == [8_000, 1_500]
    assert codes(profile)["unmatched_begin_end"] == 1


def test_bad_durations_are_counted_and_left_out(tmp_path: Path) -> None:
    no_duration, no_start = operator("no duration", 1, 1), operator("no start", 1, 1)
    del no_duration["dur"], no_start["ts"]
    events = [operator("good", 0, 1), operator("negative", 1, -1), operator("aeon", 1, 1e18)]
    events += [operator("late", 1e16, 1), no_duration, no_start]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert names(profile) == ["good"]
    assert codes(profile)["bad_duration"] == 5


def test_line_rows_without_their_capture_are_counted_and_left_out(tmp_path: Path) -> None:
    events = [operator("sidelight:0", 0, 9), operator("aten::add", 1, 2)]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert names(profile) == ["aten::add"]
    assert codes(profile)["unexplained_lines"] == 1


def test_gzip_a_bare_list_and_any_name_give_the_same(tmp_path: Path) -> None:
    events = [operator("aten::add", 1, 2), row("kernel", "k", 3, 4, pid=0)]
    plain = ingest.read(write(tmp_path / "a.json", events, base_ns=None))
    zipped = ingest.read(write(tmp_path / "a.json.gz", events, base_ns=None))
    bare = tmp_path / "trace of monday"
    bare.write_text(json.dumps(events))
    for other in (zipped, ingest.read(bare)):
        for column in EVENT_COLUMNS:
            np.testing.assert_array_equal(plain.events[column], other.events[column])


def test_progress_grows_to_one_and_can_cancel(tmp_path: Path) -> None:
    path = write(tmp_path / "t.json", [operator("aten::add", 1, 2)])
    fractions: list[float] = []
    ingest.read(path, progress=fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0

    def cancel(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest.read(path, progress=cancel)


def test_a_bare_list_is_known_by_its_first_event_whatever_comes_first_in_it(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    event = operator("aten::add", 1, 2)
    for text in ('{"a": {"b": []}}', f'{{"text": "{"x" * 5_000_000}"}}'):
        path.write_text(json.dumps([{"args": json.loads(text), **event}]))
        assert names(ingest.read(path)) == ["aten::add"]


def test_events_are_found_behind_a_long_header(tmp_path: Path) -> None:
    header = {"deviceProperties": "x" * 5_000_000}
    path = write(tmp_path / "t.json", [operator("aten::add", 1, 2)], **header)
    assert names(ingest.read(path)) == ["aten::add"]


def test_calls_of_a_runtime_are_the_devices_time_only_for_privateuse1(tmp_path: Path) -> None:
    labels = {"ph": "M", "name": "process_labels", "pid": PID, "args": {"labels": "Neuron 0"}}
    devices = {"privateuse1_runtime": "neuron", "cuda_runtime": "cpu"}
    for category, device in devices.items():
        events = [operator("aten::mm", 0, 9), row(category, "execute", 1, 5), labels]
        profile = ingest.read(write(tmp_path / "t.json", events))
        assert profile.manifest.device == device
        assert [track.kind for track in profile.tracks] == ["host"]


def test_device_rows_without_a_duration_are_no_device_time(tmp_path: Path) -> None:
    events = [operator("aten::mm", 0, 9), row("kernel", "k", 1, 0, pid=0)]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert profile.manifest.device == "cpu"


def test_files_that_exist_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside, here = tmp_path / "beside", tmp_path / "here"
    for path in (beside / "t1.py", here / "package" / "t2.py"):
        path.parent.mkdir(parents=True)
        path.write_text("")
    monkeypatch.chdir(here)
    files = ["t1.py", "./package/t2.py", "gone.py", "/gone/t3.py", "a\0.py", "long" * 99 + ".py"]
    events = [
        row("python_function", f"{file}(3): f", 10 * number, 5) for number, file in enumerate(files)
    ]
    profile = ingest.read(write(beside / "trace.json", events))
    assert [file.path for file in profile.files] == [
        str(beside / "t1.py"),
        str(here / "package" / "t2.py"),
        *files[2:],
    ]


DIGITS = st.one_of(
    st.integers(0, 1 << 70).map(str),
    st.integers(1, 5000).map("9".__mul__),
    st.text(st.characters(categories=["Nd", "No"]), min_size=1, max_size=12),
)
NAMES = st.one_of(
    st.text(max_size=8),
    st.builds(
        str.format,
        st.sampled_from(
            ["sidelight:{}", "sidelight.mark:{}", "ProfilerStep#{}", "foo.py({}): f", "({}): f({})"]
        ),
        DIGITS,
        DIGITS,
    ),
)
CATEGORIES = st.sampled_from(["cpu_op", "python_function", "user_annotation", "kernel", "other"])


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(CATEGORIES, NAMES), min_size=1, max_size=6), rank=DIGITS)
def test_any_names_and_numbers_can_be_read_and_stored(
    rows: list[tuple[str, str]], rank: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    directory = tmp_path_factory.mktemp("names")
    events = [row(category, name, 10 * at, 5) for at, (category, name) in enumerate(rows)]
    info = {"rank": int(rank) if len(rank) < 20 and rank.isdecimal() else rank}
    profile = ingest.read(write(directory / "t.json", [ANCHOR, *events], distributedInfo=info))
    left_out = codes(profile).get("unexplained_lines", 0)
    marks = sum(name.startswith("sidelight.mark:") for _, name in rows)
    assert len(rows) + 1 - left_out - marks <= len(profile.events) <= len(rows) + 1 - left_out
    assert (profile.frames["line"] >= 1).all()
    stored = Store(directory / "store").add(profile)
    assert len(stored.load().events) == len(profile.events)


@pytest.mark.parametrize("digits", ["9" * 5000, "99999999999", str(1 << 63)])
def test_numbers_in_names_have_an_end(tmp_path: Path, digits: str) -> None:
    events = [
        ANCHOR,
        operator(f"sidelight:{digits}", 1, 2),
        operator(f"sidelight.mark:{digits}", 3, 1),
        row("python_function", f"foo.py({digits}): f", 5, 1),
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert len(profile.events) == 2
    assert codes(profile)["unexplained_lines"] == 1
    assert len(profile.frames) == 0


ANCHOR = operator("aten::anchor", 0, 1)
WHOLE = text_of([operator("aten::add", 1, 2)])


@pytest.mark.parametrize(
    ("code", "contents"),
    [
        ("empty", b""),
        ("unknown_format", b"hello"),
        ("unknown_format", b'{"traceEvent": []}'),
        ("no_events", b'{"traceEvents": []}'),
        ("no_events", b'{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1}]}'),
        ("broken_json", WHOLE[:-20].encode()),
        ("broken_json", WHOLE.replace('"ts": 1', '"ts": NaN').encode()),
        ("broken_json", WHOLE.replace('"ts"', f'"deep": {"[" * 100_000}, "ts"').encode()),
        ("broken_gzip", b"\x1f\x8b\x08nonsense"),
    ],
)
def test_what_cannot_be_read_is_said_plainly(tmp_path: Path, code: str, contents: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(contents)
    with pytest.raises(UnreadableInputError) as caught:
        ingest.read(path)
    assert caught.value.code == code
    assert str(path) in caught.value.message


def test_what_is_not_there(tmp_path: Path) -> None:
    for path, code in (
        (tmp_path / "none.json", "not_found"),
        (tmp_path, "empty"),
        (tmp_path / ("long" * 99), "not_readable"),
    ):
        with pytest.raises(UnreadableInputError) as caught:
            ingest.read(path)
        assert caught.value.code == code
