"""What a script sees of its own recording, against a plain look at which rows lie in which."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sidelight.capture.own_rows import ProgramsRows, copy_programs_rows

STAND_IN = "sidelight::stand_in"


@dataclass
class Row:
    """A row as the profiler gives it. Times are nanoseconds."""

    number: int
    label: str
    thread: int
    start: int
    end: int
    children: list[Row] = field(default_factory=list["Row"])

    def name(self) -> str:
        return self.label

    def start_thread_id(self) -> int:
        return self.thread

    def start_ns(self) -> int:
        return self.start

    def end_ns(self) -> int:
        return self.end

    def correlation_id(self) -> int:
        return self.number

    def is_python_function(self) -> bool:
        return self.label.endswith("(1): f")


@dataclass
class Results:
    """A recording."""

    rows: list[Row]

    def events(self) -> list[Row]:
        return self.rows


class Recording:
    """A random recording: rows that nest, and what the program's own ones should be."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rows: list[Row] = []
        self.own: set[int] = set()
        self.kernels: dict[int, list[int]] = {}
        for thread in (1, 2):
            self.fill(thread, 0, 1 << 20, operator=None, inside=False, depth=0)

    def fill(
        self, thread: int, start: int, end: int, operator: int | None, inside: bool, depth: int
    ) -> None:
        at = start
        while depth < 5 and end - at > 40 and self.chance.random() < 0.8:
            first = at + self.chance.randint(0, 8)
            last = min(first + self.chance.randint(20, max(21, (end - at) // 2)), end)
            self.add(thread, first, last, operator, inside, depth)
            at = last

    def add(
        self, thread: int, start: int, end: int, operator: int | None, inside: bool, depth: int
    ) -> None:
        kinds = ["aten::mm", "aten::mm", STAND_IN, "sidelight:7", "module.py(1): f", "kernel"]
        kind = self.chance.choice(kinds if inside else kinds[:-1])
        number = len(self.rows) + 1
        if kind == "kernel":
            duration_ns = self.chance.randint(1, 999)
            kind = f"sidelight::kernel::{duration_ns}"
            if operator is not None:
                self.kernels.setdefault(operator, []).append(duration_ns)
        self.rows.append(Row(number, kind, thread, start, end))
        if not inside and kind in ("aten::mm", "module.py(1): f"):
            self.own.add(number)
        is_operator = kind == "aten::mm" and not inside
        self.fill(
            thread,
            start,
            end,
            number if is_operator else operator,
            inside or kind == STAND_IN,
            depth + 1,
        )


@dataclass
class Interval:
    start: float
    end: float


class FunctionEvent:
    """torch's description of a row, as far as it takes part."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)
        self.time_range = Interval(values["start_us"], values["end_us"])
        self.kernels: list[tuple[str, int, float]] = []

    def append_kernel(self, name: str, device: int, duration_us: float) -> None:
        self.kernels.append((name, device, duration_us))


def described(row: Row) -> Any:
    return FunctionEvent(
        id=row.number,
        name=row.label,
        start_us=row.start / 1000,
        end_us=row.end / 1000,
        use_device="neuron",
        device_type="cpu",
    )


@pytest.mark.parametrize("seed", range(40))
def test_rows_in_answers_go_and_their_kernels_stay(seed: int) -> None:
    recording = Recording(seed)
    shuffled = list(recording.rows)
    recording.chance.shuffle(shuffled)
    rows = ProgramsRows(Results(shuffled), "device")
    kept = rows.events()
    assert {row.number for row in kept} == recording.own

    events = [described(row) for row in sorted(kept, key=lambda row: row.start)]
    rows.add_kernels(events)
    operators = [event for event in events if event.device_type == "cpu"]
    found = {
        event.id: sorted(round(kernel[2] * 1000) for kernel in event.kernels)
        for event in operators
        if event.kernels
    }
    assert found == {number: sorted(each) for number, each in recording.kernels.items()}

    device = [event for event in events if event.device_type == "device"]
    starts = [event.time_range.start for event in device]
    assert starts == sorted(starts)
    for before, after in pairwise(device):
        assert after.time_range.start >= before.time_range.end
    total_ns = sum(map(sum, recording.kernels.values()))
    taken_us = sum(event.time_range.end - event.time_range.start for event in device)
    assert round(taken_us * 1000) == total_ns


def kineto_trace(path: Path, rows: list[Row]) -> None:
    """Write rows as Kineto does: one key a line, times in microseconds with three places."""
    texts = [
        f'\n  {{\n    "ph": "X", "cat": "cpu_op", "name": {json.dumps(row.label)}, "pid": 3, '
        f'"tid": {row.thread},\n    "ts": {5186560842813000 + row.start // 1000}.'
        f'{row.start % 1000:03d}, "dur": {(row.end - row.start) // 1000}.'
        f'{(row.end - row.start) % 1000:03d},\n    "args": {{\n'
        f'      "External id": {row.number}\n    }}\n  }},'
        for row in rows
    ]
    window = '\n  {\n    "ph": "i", "name": "Record Window End", "pid": "", "tid": "", "ts": 9\n  }'
    path.write_text(f'{{"traceEvents": [{"".join(texts)}{window}\n  ],\n  "traceName": "{path}"}}')


@pytest.mark.parametrize("seed", range(20))
def test_a_trace_is_copied_without_them(seed: int, tmp_path: Path) -> None:
    recording = Recording(seed)
    kineto_trace(tmp_path / "whole.json", recording.rows)
    copy_programs_rows(tmp_path / "whole.json", tmp_path / "own.json")
    content = json.loads((tmp_path / "own.json").read_text())
    numbers = [row["args"]["External id"] for row in content["traceEvents"] if row["ph"] == "X"]
    assert numbers == sorted(recording.own)
    assert content["traceEvents"][-1]["name"] == "Record Window End"
    assert content["traceName"] == str(tmp_path / "own.json")
