"""Folders of sessions and ranks: what is found, what belongs together, and what is said of it."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ingest.explorer.system_sample import EPOCH_NS, INSTANCE, SystemRows
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.ingest.recordings import Member, are_of_one_run, ranks_of
from sidelight.ingest.sessions.contents import look_through, natural_order
from sidelight.ingest.sessions.pairing import pair
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Track
from sidelight.profile.model import Profile
from support.explorer_tables import write_tables
from traces import chrome

SEQUENCE = 1 << 48
DRIVER = "privateuse1_driver"


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def read_all(path: Path) -> list[tuple[str | None, Profile]]:
    """Worker and attributed profile of each."""
    return [
        (recording.worker, attribute(profile))
        for recording in ingest.recordings(path)
        for profile in recording.read(None)
    ]


def device_time(profile: Profile) -> dict[tuple[str, str], int]:
    """Device time by innermost place and by operator."""
    events, frames = profile.events, profile.frames
    found: defaultdict[tuple[str, str], int] = defaultdict(int)
    for row in map(int, np.flatnonzero(events["device_ns"])):
        stack = int(events["stack"][row])
        place = "?"
        if stack >= 0:
            frame = int(profile.stacks["frame"][stack])
            file = profile.files[int(frames["file"][frame])].path
            place = f"{Path(file).name}:{int(frames['line'][frame])}"
        operator = profile.strings[int(events["name"][int(events["operator"][row])])]
        found[place, operator] += int(events["device_ns"][row])
    return dict(found)


def trace_events(pid: int, *, ids: bool = True, drivers: bool = True) -> list[chrome.Event]:
    """Two calls of one operator in two functions; the device works later, in the other order, on
    what waits in its queue."""
    events = [
        chrome.row("python_function", "a.py(1): first", 0, 50, pid=pid),
        chrome.operator("aten::mm", 1, 10, pid=pid, **{"External id": 11, "Sequence number": 5}),
        chrome.row("python_function", "b.py(2): second", 60, 50, pid=pid),
        chrome.operator("aten::mm", 61, 10, pid=pid, **{"External id": 12, "Sequence number": 6}),
    ]
    for number, start, duration in ((12, 200, 90), (11, 205, 185)) if drivers else ():
        own: dict[str, Any] = {"External id": number}
        if ids:
            own["nrt_sequence_id"] = SEQUENCE + number
        events.append(chrome.row(DRIVER, "aten::mm", start, duration, pid=0, tid=0, **own))
    return events


def write_trace(path: Path, pid: int, **options: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {"distributedInfo": options.pop("distributed")} if "distributed" in options else {}
    return chrome.write(path, trace_events(pid, **options), base_ns=EPOCH_NS, **header)


def write_device(folder: Path, pids: Sequence[int], *, instance: str = INSTANCE) -> Path:
    """Tables of a system profile: of each process two executions, on both physical cores."""
    rows: list[dict[str, Any]] = []
    for pid in pids:
        one = SystemRows(pid, instance)
        for number, start in ((12, 210_000), (11, 310_000)):
            flow, sequence = str(number), str(SEQUENCE + number)
            one.wait(start - 1_000, start + 60_000, sequence, flow)
            one.execution(start, start + 50_000 + number, flow, 0)
            one.execution(start + 5, start + 50_000, flow, 1)
        rows += one.rows
    return write_tables(folder, {"SystemProfileEvents": rows})


EXPECTED = {("b.py:2", "aten::mm"): 50_012, ("a.py:1", "aten::mm"): 50_011}


def test_a_session_is_joined_by_sequence_ids(tmp_path: Path) -> None:
    session = tmp_path / f"{INSTANCE}_pid_42" / "1766072157"
    write_trace(session / "trace.json", 42)
    for name in ("ntrace.pb", "trace_info.pb"):
        (session / name).write_bytes(b"?")
    write_device(tmp_path / "data" / "profiles" / "global" / "x@latest", [42])
    ((worker, profile),) = read_all(tmp_path)
    assert worker == f"{INSTANCE}_pid_42"
    assert device_time(profile) == EXPECTED
    assert profile.manifest.start_unix_ns == EPOCH_NS
    assert codes(profile)["joined_by_sequence_id"] == 2
    assert "no_trace_json" not in codes(profile)
    assert profile.manifest.format == "neuron_session"
    assert profile.manifest.device == "neuron"


@pytest.mark.parametrize("time", ['"NaN"', '"-Infinity"', "1e999999999", "-9e18", "4e18"])
def test_times_that_cannot_be_keep_no_other_work_from_its_operator(
    tmp_path: Path, time: str
) -> None:
    trace = write_trace(tmp_path / "trace.json", 42)
    impossible = f'{{"ph": "X", "cat": "{DRIVER}", "name": "aten::mm", "pid": 0, "tid": 0, '
    impossible += f'"ts": {time}, "dur": 1, "args": {{"nrt_sequence_id": "{SEQUENCE + 99}"}}}}'
    before, found, after = trace.read_text().partition('"traceEvents": [')
    assert found
    trace.write_text(f"{before}{found}{impossible}, {after}")
    write_device(tmp_path / "tables", [42])
    ((_, profile),) = read_all(tmp_path)
    assert device_time(profile) == EXPECTED
    assert codes(profile)["joined_by_sequence_id"] == 2


def test_where_neither_part_has_a_row_of_the_device_the_cpu_is_the_device(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42, drivers=False)
    rows = SystemRows(42, INSTANCE)
    rows.add("neuron_rt", "nrt_execute", 20_000, 30_000)
    write_tables(tmp_path / "tables", {"SystemProfileEvents": rows.rows})
    ((_, profile),) = read_all(tmp_path)
    assert profile.manifest.device == "cpu"
    assert codes(profile)["no_device_rows"] == 1
    assert "cpu_is_device" not in codes(profile)
    assert device_time(profile) == {("a.py:1", "aten::mm"): 10_000, ("b.py:2", "aten::mm"): 10_000}


def test_without_ids_beside_the_work_the_frameworks_mapping_tells(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42, ids=False)
    mapping = [
        {"nrta_seq_id": str(SEQUENCE + number)}
        | {"framework_op_exec_ids": [{"seq_nr": number - 6, "th_id": 1, "stream_id": 0}]}
        for number in (11, 12)
    ]
    (tmp_path / "framework_mapping_20261130_101010_123.json").write_text(
        json.dumps({"version": 1, "data": mapping})
    )
    write_device(tmp_path / "tables", [42])
    ((_, profile),) = read_all(tmp_path)
    assert device_time(profile) == EXPECTED
    assert codes(profile)["joined_by_framework_mapping"] == 2


def test_without_any_ids_the_clock_tells(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42, ids=False)
    write_device(tmp_path / "tables", [42])
    ((_, profile),) = read_all(tmp_path)
    assert device_time(profile) == EXPECTED
    assert codes(profile)["joined_by_clock"] == 2


def test_rows_that_the_tool_took_from_the_trace_tell(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42, drivers=False)
    rows = SystemRows(42)
    rows.host("aten::mm", 1_000, 11_000)
    rows.host("aten::mm", 61_000, 71_000)
    for flow, start in (("1000", 100_000), ("1001", 200_000)):
        rows.work("aten::mm", start, start + 90_000, flow)
        rows.wait(start, start + 80_000, flow, flow[-1])
        rows.execution(start + 1_000, start + 2_000 + int(flow), flow[-1], 0)
    write_tables(tmp_path / "tables", {"SystemProfileEvents": rows.rows})
    ((_, profile),) = read_all(tmp_path)
    assert device_time(profile) == {
        ("a.py:1", "aten::mm"): 2_000,
        ("b.py:2", "aten::mm"): 2_001,
    }
    assert codes(profile)["joined_by_framework_rows"] == 2


def test_what_is_by_another_clock_is_a_profile_of_its_own(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42)
    rows = SystemRows(42)
    rows.execution(10**15, 10**15 + 7, "1", 0)
    write_tables(tmp_path / "tables", {"SystemProfileEvents": rows.rows})
    (_, trace), (_, device) = read_all(tmp_path)
    assert codes(trace)["not_joined"] == 1
    assert sum(device_time(device).values()) == 7


def test_processes_are_ranks_each_with_its_part_of_the_tables(tmp_path: Path) -> None:
    for pid in (10, 9):
        write_trace(tmp_path / f"{INSTANCE}_pid_{pid}" / "1" / "trace.json", pid)
    write_device(tmp_path / "tables", [9, 10])
    found = read_all(tmp_path)
    assert [worker for worker, _ in found] == [f"{INSTANCE}_pid_9", f"{INSTANCE}_pid_10"]
    for _, profile in found:
        assert device_time(profile) == EXPECTED
        assert codes(profile)["joined_by_sequence_id"] == 2


def test_of_tables_of_several_processes_a_trace_takes_its_own(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 10)
    write_device(tmp_path / "tables", [9, 10, 11])
    ((_, profile),) = read_all(tmp_path)
    assert device_time(profile) == EXPECTED
    assert codes(profile)["processes_left_out"] == 2


def test_tables_of_several_processes_alone(tmp_path: Path) -> None:
    write_device(tmp_path, [9, 10, 11])
    found = read_all(tmp_path)
    assert [worker for worker, _ in found] == [f"{INSTANCE}_pid_{pid}" for pid in (9, 10, 11)]
    assert [sum(device_time(profile).values()) for _, profile in found] == [100_023] * 3


def test_several_traces_are_ranks(tmp_path: Path) -> None:
    for rank in (10, 2):
        write_trace(tmp_path / f"rank{rank}.pt.trace.json.gz", rank, distributed={"rank": rank})
    found = read_all(tmp_path)
    assert [(worker, profile.manifest.rank) for worker, profile in found] == [
        ("rank2", 2),
        ("rank10", 10),
    ]


def test_cycles_of_one_worker_are_of_one_rank(tmp_path: Path) -> None:
    for time in (1766072157123, 1766072158123):
        write_trace(tmp_path / f"host_42.{time}.pt.trace.json", 42)
    assert [worker for worker, _ in read_all(tmp_path)] == ["host_42", "host_42"]


def test_what_only_neurons_tool_reads_says_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    session = tmp_path / f"{INSTANCE}_pid_42" / "1766072157"
    session.mkdir(parents=True)
    (session / "ntrace.pb").write_bytes(b"?")
    (session / "profile_nc_0_session_0.ntff").write_bytes(b"")
    with pytest.raises(UnreadableInputError) as raised:
        read_all(tmp_path)
    assert raised.value.code == "needs_neuron_explorer"
    assert f"neuron-explorer view --ingest-only -d {tmp_path} --data-path" in raised.value.message
    assert str(session) in raised.value.message
    assert "One capture (NTFF) is empty" in raised.value.message


def test_what_a_session_lacks_is_noted(tmp_path: Path) -> None:
    session = tmp_path / f"{INSTANCE}_pid_42" / "1766072157"
    write_trace(session / "trace.json", 43)
    (session / "profile_nc_0_session_0.ntff").write_bytes(b"")
    (session / "profile_nc_1_session_0.ntff").write_bytes(b"?")
    ((_, profile),) = read_all(tmp_path)
    found = codes(profile)
    assert found["empty_ntff"] == 1
    assert found["no_neff"] == 1
    assert found["mixed_processes"] == 1
    assert found["runtime_files_not_read"] == 2
    write_device(session / "tables", [42])
    (session / "trace.json").unlink()
    ((_, profile),) = read_all(session)
    assert codes(profile)["no_trace_json"] == 1
    assert "runtime_files_not_read" not in codes(profile)


def test_a_broken_part_does_not_keep_the_rest_away(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42)
    tables = write_device(tmp_path / "tables", [42])
    file = tables / "SystemProfileEvents.parquet"
    file.write_bytes(file.read_bytes()[:-20])
    ((_, profile),) = read_all(tmp_path)
    assert codes(profile)["part_not_read"] == 1
    assert set(device_time(profile)) == {("a.py:1", "aten::mm"), ("b.py:2", "aten::mm")}


def test_empty_and_unrelated_folders(tmp_path: Path) -> None:
    (tmp_path / "empty" / "inner").mkdir(parents=True)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(b"\xff\xd8")
    (tmp_path / "photos" / "a.json").write_text('{"a": 1}')
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "x.neff").write_bytes(b"?")
    for name, code, words in (
        ("empty", "empty", "holds no file at all. Looked for: torch.profiler traces"),
        ("photos", "unknown_format", "holds nothing that Sidelight reads. Looked for:"),
        ("programs", "unknown_format", "no recording of their runs"),
        ("missing", "not_found", "There is no file"),
    ):
        with pytest.raises(UnreadableInputError) as raised:
            ingest.recordings(tmp_path / name)
        assert raised.value.code == code
        assert words in raised.value.message


def test_links_and_bounds(tmp_path: Path) -> None:
    outside = write_trace(tmp_path / "outside" / "trace.json", 1)
    folder = tmp_path / "run"
    inside = write_trace(folder / "deep" / "trace.json", 1)
    os.symlink(folder, folder / "deep" / "loop")
    os.symlink(outside, folder / "stolen.json")
    os.symlink(inside, folder / "same.json")
    write_trace(folder / ".hidden" / "trace.json", 1)
    contents = look_through(folder, ingest.FORMATS[1:])
    assert [path.relative_to(folder).as_posix() for path, _ in contents.readable] == [
        "deep/trace.json",
        "same.json",
    ]
    assert contents.links_left_out == 2
    assert contents.is_whole
    assert not look_through(folder, ingest.FORMATS[1:], most_entries=2).is_whole
    found = read_all(folder)
    assert all(codes(profile)["links_left_out"] == 2 for _, profile in found)


def test_programs_are_paired_with_captures(tmp_path: Path) -> None:
    def files(*names: str) -> list[Path]:
        for name in names:
            (tmp_path / name).write_bytes(b"" if "empty" in name else b"x")
        return [tmp_path / name for name in names]

    neffs = files("neff_17.neff", "neff_18_vnc_0.neff", "other.neff")
    ntffs = files(
        "17_instid_0_vnc_0.ntff", "18_vnc_0.ntff", "profile_nc_0_session_3.ntff", "x.ntff"
    )
    ntffs += files("y_empty.ntff", "99_vnc_0.ntff", "other-0-1.ntff")
    uuids = {"other.neff": "aa", "x.ntff": "aa"}
    found = pair(
        ntffs,
        neffs,
        uuid_of_neff=lambda path: uuids.get(path.name),
        uuids_of_ntff=lambda path: [uuids[path.name]] if path.name in uuids else [],
    )
    assert [(each.ntff.name, [neff.name for neff in each.neffs], each.how) for each in found] == [
        ("17_instid_0_vnc_0.ntff", ["neff_17.neff"], "number"),
        ("18_vnc_0.ntff", ["neff_18_vnc_0.neff"], "number"),
        ("profile_nc_0_session_3.ntff", [neff.name for neff in neffs], "session"),
        ("x.ntff", ["other.neff"], "uuid"),
        ("y_empty.ntff", [], "none"),
        ("99_vnc_0.ntff", [], "none"),
        ("other-0-1.ntff", ["other.neff"], "key"),
    ]
    assert [each.is_empty for each in found] == [False] * 4 + [True, False, False]


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.none() | st.integers(0, 5)), max_size=8))
@settings(max_examples=200, deadline=None)
def test_ranks(recordings: list[tuple[str, int | None]]) -> None:
    workers = [worker for worker, _ in recordings]
    told = [rank for _, rank in recordings]
    ranks = ranks_of(workers, told)
    if len(set(workers)) < 2:
        assert ranks == told
        return
    of_worker = dict(zip(workers, ranks, strict=True))
    assert ranks == [of_worker[worker] for worker in workers], "one of each worker"
    assert len(set(of_worker.values())) == len(of_worker), "no rank twice"
    said_once = {rank for rank in told if rank is not None and told.count(rank) == 1}
    for worker in of_worker:
        own = [rank for rank, whose in zip(told, workers, strict=True) if whose == worker]
        if set(own) <= said_once and own:
            assert of_worker[worker] == own[0]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([("a", 0, 2, "neuron"), ("b", 1, 2, "neuron")], True),
        ([("a", None, None, "cuda"), ("b", None, None, "cuda")], True),
        ([("a", 0, 2, "cuda"), ("b", None, None, "cpu")], True),  # a rank without its device
        ([("a", 0, None, "cuda"), ("a", 0, None, "cuda")], True),  # cycles of one process
        ([("a", 0, 1, "cuda"), ("b", 0, 1, "cuda")], False),
        ([("a", 0, 2, "cuda"), ("b", 1, 300, "cuda")], False),
        ([("a", 0, None, "cuda"), ("b", 1, None, "rocm")], False),
        ([(None, 0, 1, "cuda"), (None, 0, 2, "rocm")], True),  # of no run with others anyway
    ],
)
def test_what_contradicts_itself_is_not_one_run(
    members: list[tuple[str | None, int | None, int | None, str]], expected: bool
) -> None:
    assert are_of_one_run([Member(*member) for member in members]) is expected


def test_numbers_sort_by_value() -> None:
    names = ["rank10", "rank2", "rank2b", "a"]
    assert sorted(names, key=natural_order) == ["a", "rank2", "rank2b", "rank10"]


def test_a_system_profile_as_json_is_joined_like_tables(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace.json", 42)
    executions = [
        {"name": "nc_exec_running", "timestamp": EPOCH_NS + start + core, "duration": 50_000}
        | {"timestamp_unit": "ns", "nc_idx": 0, "device_core_idx": core, "model_name": "a.neff"}
        | {"process_id": "42", "instance_id": INSTANCE, "trace_event_source": "neuron_hw"}
        | {"flow_id": str(start)}
        for start in (210_000, 310_000)
        for core in (0, 1)
    ]
    (tmp_path / "system_profile.json").write_text(json.dumps({"trace_event": executions}))
    ((_, profile),) = read_all(tmp_path)
    assert device_time(profile) == {("b.py:2", "aten::mm"): 50_001, ("a.py:1", "aten::mm"): 50_001}
    assert codes(profile)["joined_by_clock"] == 2


def test_joining_leaves_every_table_right(tmp_path: Path) -> None:
    """Names, lanes, backward operators and samples mean the same as in each by itself."""
    events: list[chrome.Event] = [
        chrome.operator("aten::mul", 0, 5, tid=7, **{"External id": 1, "Sequence number": 3}),
        chrome.operator("MulBackward0", 20, 5, tid=9, **{"External id": 2, "Sequence number": 3}),
        *chrome.arrow(1, (7, 0), (9, 20)),
    ]
    events[1]["args"]["Fwd thread id"] = 1
    chrome.write(tmp_path / "trace.json", events, base_ns=EPOCH_NS + 50_000)
    rows = SystemRows(chrome.PID)
    rows.add("neuron_rt", "nrt_execute", 0, 10)
    rows.execution(71_000, 73_000, "1", 0)
    write_tables(
        tmp_path / "tables",
        {
            "SystemProfileEvents": rows.rows,
            "HostMemUsage": [
                {"timestamp": EPOCH_NS + 72_000, "used_bytes": 5, "instance_id": INSTANCE}
            ],
        },
    )
    trace = ingest.read(tmp_path / "trace.json")
    (recording,) = ingest.recordings(tmp_path)
    (joined,) = recording.read(None)
    assert joined.manifest.start_unix_ns == EPOCH_NS, "the runtime's row comes first"
    assert _told(joined, {"aten::mul", "MulBackward0"}) == _told(
        trace, {"aten::mul", "MulBackward0"}
    )
    assert Track in {type(part) for row in _told(joined, {"MulBackward0"}) for part in row[6:7]}
    assert joined.samples["at_ns"].tolist() == [72_000]
    columns = joined.events
    keys = list(zip(columns["track"].tolist(), columns["start_ns"].tolist(), strict=True))
    assert keys == sorted(keys)


def _told(profile: Profile, names: set[str]) -> set[tuple[object, ...]]:
    """What a profile says of some rows, without any index into its tables."""
    events = profile.events
    told: set[tuple[object, ...]] = set()
    for row in range(len(events)):
        name = profile.strings[int(events["name"][row])]
        if name not in names:
            continue
        track = profile.tracks[int(events["track"][row])]
        forward = int(events["forward_thread"][row])
        signature = int(events["signature"][row])
        told.add(
            (
                name,
                track,
                int(events["start_ns"][row]) + profile.manifest.start_unix_ns,
                int(events["duration_ns"][row]),
                int(events["external_id"][row]),
                int(events["sequence_nr"][row]),
                profile.tracks[forward - 1] if forward > 0 else forward,
                profile.strings[signature] if signature >= 0 else None,
            )
        )
    return told


def test_a_process_without_executions_has_the_cpu_as_its_device(tmp_path: Path) -> None:
    idle = SystemRows(9, INSTANCE)
    idle.host("aten::mm", 0, 10)
    busy = SystemRows(10, INSTANCE)
    busy.execution(0, 50, "1", 0)
    write_tables(tmp_path, {"SystemProfileEvents": [*idle.rows, *busy.rows]})
    assert sorted(profile.manifest.device for _, profile in read_all(tmp_path)) == ["cpu", "neuron"]
