"""What compiled graphs become in a profile: operators within lines, in each execution's row."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from traces.chrome import Event, operator, row, write_capture

FILES = [{"path": "/work/train.py"}, {"path": "/work/model.py"}]
FRAMES = [[0, 5, "main"], [1, 10, "forward"], [1, 11, "forward"], [1, 20, "helper"]]
MAIN, FORWARD, NEXT, HELPER = range(4)
LABELS = [[MAIN, 1]]
CALLER = "sidelight:0"


def node(name: str, lines: list[int], sequence_nr: int = -1) -> dict[str, Any]:
    signature = {"Input Dims": [[2, 3]], "Input type": ["float"], "Operands": [[0, 0, 6]]}
    return {"name": name, "signature": signature, "lines": lines, "sequence_nr": sequence_nr}


def graph(number: int, nodes: list[dict[str, Any]], *, backward: bool = False) -> dict[str, Any]:
    return {"id": number, "backward": backward, "operators": nodes}


def read(directory: Path, events: list[Event], **fields: Any) -> Profile:
    places = {"files": FILES, "frames": FRAMES, "labels": LABELS}
    stood_in = {"target": "virtual", "computes_on": "cpu"}
    write_capture(directory, {"trace-0.json": events}, **{**stood_in, **places, **fields})
    return ingest.read(directory)


Row = tuple[str, int, int, int]
"""Name, start and end in nanoseconds, and whether execution entered a statement."""


def rows_of(profile: Profile) -> list[Row]:
    events = profile.events
    return [
        (profile.strings[name], start, start + duration, entry)
        for name, start, duration, entry in zip(
            *(events[column].tolist() for column in ("name", "start_ns", "duration_ns", "entry")),
            strict=True,
        )
    ]


THREE = [
    node("aten::mm", [FORWARD]),
    node("aten::mul", [NEXT, HELPER]),
    node("aten::sin", [NEXT]),
]


def test_an_execution_holds_the_graphs_operators_in_their_lines(tmp_path: Path) -> None:
    """3 µs for three operators: 1,000 ns each. The caller's line is around all."""
    events = [operator(CALLER, 0, 10), operator("sidelight::graph::0", 2, 3)]
    rows = rows_of(read(tmp_path / "run", events, graphs=[graph(0, THREE)]))
    assert rows == [
        ("train.py:5", 0, 10_000, 1),
        ("sidelight::graph::0", 2_000, 5_000, 0),
        ("model.py:10", 2_000, 3_000, 1),
        ("aten::mm", 2_000, 3_000, 0),
        ("model.py:11", 3_000, 5_000, 1),
        ("model.py:20", 3_000, 4_000, 1),
        ("aten::mul", 3_000, 4_000, 0),
        ("aten::sin", 4_000, 5_000, 0),
    ]


def test_what_an_operator_was_given_is_on_its_row(tmp_path: Path) -> None:
    events = [operator(CALLER, 0, 10), operator("sidelight::graph::0", 2, 3)]
    profile = read(tmp_path / "run", events, graphs=[graph(0, THREE)])
    index = [name for name, *_ in rows_of(profile)].index("aten::mul")
    signature = profile.strings[int(profile.events["signature"][index])]
    assert json.loads(signature) == node("", [])["signature"]


def test_a_line_is_entered_each_time_it_is_come_to_and_never_backward(tmp_path: Path) -> None:
    """Four operators of two lines, one of them come to again; run three times."""
    nodes = [
        node("aten::mm", [FORWARD]),
        node("aten::relu", [FORWARD]),
        node("aten::mul", [NEXT]),
        node("aten::add", [FORWARD]),
    ]
    starts = (1, 4, 7)
    events = [
        operator(CALLER, 0, 20),
        *(operator("sidelight::graph::0", start, 2) for start in starts),
        operator("sidelight::graph::1", 10, 2),
    ]
    graphs = [graph(0, nodes), graph(1, nodes, backward=True)]
    rows = rows_of(read(tmp_path / "run", events, graphs=graphs))
    entered = [name for name, _, _, entry in rows if entry]
    assert sorted(entered) == ["model.py:10"] * 6 + ["model.py:11"] * 3 + ["train.py:5"]
    assert sum(name == "model.py:10" for name, *_ in rows) == 2 * 4


def test_executions_divide_without_a_nanosecond_lost(tmp_path: Path) -> None:
    generator = random.Random(7)
    nodes = [node(f"aten::op{index}", [FORWARD]) for index in range(7)]
    events: list[Event] = []
    at = 0.0
    for _ in range(40):
        duration = generator.randint(7, 9_999) / 1000
        events.append(operator("sidelight::graph::0", at, duration))
        at = round(at + duration + 1, 3)
    rows = rows_of(read(tmp_path / "run", events, graphs=[graph(0, nodes)]))
    executions = [row for row in rows if row[0] == "sidelight::graph::0"]
    assert len(executions) == 40
    for _, start, end, _ in executions:
        parts = [row for row in rows if row[0].startswith("aten::op") and start <= row[1] < end]
        assert [name for name, *_ in parts] == [each["name"] for each in nodes]
        edges = [part[1] for part in parts] + [parts[-1][2]]
        assert edges[0] == start
        assert edges[-1] == end
        assert edges == sorted(set(edges))
        assert [part[2] for part in parts] == edges[1:]
        lengths = [after - before for before, after in pairwise(edges)]
        assert max(lengths) - min(lengths) <= 1


def test_an_event_is_a_mark_on_its_line(tmp_path: Path) -> None:
    events = [operator(CALLER, 0, 10), operator("sidelight::compile_event::3", 2, 1)]
    told = [{"id": 3, "name": "graph break: call of print", "lines": [FORWARD, HELPER]}]
    profile = read(tmp_path / "run", events, compile_events=told)
    assert [row[0] for row in rows_of(profile)] == [
        "train.py:5",
        "model.py:10",
        "model.py:20",
        "graph break: call of print",
    ]
    assert profile.events["category"].tolist()[-1] == Category.ANNOTATION
    assert profile.events["entry"].tolist() == [1, 0, 0, 0]


def test_operators_of_the_compiler_are_left_out(tmp_path: Path) -> None:
    events = [
        operator(CALLER, 0, 20),
        operator("sidelight::compiling", 1, 8),
        operator("aten::mm", 2, 2),
        operator("sidelight::compile_event::0", 5, 1),
        operator("aten::mul", 6, 2),
        operator("aten::add", 10, 2),
    ]
    told: list[dict[str, Any]] = [{"id": 0, "name": "compiled again: size", "lines": []}]
    profile = read(tmp_path / "run", events, compile_events=told)
    names = [row[0] for row in rows_of(profile)]
    assert names == ["train.py:5", "sidelight::compiling", "compiled again: size", "aten::add"]
    assert profile.events["category"].tolist()[1] == Category.ANNOTATION


def test_a_graph_that_is_not_described_is_told(tmp_path: Path) -> None:
    events = [operator(CALLER, 0, 9), *(operator("sidelight::graph::8", at, 1) for at in (1, 3))]
    profile = read(tmp_path / "run", events, graphs=[graph(0, THREE)])
    (note,) = [each for each in profile.manifest.quality if each.code == "graph_unknown"]
    assert note.count == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"graphs": [graph(0, [node("aten::mm", [99])])]},
        {"compile_events": [{"id": 0, "name": "x", "lines": [4]}]},
        {"graphs": [{"id": 0, "backward": False, "operators": [{"name": "aten::mm"}]}]},
        {"graphs": [graph(-1, [])]},
    ],
    ids=["frame of an operator", "frame of an event", "operator", "number"],
)
def test_what_cannot_be_understood_is_refused(tmp_path: Path, fields: dict[str, Any]) -> None:
    with pytest.raises(UnreadableInputError, match=r"Record it again\."):
        read(tmp_path / "run", [operator(CALLER, 0, 9)], **fields)


def test_an_execution_shorter_than_its_operators_stays_whole(tmp_path: Path) -> None:
    """No recording has one; a row of two nanoseconds cannot hold three."""
    events = [operator("sidelight::graph::0", 1, 0.002), operator("aten::relu", 3, 1)]
    rows = rows_of(read(tmp_path / "run", events, graphs=[graph(0, THREE)]))
    assert [row[0] for row in rows] == ["sidelight::graph::0", "aten::relu"]


def test_without_lines_the_operators_are_there_all_the_same(tmp_path: Path) -> None:
    events = [operator("sidelight::graph::0", 1, 3)]
    rows = rows_of(read(tmp_path / "run", events, graphs=[graph(0, THREE)]))
    assert [row[0] for row in rows[1:]] == ["aten::mm", "aten::mul", "aten::sin"]


def device_row(name: str, ts: float, dur: float, external_id: int) -> Event:
    return row("kernel", name, ts, dur, tid=9, pid=0, **{"External id": external_id})


MEASURED = {"target": "neuron", "device": "neuron"}


def measured(directory: Path, events: list[Event]) -> Profile:
    weighed = [
        {**each, "alone_ns": alone_ns} for each, alone_ns in zip(THREE, (500, 0, 250), strict=True)
    ]
    return attribute(read(directory, events, graphs=[graph(0, weighed)], **MEASURED))


def test_what_a_device_ran_is_split_over_the_graphs_lines(tmp_path: Path) -> None:
    """1,000 ns by weights of 2 to 0 to 1: two thirds to the product, a third to the sine."""
    events = [
        operator(CALLER, 0, 10),
        operator("sidelight::graph::0", 2, 3, **{"External id": 5}),
        device_row("graph", 20, 1, 5),
        device_row("other", 30, 1, 99),
    ]
    profile = measured(tmp_path / "run", events)
    report = line_report(profile, "here")
    own = {line.line: (line.self_ns, [op.name for op in line.ops]) for line in report.lines}
    assert own[10] == (667, ["aten::mm"])
    assert own[11] == (333, ["aten::sin"])
    assert own[5][0] == 0
    assert report.device_time_ns == 2_000
    assert report.unattributed_ns == 1_000
    assert profile.manifest.attribution == "mixed"
    totals = {line.line: line.total_ns for line in report.lines}
    assert totals[5] == 1_000


def test_what_a_called_operator_launched_is_its_lines_alone(tmp_path: Path) -> None:
    """The backend calls the product and the sine; and a copy, which is no operator of the graph's:
    its 300 ns are shared by weights of 2 to 0 to 1. What is launched within an operator is its.
    """
    events = [
        operator(CALLER, 0, 20),
        operator("sidelight::graph::0", 2, 15, **{"External id": 5}),
        operator("aten::mm", 4, 2, **{"External id": 6}),
        operator("aten::copy_", 7, 1, **{"External id": 7}),
        operator("aten::sin", 9, 4, **{"External id": 8}),
        operator("aten::mul", 10, 2, **{"External id": 9}),
        operator("aten::mm", 14, 1, **{"External id": 10}),
        *(device_row("kernel", 20 + index, 0.3, index) for index in range(6, 11)),
    ]
    profile = measured(tmp_path / "run", events)
    report = line_report(profile, "here")
    shared = {"aten::mm": 200 + 200, "aten::sin": 100 + 100}
    own = {line.line: {op.name: op.self_ns for op in line.ops} for line in report.lines}
    assert own[10] == {"aten::mm": 300 + shared["aten::mm"]}
    assert own[11] == {"aten::sin": 300 + 300 + shared["aten::sin"]}
    assert report.unattributed_ns == 0
    assert report.device_time_ns == 5 * 300
    assert profile.manifest.attribution == "mixed"


def test_of_rows_within_one_another_the_innermost_are_split(tmp_path: Path) -> None:
    events = [
        operator(CALLER, 0, 10),
        operator("sidelight::graph::0", 2, 3, **{"External id": 5}),
        device_row("whole", 20, 4, 5),
        device_row("piece", 21, 1, 5),
        device_row("piece", 22, 2, 5),
    ]
    report = line_report(measured(tmp_path / "run", events), "here")
    assert report.device_time_ns == 3_000
    assert sum(line.self_ns for line in report.lines) == 3_000


def test_a_measured_graph_takes_the_hosts_time_at_its_callers_line(tmp_path: Path) -> None:
    events = [
        operator(CALLER, 0, 10),
        operator("sidelight::graph::0", 2, 3, **{"External id": 5}),
        device_row("graph", 20, 1, 5),
    ]
    report = line_report(measured(tmp_path / "run", events), "here")
    host_ns = {line.line: line.host_ns for line in report.lines}
    assert host_ns[5] == 10_000 - len(THREE)


def test_a_device_row_without_a_graph_stays_as_it_is(tmp_path: Path) -> None:
    events = [
        operator(CALLER, 0, 10),
        operator("aten::mm", 2, 3, **{"External id": 5}),
        device_row("kernel", 20, 1, 5),
    ]
    profile = measured(tmp_path / "run", events)
    assert profile.manifest.attribution == "exact"
    assert len(profile.events) == 3
