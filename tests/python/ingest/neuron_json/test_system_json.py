"""System profiles as JSON: lanes of framework, runtime and cores; each execution once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.ingest.neuron_json import system_profile as reader
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

EXCERPT = (
    Path(__file__).parents[4].parent
    / "shared/traces/neuron/excerpts/system_profile_json_events_from_docs.json"
)
ZERO_NS = 1_766_072_157_000_000_000


def event(name: str, start_ns: int, duration_ns: int, **fields: Any) -> dict[str, Any]:
    return {
        "name": name,
        "timestamp": ZERO_NS + start_ns,
        "duration": duration_ns,
        "timestamp_unit": "ns",
        "instance_id": "i-0f207fb2a99bd2d08",
        "process_id": "1627711",
        "thread_id": 7,
        **fields,
    }


def execution(start_ns: int, duration_ns: int, core: int, number: int, **fields: Any) -> Any:
    """What a physical core of logical core 0 reports of an execution."""
    of_core = {"device_core_idx": core, "lnc_idx": "0", "nc_idx": core, "exec_id": number}
    return event(
        "nc_exec_running",
        start_ns,
        duration_ns,
        **{**of_core, "model_name": "file.neff", "thread_id": None, **fields},
    )


def read(tmp_path: Path, events: list[Any], key: str = "trace_event", **lists: Any) -> Profile:
    path = tmp_path / "system_profile.json"
    path.write_text(json.dumps({key: events, **lists}))
    assert reader.detect(path)
    return reader.read(path)


def rows(profile: Profile) -> list[tuple[Any, ...]]:
    events = profile.events
    return sorted(
        (
            int(events["start_ns"][row]),
            int(events["duration_ns"][row]),
            profile.strings[int(events["name"][row])],
            Category(events["category"][row]),
            profile.tracks[int(events["track"][row])].name,
        )
        for row in range(len(events))
    )


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


@pytest.mark.parametrize("key", ["trace_event", "trace_events"])
def test_lanes_and_executions(tmp_path: Path, key: str) -> None:
    profile = read(
        tmp_path,
        [
            event("aten::mm", 0, 50, group="framework-7", type=99999, thread_id=9),
            event("model.py(12): forward", 0, 60, type=99999, thread_id=9),
            event("nrt_execute", 20, 400, group="nrt-nc-000", lnc_idx="0"),
            execution(100, 90, 0, 1),
            execution(110, 100, 1, 1),
            execution(300, 40, 0, 2),
            execution(300, 50, 1, 2),
            # Another logical core numbers its own executions.
            execution(120, 30, 2, 1, lnc_idx="1"),
            event("cc_running", 130, 10, lnc_idx="0", device_core_idx=0),
        ],
        key,
    )
    assert rows(profile) == [
        (0, 50, "aten::mm", Category.OPERATOR, "thread 9"),
        (0, 60, "model.py(12): forward", Category.FUNCTION, "thread 9"),
        (20, 400, "nrt_execute", Category.RUNTIME, "Neuron runtime, thread 7"),
        (100, 110, "nc_exec_running", Category.DEVICE, "NeuronCore 0"),
        (120, 30, "nc_exec_running", Category.DEVICE, "NeuronCore 1"),
        (130, 10, "cc_running", Category.OTHER, "NeuronCore 0: collectives"),
        (300, 50, "nc_exec_running", Category.DEVICE, "NeuronCore 0"),
    ]
    manifest = profile.manifest
    assert (manifest.format, manifest.device) == ("neuron_system_json", "neuron")
    assert (manifest.start_unix_ns, manifest.host) == (ZERO_NS, "i-0f207fb2a99bd2d08")
    assert codes(profile)["unverified_format"] == 1


def test_an_execution_is_tied_to_the_operator_of_its_sequence_number(tmp_path: Path) -> None:
    sequence_id = (3 << 60) + 2**53 + 1  # neither a double nor a signed number holds it
    profile = read(
        tmp_path,
        [
            event("aten::mm", 0, 50, type=99999),
            event(
                "aten::mm [trace.json]",
                10,
                300,
                trace_event_source="framework",
                framework_stream_id="0",
                nrt_sequence_id=sequence_id,
            ),
            event("kbl_exec_wait", 30, 200, flow_id=[str(sequence_id), "2"]),
            execution(100, 90, 0, 1, flow_id=["2"]),
            execution(110, 100, 1, 1, flow_id=["2"]),
        ],
    )
    events = profile.events
    [execution_row] = [r for r in range(len(events)) if events["category"][r] == Category.DEVICE]
    [operator] = [r for r in range(len(events)) if events["category"][r] == Category.OPERATOR]
    assert int(events["external_id"][execution_row]) == int(events["external_id"][operator]) > 0
    assert int(events["correlation_id"][execution_row]) % (1 << 64) == sequence_id


def test_samples_and_other_units(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [
            {
                **event("nrt_execute", 0, 0),
                "timestamp": "1766072157000000.001",
                "duration": 2.5,
                "timestamp_unit": "us",
            },
            event("late", 10, 5, timestamp_unit="fortnights"),
            {**event("never", 0, 0, timestamp_unit="us"), "timestamp": "1e999999999"},
        ],
        mem_usage=[{"timestamp": ZERO_NS + 5, "usage": 51_805_806_592, "percent_usage": 9.7}],
        cpu_util=[
            {"timestamp": ZERO_NS + 6, "cpu_id": "47", "util": 2.5, "instance_id": "i-1"},
            {"timestamp": None, "cpu_id": "47", "util": 2.5},
        ],
        surprise=[],
    )
    assert rows(profile)[0][:3] == (0, 2500, "nrt_execute")
    assert len(profile.events) == 1
    assert profile.manifest.start_unix_ns == ZERO_NS + 1
    series = [(each.name, each.unit, each.owner) for each in profile.manifest.series]
    assert series == [("Host memory", "bytes", ""), ("CPU 47", "fraction", "i-1")]
    assert profile.samples["at_ns"].tolist() == [4, 5]
    assert profile.samples["value"].tolist() == [51_805_806_592.0, 0.025]
    assert (codes(profile)["bad_duration"], codes(profile)["samples_left_out"]) == (2, 1)
    assert codes(profile)["unknown_parts"] == 1


def test_a_file_without_events_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInputError) as caught:
        read(tmp_path, [], cpu_util=[{"timestamp": 5, "util": 1}])
    assert caught.value.code == "no_events"


def test_each_process_is_a_profile(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    rows_of = {
        "77": [event("aten::mm", 5, 3, type=99999), execution(100, 90, 0, 1)],
        "78": [execution(120, 20, 0, 1), execution(121, 30, 1, 1)],
    }
    events = [{**row, "process_id": own} for own, rows in rows_of.items() for row in rows]
    path.write_text(json.dumps({"trace_event": events}))
    first, second = ingest.recordings(path)
    assert [first.worker, second.worker] == [
        "i-0f207fb2a99bd2d08_pid_77",
        "i-0f207fb2a99bd2d08_pid_78",
    ]
    [one], [other] = first.read(None), second.read(None)
    assert [row[:3] for row in rows(one)] == [(0, 3, "aten::mm"), (95, 90, "nc_exec_running")]
    assert [row[:3] for row in rows(other)] == [(0, 31, "nc_exec_running")]
    assert rows(ingest.read(path)) == rows(one)
    assert one.manifest.device == "neuron"


@pytest.mark.skipif(not EXCERPT.exists(), reason="public traces are not beside the checkout")
def test_the_events_of_the_documentation() -> None:
    document = json.loads(EXCERPT.read_bytes())
    profile = reader.read(EXCERPT)
    starts = [row["timestamp"] for row in document["trace_event"]]
    zero_ns = profile.manifest.start_unix_ns
    assert zero_ns == min(starts)
    assert [(name, start + zero_ns, duration) for start, duration, name, *_ in rows(profile)] == [
        (row["name"], row["timestamp"], row["duration"]) for row in document["trace_event"]
    ]
    assert profile.manifest.device == "cpu"
    assert codes(profile)["no_device_rows"] == 1
    assert len(profile.samples) == len(document["mem_usage"]) + len(document["cpu_util"])
