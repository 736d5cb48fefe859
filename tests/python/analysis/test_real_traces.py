"""Public traces of real runs, read from a folder beside the checkout where it is there.

Device time by operator is worked out a second time from the plain JSON.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from test_oracle import check_conservation

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.ingest import read
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

FOLDER = Path(__file__).parents[4] / "shared" / "traces" / "torch"
NOT_CHROME_TRACES = ("_et.json.gz",)
TRACES = [
    path for path in sorted(FOLDER.glob("*.json.gz")) if not path.name.endswith(NOT_CHROME_TRACES)
]

WAITS = {"event_wait", "event_record"}
"""What MTIA has among its work, and is none."""

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "mtia_ccp_events"}
LAUNCHING = {"cpu_op", "user_annotation"}
"""Categories of rows that an External id may name."""
RUNTIME = {"cuda_runtime", "cuda_driver", "mtia_runtime"}

pytestmark = pytest.mark.skipif(not TRACES, reason="the folder of public traces is not here")


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_device_time_by_operator_is_that_of_a_plain_walk(path: Path) -> None:
    own, with_children = plain_walk(path)
    profile = attribute(read(path))
    report = line_report(profile, "directory")
    check_conservation(report)
    shown: Counter[str] = Counter()
    for share in (*report.unattributed_ops, *(op for line in report.lines for op in line.ops)):
        shown[share.name] += share.self_ns
    assert +shown == own
    assert own
    assert time_with_children(profile) == with_children


def time_with_children(profile: Profile) -> Counter[str]:
    """Device time under each operator's name, each row once, by the attributed events."""
    events, sums = profile.events, Counter[str]()
    is_operator = (events["category"] == Category.OPERATOR).tolist()
    name, parent = events["name"].tolist(), events["parent"].tolist()
    for row, device_ns in zip(
        events["operator"].tolist(), events["device_ns"].tolist(), strict=True
    ):
        if device_ns:
            callers: set[int] = {name[row]}
            while (row := parent[row]) >= 0:
                callers.update([name[row]] if is_operator[row] else [])
            sums.update(dict.fromkeys((profile.strings[each] for each in callers), device_ns))
    return sums


@pytest.mark.parametrize("path", [path for path in TRACES if "mtia" in path.name])
def test_waits_of_mtias_streams_are_no_device_time(path: Path) -> None:
    with gzip.open(path) as file:
        rows = json.load(file, parse_float=Decimal)["traceEvents"]
    waits = [round(e["dur"] * 1000) for e in rows if e["name"] == "event_wait"]
    assert (len(waits), sum(waits)) == (48, 352_569_592)
    report = line_report(attribute(read(path)), "directory")
    assert report.device == "mtia"
    assert not {"event_wait", "event_record"} & {op.name for op in report.unattributed_ops}
    # No core can have worked for longer than the recording took.
    assert report.device_busy_ns <= report.span_ns <= report.recorded_ns


class Row:
    """A row of the trace, its times in whole nanoseconds."""

    def __init__(self, event: dict[str, Any], order: int) -> None:
        arguments: dict[str, Any] = event.get("args", {})
        self.category: str = event.get("cat", "")
        self.name: str = event["name"]
        self.lane = (event["pid"], event["tid"])
        self.start = round(event["ts"] * 1000)
        self.duration = round(event["dur"] * 1000)
        self.end = self.start + self.duration
        self.moment = (self.start, -self.duration, order)
        self.external_id = int(arguments.get("External id", arguments.get("external id", 0)))
        self.correlation = int(arguments.get("correlation", 0))

    def holds(self, other: Row) -> bool:
        return self.start <= other.start < self.end and other.end <= self.end


def plain_walk(path: Path) -> tuple[Counter[str], Counter[str]]:
    """Device time of each operator in nanoseconds, from the JSON: its own, and with all it called.

    What leads to no operator has its own name. Within an operator that calls itself time is once.
    """
    with gzip.open(path) as file:
        trace = json.load(file, parse_float=Decimal)
    rows = [Row(e, order) for order, e in enumerate(trace["traceEvents"]) if e.get("ph") == "X"]
    rows.sort(key=lambda row: row.moment)
    operators: defaultdict[Any, list[Row]] = defaultdict(list)
    device: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        if row.category == "cpu_op":
            operators[row.lane].append(row)
        elif row.category in DEVICE and row.name not in WAITS and row.duration:
            device[row.lane].append(row)
    own: Counter[str] = Counter()
    with_children: Counter[str] = Counter()
    for chain, nanoseconds in _on_device(rows, operators, device) if device else _on_cpu(operators):
        own[chain[0]] += nanoseconds
        for name in set(chain):
            with_children[name] += nanoseconds
    return +own, +with_children


def _callers(operators: list[Row], row: Row) -> list[Row]:
    """The operators of a thread that a row ran in, from the innermost out."""
    found: list[Row] = []
    while around := [each for each in operators if each.moment < row.moment and each.holds(row)]:
        row = around[-1]
        found.append(row)
    return found


def _on_device(
    rows: list[Row], operators: dict[Any, list[Row]], device: dict[Any, list[Row]]
) -> Iterator[tuple[list[str], int]]:
    """Each row of device work: the operators that launched it, and its time."""
    by_external_id = {row.external_id: row for row in rows if row.category in LAUNCHING}
    by_correlation = {row.correlation: row for row in rows if row.category in RUNTIME}
    for stream in device.values():
        for position, row in enumerate(stream):
            if any(other.end <= row.end for other in stream[position + 1 :]):
                continue  # it holds another row, which counts in its place
            # Traces of 2023 write the correlation into the External id as well, where it names
            # some unrelated operator.
            owner = by_correlation.get(row.correlation) if row.correlation > 0 else None
            if owner is None and row.external_id > 0:
                owner = by_external_id.get(row.external_id)
            chain: list[Row] = []
            if owner is not None:
                chain = _callers(operators.get(owner.lane, []), owner)
                if owner.category == "cpu_op":
                    chain.insert(0, owner)
            yield [each.name for each in chain] or [row.name], row.duration


def _on_cpu(operators: dict[Any, list[Row]]) -> Iterator[tuple[list[str], int]]:
    """Each operator with its callers and its time, which is taken off its caller's own."""
    for thread in operators.values():
        for row in thread:
            callers = [each.name for each in _callers(thread, row)]
            yield [row.name, *callers], row.duration
            if callers:
                yield callers, -row.duration
