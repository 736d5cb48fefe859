"""A program with shapes, as a capture leaves it, so that the command line can price it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from traces.chrome import Event, operator, row, write, write_capture

STEPS = 2
MODEL, TRAIN = "/project/net/model.py", "/project/train.py"
MODEL_LINE, TRAIN_LINES = 12, (12, 30, 31)
EVIL = "\x1b[31m\u202eevil"


def product(at: float, rows: int = 4096, **more: Any) -> Event:
    """A matrix product of ``[rows, 1024] x [1024, 2048]`` in bf16."""
    inputs: dict[str, Any] = {
        "Input Dims": [[rows, 1024], [1024, 2048]],
        "Input type": ["c10::BFloat16"] * 2,
        **more,
    }
    return operator("aten::mm", at, 5, **inputs)


def elementwise(name: str, at: float) -> Event:
    inputs: dict[str, Any] = {"Input Dims": [[4096, 4096]], "Input type": ["float"]}
    return operator(name, at, 2, **inputs)


def line(label: int, at: float, duration: float) -> Event:
    return row("user_annotation", f"sidelight:{label}", at, duration) | {"cat": "cpu_op"}


def step_events(at: float) -> list[Event]:
    return [
        line(0, at, 90),
        line(1, at + 1, 30),
        product(at + 2),
        product(at + 9),
        elementwise("aten::exp", at + 16),
        elementwise("aten::relu", at + 40),
        line(2, at + 91, 6),
        operator("aten::unheard_of", at + 92, 3),
        line(3, at + 98, 1),
    ]


def write_program(directory: Path, *, evil: str = "") -> Path:
    """Write the capture: two steps of a program of two files, whose line 12 both have."""
    events = [event for step in range(STEPS) for event in step_events(100 * step)]
    marks = [
        row("user_annotation", f"sidelight.mark:{mark}", 100 * mark, 0) | {"cat": "cpu_op"}
        for mark in range(STEPS + 1)
    ]
    for event in events:
        if event["name"] == "aten::exp":
            event["args"]["Input type"] = [f"float{evil}"]
    return write_capture(
        directory,
        {"trace-0.json": [*marks, *events]},
        files=[{"path": path, "snapshot": None} for path in (TRAIN + evil, MODEL + evil)],
        frames=[
            [0, TRAIN_LINES[0], "main"],
            [1, MODEL_LINE, "forward"],
            [0, TRAIN_LINES[1], "main"],
            [0, TRAIN_LINES[2], "main"],
        ],
        labels=[[label, 1] for label in range(4)],
        steps=[[step, step + 1] for step in range(STEPS)],
    )


def write_measured(path: Path, kernels: Sequence[tuple[Event, int]]) -> Path:
    """Write a trace of operators, each of which launched a row of the device of so many ns."""
    events: list[Event] = []
    for number, (event, measured_ns) in enumerate(kernels, 1):
        at = 100_000.0 * number  # apart, so that no row of the device lies in another
        started = {**event, "ts": at, "args": {**event["args"], "External id": number}}
        on_device = row("kernel", "k", at + 1, measured_ns / 1000, tid=7, pid=0)
        events += [started, {**on_device, "args": {"External id": number}}]
    return write(path, events)
