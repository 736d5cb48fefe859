"""Ids beyond 2^53 join what they should, in every format, from the file to what is shown.

Everywhere there are two calls of one operator, in two functions, and the device works for the
second one first. Their ids are neighbours that are one number in JavaScript, and in a float: where
any step loses a digit, the time of both is on one line, or on none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.running import Run
from ingest.explorer.system_sample import EPOCH_NS, INSTANCE, SystemRows
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import Category
from support.explorer_tables import write_tables
from traces import chrome, perfetto

FIRST, SECOND = (1 << 60) + 1, (1 << 60) + 2
LARGEST_EXACT = 2**53
SEQUENCE_FIRST, SEQUENCE_SECOND = (7 << 60) + 1, (7 << 60) + 2
"""``nrt_sequence_id`` has 64 bits, the uppermost of which may be set."""

FUNCTIONS = (("a.py(1): first", 0), ("b.py(2): second", 60))
WORK = ((SECOND, 200, 90), (FIRST, 300, 110))
"""The id of its operator, start and duration in microseconds."""

EXPECTED = {("a.py", 1): 110_000, ("b.py", 2): 90_000}

assert float(FIRST) == float(SECOND)
assert float(SEQUENCE_FIRST) == float(SEQUENCE_SECOND)


def functions_and_operators(ids: Callable[[int], Any] = int, **more: Any) -> list[chrome.Event]:
    events: list[chrome.Event] = []
    for (name, start), number in zip(FUNCTIONS, (FIRST, SECOND), strict=True):
        events.append(chrome.row("python_function", name, start, 50))
        own = {"External id": ids(number), **more}
        events.append(chrome.operator("aten::mm", start + 1, 40, **own))
    return events


def torch_by_external_id(folder: Path, ids: Callable[[int], Any] = int) -> Path:
    work = [
        chrome.row("kernel", "gemm", start, duration, tid=7, **{"External id": ids(number)})
        for number, start, duration in WORK
    ]
    return chrome.write(folder / "trace.json", [*functions_and_operators(ids), *work])


def torch_by_external_id_as_text(folder: Path) -> Path:
    return torch_by_external_id(folder, str)


def torch_by_correlation(folder: Path) -> Path:
    launches = [
        chrome.row("cuda_runtime", "cudaLaunchKernel", start + 2, 5, correlation=number)
        for (_, start), number in zip(FUNCTIONS, (FIRST, SECOND), strict=True)
    ]
    work = [
        chrome.row("kernel", "gemm", start, duration, tid=7, correlation=number)
        for number, start, duration in WORK
    ]
    return chrome.write(folder / "t.json.gz", [*functions_and_operators(), *launches, *work])


def system_rows() -> SystemRows:
    rows = SystemRows(42)
    sequences = {FIRST: SEQUENCE_FIRST, SECOND: SEQUENCE_SECOND}
    for (name, start), number in zip(FUNCTIONS, (FIRST, SECOND), strict=True):
        rows.host(name, start * 1000, (start + 50) * 1000)
        own = {"extra_attributes_json": json.dumps({"External id": number})}
        rows.host("aten::mm", (start + 1) * 1000, (start + 41) * 1000, **own)
    for number, start, duration in WORK:
        flow, small = str(sequences[number]), str(start)
        own = {"extra_attributes_json": json.dumps({"External id": number})}
        rows.work("aten::mm", (start - 50) * 1000, (start + duration + 5) * 1000, flow, **own)
        rows.wait((start - 40) * 1000, (start + duration + 4) * 1000, flow, small)
        rows.execution(start * 1000, (start + duration) * 1000, small, 0)
    return rows


def explorer_system(folder: Path) -> Path:
    return write_tables(folder / "tables", {"SystemProfileEvents": system_rows().rows})


def neuron_system_json(folder: Path) -> Path:
    events = [
        {
            "name": row["name"],
            "timestamp": row["start_ts"],
            "duration": row["duration_ns"],
            "trace_event_source": row["trace_event_source"],
            "thread_id": row["thread_id"],
            "process_id": "42",
            "instance_id": INSTANCE,
            "flow_id": row.get("flow_id"),
            "framework_stream_id": row.get("framework_stream_id"),
            **({"lnc_idx": 0, "device_core_idx": 0} if row.get("nc_idx") == 0 else {}),
        }
        for row in system_rows().rows
    ]
    # The older format has no External id: operators take part in the flow themselves.
    operators = [event for event in events if event["name"] == "aten::mm"]
    for event, sequence in zip(operators, (SEQUENCE_FIRST, SEQUENCE_SECOND), strict=True):
        event["flow_id"] = [sequence]
    path = folder / "system_profile.json"
    path.write_text(json.dumps({"trace_event": events}))
    return path


def session(folder: Path, trace: list[chrome.Event]) -> Path:
    recording = chrome.row("user_annotation", "recording", 0, 500)
    chrome.write(folder / "trace.json", [recording, *trace], base_ns=EPOCH_NS)
    rows = SystemRows(chrome.PID)
    for (_, start, duration), sequence in zip(WORK, (SEQUENCE_SECOND, SEQUENCE_FIRST), strict=True):
        rows.wait((start - 5) * 1000, (start + duration + 5) * 1000, str(sequence), str(start))
        rows.execution(start * 1000, (start + duration) * 1000, str(start), 0)
    write_tables(folder / "tables", {"SystemProfileEvents": rows.rows})
    return folder


def session_by_sequence_id(folder: Path, ids: Callable[[int], Any] = int) -> Path:
    # Each is done before it begins, so that the clock tells nothing.
    work = [
        chrome.row("privateuse1_driver", "aten::mm", 110, 1, pid=0, tid=0)
        | {"args": {"External id": number, "nrt_sequence_id": ids(sequence)}}
        for number, sequence in ((FIRST, SEQUENCE_FIRST), (SECOND, SEQUENCE_SECOND))
    ]
    return session(folder, [*functions_and_operators(), *work])


def session_by_sequence_id_as_text(folder: Path) -> Path:
    return session_by_sequence_id(folder, str)


def session_by_mapping(folder: Path) -> Path:
    operators = functions_and_operators()
    for number, event in enumerate(operators[1::2]):
        event["args"]["Sequence number"] = number + 5
    mapping = [
        {"nrta_seq_id": sequence, "framework_op_exec_ids": [{"seq_nr": number, "th_id": 1}]}
        for number, sequence in ((5, SEQUENCE_FIRST), (6, SEQUENCE_SECOND))
    ]
    name = "framework_mapping_20261130_101010_123.json"
    (folder / name).write_text(json.dumps({"version": 1, "data": mapping}))
    return session(folder, operators)


def perfetto_by_correlation(folder: Path) -> Path:
    packets = [perfetto.track(FIRST, "main"), perfetto.track(SECOND, "stream 7")]
    for (name, start), number in zip(FUNCTIONS, (FIRST, SECOND), strict=True):
        at = start * 1000
        packets += perfetto.slice_of(FIRST, at, at + 50_000, name, category="python_function")
        packets += perfetto.slice_of(
            *(FIRST, at + 1_000, at + 41_000, "aten::mm"), category="cpu_op", External__id=number
        )
        packets += perfetto.slice_of(
            *(FIRST, at + 2_000, at + 3_000, "launch"), category="cuda_runtime", correlation=number
        )
    for number, start, duration in WORK:
        packets += perfetto.slice_of(
            *(SECOND, start * 1000, (start + duration) * 1000, "gemm"),
            category="kernel",
            correlation=number,
        )
    return perfetto.write(folder / "trace.pftrace", packets)


@pytest.mark.parametrize(
    "write",
    [
        torch_by_external_id,
        torch_by_external_id_as_text,
        torch_by_correlation,
        explorer_system,
        neuron_system_json,
        session_by_sequence_id,
        session_by_sequence_id_as_text,
        session_by_mapping,
        perfetto_by_correlation,
    ],
)
def test_neighbours_beyond_what_a_float_holds(
    tmp_path: Path, run: Run, write: Callable[[Path], Path]
) -> None:
    (tmp_path / "in").mkdir()
    store = tmp_path / "store"
    done = run("open", write(tmp_path / "in"), "--json", "--store", store)
    assert done.status == 0, done.stderr
    opened = json.loads(done.stdout)
    assert times_of(opened) == EXPECTED
    again = run("lines", opened["profile"], "--json", "--store", store)
    assert times_of(json.loads(again.stdout)) == EXPECTED

    profile = Store(store).load(opened["profile"])
    events = profile.events
    operators = events["external_id"][events["category"] == Category.OPERATOR].tolist()
    device = events["category"] == Category.DEVICE
    by_external_id = dict(
        zip(
            events["duration_ns"][device].tolist(),
            events["external_id"][device].tolist(),
            strict=True,
        )
    )
    if write is not neuron_system_json:  # which has none of its own
        assert operators == [FIRST, SECOND]
    if write not in (torch_by_correlation, perfetto_by_correlation):
        assert by_external_id == {110_000: operators[0], 90_000: operators[1]}
    assert not list(too_large_for_javascript(shown(profile)))


def times_of(document: dict[str, Any]) -> dict[tuple[str, int], int]:
    return {
        (Path(line["file"]).name, line["line"]): line["self_ns"]
        for line in document["lines"]
        if line["self_ns"]
    }


def shown(profile: Profile) -> list[Any]:
    """What the editor's timeline is told, as it is sent."""
    index = TimelineIndex(profile)
    last_ns = int((profile.events["start_ns"] + profile.events["duration_ns"]).max())
    answers = [
        index.window(0, last_ns, 1000),
        *(index.event(event) for event in range(len(profile.events))),
    ]
    return [json.loads(msgspec.json.encode(answer)) for answer in answers]


def too_large_for_javascript(value: Any) -> Iterator[int]:
    """Whole numbers of a document that JavaScript reads as others."""
    if isinstance(value, dict):
        for each in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from too_large_for_javascript(each)
    elif isinstance(value, list):
        for each in value:  # pyright: ignore[reportUnknownVariableType]
            yield from too_large_for_javascript(each)
    elif isinstance(value, int) and abs(value) > LARGEST_EXACT:
        yield value


def test_a_number_that_is_too_large_is_found() -> None:
    document = {"a": [{"b": LARGEST_EXACT + 1, "c": LARGEST_EXACT, "d": str(FIRST)}]}
    assert list(too_large_for_javascript(document)) == [LARGEST_EXACT + 1]
