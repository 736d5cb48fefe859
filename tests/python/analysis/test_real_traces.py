"""Public traces of real runs, read from a folder beside the checkout where it is there.

Device time by operator is worked out a second time from the plain JSON.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from test_oracle import check_conservation

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.ingest import read

FOLDER = Path(__file__).parents[4] / "shared" / "traces" / "torch"
NOT_CHROME_TRACES = ("_et.json.gz",)
TRACES = [
    path for path in sorted(FOLDER.glob("*.json.gz")) if not path.name.endswith(NOT_CHROME_TRACES)
]

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "mtia_ccp_events"}
LAUNCHING = {"cpu_op", "user_annotation"}
"""Categories of rows that an External id may name."""
RUNTIME = {"cuda_runtime", "cuda_driver", "mtia_runtime"}

pytestmark = pytest.mark.skipif(not TRACES, reason="the folder of public traces is not here")


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_device_time_by_operator_is_that_of_a_plain_walk(path: Path) -> None:
    profile = attribute(read(path))
    report = line_report(profile, "directory")
    check_conservation(report)
    ours: Counter[str] = Counter()
    events = profile.events
    for name, nanoseconds in zip(
        events["name"][events["operator"]].tolist(), events["device_ns"].tolist(), strict=True
    ):
        if nanoseconds:
            ours[profile.strings[name]] += nanoseconds
    assert ours == plain_walk(path)
    assert ours


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


def plain_walk(path: Path) -> Counter[str]:
    """Device time of each operator in nanoseconds, from the JSON."""
    with gzip.open(path) as file:
        trace = json.load(file, parse_float=Decimal)
    rows = [Row(e, order) for order, e in enumerate(trace["traceEvents"]) if e.get("ph") == "X"]
    rows.sort(key=lambda row: row.moment)
    operators: defaultdict[Any, list[Row]] = defaultdict(list)
    device: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        if row.category == "cpu_op":
            operators[row.lane].append(row)
        elif row.category in DEVICE and row.duration:
            device[row.lane].append(row)
    return _on_device(rows, operators, device) if device else _on_cpu(operators)


def _on_device(
    rows: list[Row], operators: dict[Any, list[Row]], device: dict[Any, list[Row]]
) -> Counter[str]:
    by_external_id = {row.external_id: row for row in rows if row.category in LAUNCHING}
    by_correlation = {row.correlation: row for row in rows if row.category in RUNTIME}
    sums: Counter[str] = Counter()
    for stream in device.values():
        for position, row in enumerate(stream):
            if any(other.end <= row.end for other in stream[position + 1 :]):
                continue  # it holds another row, which counts in its place
            # Traces of 2023 write the correlation into the External id as well, where it names
            # some unrelated operator.
            owner = by_correlation.get(row.correlation) if row.correlation > 0 else None
            if owner is None and row.external_id > 0:
                owner = by_external_id.get(row.external_id)
            around = [
                operator
                for operator in (operators.get(owner.lane, []) if owner else [])
                if operator is owner
                or (owner and owner.category != "cpu_op" and operator.holds(owner))
            ]
            sums[(around[-1] if around else row).name] += row.duration
    return sums


def _on_cpu(operators: dict[Any, list[Row]]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for thread in operators.values():
        for position, row in enumerate(thread):
            sums[row.name] += row.duration
            around = [other for other in thread[:position] if other.holds(row)]
            if around:
                sums[around[-1].name] -= row.duration
    return +sums
