"""System profiles of Neuron Explorer: the lanes, and whose each execution is."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from hypothesis import given, settings, strategies as st

from ingest.explorer.system_sample import EPOCH_NS, INSTANCE, PID, SystemRows
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.executions import merge_executions
from sidelight.ingest.explorer.system_events import Process, processes_of
from sidelight.ingest.explorer.system_profile import read_system, settle_device
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.explorer_tables import write_tables

arrow: Any = pyarrow


def read(folder: Path, process: Process | None = None) -> Profile:
    builder, manifest = ProfileBuilder(), new_manifest("test", "explorer_parquet", [str(folder)])
    read_system(Tables(folder), builder, manifest, process=process)
    profile = builder.build(manifest, str(folder))
    settle_device(profile)
    return attribute(profile)


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def device_time(profile: Profile) -> dict[tuple[str, str], int]:
    """Device time by innermost line and by the operator that it counts under."""
    events, frames = profile.events, profile.frames
    found: defaultdict[tuple[str, str], int] = defaultdict(int)
    for row in map(int, np.flatnonzero(events["device_ns"])):
        stack = int(events["stack"][row])
        line = "?"
        if stack >= 0:
            frame = int(profile.stacks["frame"][stack])
            file = profile.files[int(frames["file"][frame])].path
            line = f"{Path(file).name}:{int(frames['line'][frame])}"
        operator = profile.strings[int(events["name"][int(events["operator"][row])])]
        found[line, operator] += int(events["device_ns"][row])
    return dict(found)


def training() -> SystemRows:
    """Two operators in two functions; each runs on both physical cores, later than the host."""
    rows = SystemRows()
    first, second = str((1 << 48) + 29), str((7 << 60) + 5)
    rows.host("ProfilerStep#3", 0, 10_000)
    rows.host("train.py(12): step", 100, 9_000)
    rows.host("model.py(5): forward", 150, 2_000)
    rows.host("torch/nn/modules/module.py(1783): _call_impl", 160, 1_900)
    rows.host("aten::mm", 200, 1_000)
    rows.host("aten::add", 3_000, 4_000)
    rows.work("aten::mm", 250, 5_600, first)
    rows.work("aten::add", 3_100, 8_000, second)
    rows.wait(400, 5_550, first, "2", extra_attributes_json='{"model_id": 77}')
    rows.wait(5_560, 7_900, second, "3")
    for core, (start, end) in enumerate([(1_000, 5_000), (1_010, 5_500)]):
        rows.execution(start, end, "2", core, extra_attributes_json='{"model_id": 77}')
    for core, (start, end) in enumerate([(5_600, 7_000), (5_590, 6_900)]):
        rows.execution(start, end, "3", core, extra_attributes_json='{"model_id": "78"}')
    return rows


def test_executions_count_once_on_the_line_that_launched_them(tmp_path: Path) -> None:
    write_tables(tmp_path, {"SystemProfileEvents": training().rows})
    profile = read(tmp_path)
    assert device_time(profile) == {
        ("model.py:5", "aten::mm"): 5_500 - 1_000,
        ("train.py:12", "aten::add"): 7_000 - 5_590,
    }
    assert profile.manifest.start_unix_ns == EPOCH_NS
    assert profile.manifest.line_level == "function"
    assert profile.manifest.host == INSTANCE
    assert codes(profile) == {"launch_by_name": 2}


def test_sequence_ids_beyond_63_bits_are_kept_by_their_bits(tmp_path: Path) -> None:
    write_tables(tmp_path, {"SystemProfileEvents": training().rows})
    events = read(tmp_path).events
    ids = events["correlation_id"][events["category"] == Category.DEVICE]
    rows = SystemRows()
    largest = str((1 << 64) - 2)
    rows.work("aten::mm", 0, 10, largest)
    rows.wait(0, 10, largest, "1")
    rows.execution(0, 10, "1", 0)
    write_tables(tmp_path / "more", {"SystemProfileEvents": rows.rows})
    more = read(tmp_path / "more").events
    large = more["correlation_id"][more["category"] == Category.DEVICE]
    assert sorted(ids.tolist()) == [(1 << 48) + 29, (7 << 60) + 5]
    assert large.astype(np.uint64).tolist() == [(1 << 64) - 2]


def test_lanes(tmp_path: Path) -> None:
    rows = training()
    rows.add("neuron_hw", "cc_running", 1_500, 1_800, nc_idx=0, pcore_idx=1)
    rows.add("neuron_rt", "nrt_tensor_read", 8_000, 8_500)
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows})
    profile = read(tmp_path)
    kinds: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for code, category in zip(
        map(int, profile.events["track"]), map(int, profile.events["category"]), strict=True
    ):
        track = profile.tracks[code]
        kinds[track.kind, track.name].add(category)
    assert kinds == {
        ("host", "thread 7"): {Category.STEP, Category.FUNCTION, Category.OPERATOR},
        ("device", "framework stream 0"): {Category.DEVICE_COARSE},
        ("host", "Neuron runtime, thread 99"): {Category.RUNTIME},
        ("host", "Neuron runtime, thread 7"): {Category.RUNTIME},
        ("device", "NeuronCore 0"): {Category.DEVICE},
        ("device", "NeuronCore 0: collectives"): {Category.OTHER},
    }


def test_steps_of_the_profiler_hold_what_was_launched_in_them(tmp_path: Path) -> None:
    rows = SystemRows()
    for number, start in enumerate((0, 1_000)):
        rows.host(f"ProfilerStep#{number}", start, start + 900)
        rows.host("aten::mm", start + 10, start + 20)
        rows.work("aten::mm", start + 15, start + 1_900, f"10{number}")
        rows.execution(start + 1_100, start + 1_150 + number, f"10{number}", 0)
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows})
    profile = read(tmp_path)
    steps = zip(profile.steps["start_ns"].tolist(), profile.steps["end_ns"].tolist(), strict=True)
    assert list(steps) == [(0, 1_000), (1_000, 2_900)]
    events = profile.events
    executions = events["category"] == Category.DEVICE
    assert events["step"][executions].tolist() == [0, 1]
    assert events["device_ns"][executions].tolist() == [50, 51]


def test_the_traces_own_ids_go_before_names(tmp_path: Path) -> None:
    rows = SystemRows()
    for number, place in ((41, "a.py(1): f"), (42, "b.py(2): g")):
        start = number * 100
        rows.host(place, start, start + 50)
        rows.host("aten::mm", start + 1, start + 40, extra_attributes_json=own_id(number))
    # Dispatched in the other order, which order alone could not tell.
    rows.work("aten::mm", 5_000, 5_900, "1000", extra_attributes_json=own_id(42))
    rows.work("aten::mm", 6_000, 6_900, "1001", extra_attributes_json=own_id(41))
    for flow, start in (("1000", 5_100), ("1001", 6_100)):
        rows.wait(start - 50, start + 500, flow, f"{flow}1")
        rows.execution(start, start + int(flow), f"{flow}1", 0)
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows})
    assert device_time(read(tmp_path)) == {
        ("b.py:2", "aten::mm"): 1000,
        ("a.py:1", "aten::mm"): 1001,
    }


def own_id(number: int) -> str:
    return json.dumps({"External id": number, "something": ["else"]})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"pieces": {"SystemProfileEvents": 3}}, {}, id="split"),
        pytest.param(
            {"retyped": {"SystemProfileEvents.flow_id": arrow.string()}, "join": True},
            {},
            id="texts",
        ),
        pytest.param({"without": {"SystemProfileEvents.duration_ns"}}, {}, id="no durations"),
        pytest.param({"without": {"SystemProfileEvents.end_ts"}}, {}, id="no ends"),
        pytest.param({"without": {"SystemProfileEvents.thread_id"}}, {}, id="no threads"),
        pytest.param({"without": {"SystemProfileEvents.framework_stream_id"}}, {}, id="no streams"),
    ],
)
def test_other_versions_of_the_table(
    tmp_path: Path, changes: dict[str, Any], expected: dict[str, int]
) -> None:
    rows = training().rows
    if changes.pop("join", False):
        rows = [
            {**row, "flow_id": json.dumps(row["flow_id"])} if row.get("flow_id") else row
            for row in rows
        ]
    write_tables(tmp_path, {"SystemProfileEvents": rows}, **changes)
    profile = read(tmp_path)
    assert sum(device_time(profile).values()) == 4_500 + 1_410
    assert set(codes(profile)) - {"launch_by_name", "nested_device_rows"} == set(expected)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    rows = SystemRows()
    rows.execution(0, 100, None, 0)
    rows.execution(0, 100, None, 1)
    rows.execution(200, 300, "5", 0)
    rows.add("neuron_rt", "nrt_execute", 400, 350)
    rows.rows[-1].pop("duration_ns")
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows})
    found = codes(read(tmp_path))
    assert found.pop("device_rows_without_operator") == 2
    assert found.pop("nested_device_rows") == 1, "one of the two that could not be merged"
    assert found == {"executions_not_merged": 2, "no_framework_rows": 1, "bad_duration": 1}
    host = SystemRows()
    host.host("aten::mm", 0, 10)
    write_tables(tmp_path / "host", {"SystemProfileEvents": host.rows})
    profile = read(tmp_path / "host")
    assert profile.manifest.device == "cpu"
    assert codes(profile) == {"no_device_rows": 1}
    assert device_time(profile) == {("?", "aten::mm"): 10}


def test_instructions_are_device_time_where_executions_are_missing(tmp_path: Path) -> None:
    rows = SystemRows()
    rows.host("aten::mm", 0, 10)
    instruction = {"start_ts": 5, "end_ts": 25, "duration_ns": 20, "engine": "PE", "opcode": "MM"}
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows, "Instruction": [instruction]})
    profile = attribute(ingest.read(tmp_path))
    assert profile.manifest.device == "neuron"
    assert codes(profile)["no_executions"] == 1
    assert "no_device_rows" not in codes(profile)
    assert int(profile.events["device_ns"].sum()) == 20


def test_a_flow_that_leads_nowhere_is_unattributed(tmp_path: Path) -> None:
    rows = training()
    rows.execution(9_000, 9_500, "77", 0)
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows})
    profile = read(tmp_path)
    assert device_time(profile)["?", "nc_exec_running"] == 500
    assert codes(profile)["executions_without_launch"] == 1


def test_processes_are_told_apart(tmp_path: Path) -> None:
    one, other = training(), SystemRows(pid=2, instance="i-1")
    other.execution(0, 123, "2", 0)
    write_tables(tmp_path, {"SystemProfileEvents": [*one.rows, *other.rows]})
    assert processes_of(Tables(tmp_path)) == [Process(INSTANCE, PID), Process("i-1", 2)]
    alone = read(tmp_path, Process("i-1", 2))
    assert device_time(alone) == {("?", "nc_exec_running"): 123}
    assert sum(device_time(read(tmp_path, Process(INSTANCE, PID))).values()) == 4_500 + 1_410


def test_samples(tmp_path: Path) -> None:
    tables: dict[str, list[dict[str, Any]]] = {
        "SystemProfileEvents": training().rows,
        "CpuUsage": [
            {"timestamp": EPOCH_NS + at, "util_percent": 50 + at, "cpu_id": cpu}
            | {"instance_id": INSTANCE}
            for at in (2, 1)
            for cpu in ("0", "average")
        ],
        "HostMemUsage": [
            {"timestamp": EPOCH_NS + 5, "used_bytes": 1 << 40, "instance_id": INSTANCE},
            {"timestamp": EPOCH_NS + 5, "used_bytes": 1, "instance_id": "i-other"},
        ],
        "SystemProfileHbmUsage": [
            {"timestamp": EPOCH_NS + 7, "total_bytes": 30, "weights_bytes": 10, "tensors_bytes": 20}
            | {"device_idx": 1, "hbm_idx": 0, "instance_id": INSTANCE, "io_bytes": 0}
        ],
    }
    write_tables(tmp_path, tables)
    profile = read(tmp_path, Process(INSTANCE, PID))
    series = [(one.name, one.unit, one.owner) for one in profile.manifest.series]
    found: defaultdict[tuple[str, str, str], list[tuple[int, float]]] = defaultdict(list)
    for code, at, value in zip(
        *(profile.samples[name].tolist() for name in ("series", "at_ns", "value")), strict=True
    ):
        found[series[code]].append((at, round(value, 6)))
    hbm = "Neuron device 1, HBM 0"
    assert found == {
        ("CPU", "fraction", INSTANCE): [(1, 0.51), (2, 0.52)],
        ("Host memory", "bytes", INSTANCE): [(5, float(1 << 40))],
        ("HBM, total", "bytes", hbm): [(7, 30.0)],
        ("HBM, weights", "bytes", hbm): [(7, 10.0)],
        ("HBM, tensors", "bytes", hbm): [(7, 20.0)],
    }


Report = tuple[int, int, int, int, int]


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1), st.integers(0, 50)).map(
            lambda key: (*key, key[3] + key[0] + 1)
        ),
        unique_by=lambda report: report[:3],
        max_size=20,
    )
)
@settings(max_examples=100, deadline=None)
def test_merging_is_the_plain_one_where_a_core_reports_once(reports: list[Report]) -> None:
    """Each core reports an execution once: the earliest start and the latest end of each pair."""
    plain: dict[tuple[int, int], tuple[int, int]] = {}
    for model, flow, _, start, end in reports:
        first, last = plain.get((model, flow), (start, end))
        plain[model, flow] = min(first, start), max(last, end)
    columns = [np.array([report[part] for report in reports], np.int64) for part in range(5)]
    merged = merge_executions(*columns)
    assert list(zip(merged.start_ns.tolist(), merged.end_ns.tolist(), strict=True)) == list(
        plain.values()
    )
    assert merged.repeated_flows == 0


def test_a_flow_that_comes_again_is_another_execution() -> None:
    of_core = np.array([0, 1, 0, 1])
    starts, ends = np.array([0, 1, 900, 901]), np.array([10, 12, 910, 920])
    same = np.zeros(4, np.int64)
    merged = merge_executions(same, same, of_core, starts, ends)
    assert merged.start_ns.tolist() == [0, 900]
    assert merged.end_ns.tolist() == [12, 920]
    assert merged.repeated_flows == 1
