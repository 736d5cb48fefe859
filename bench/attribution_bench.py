"""How long attribution and the per-line report take, for a million events.

    python bench/attribution_bench.py [--events 1000000]

The events are a training loop's, made directly as tables: user lines four deep, operators three
deep within the innermost, backward nodes on a thread of their own; then the same with a kernel for
every operator that launches one.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.profile.manifest import Manifest, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    STEP_COLUMNS,
    Category,
    Table,
)

MAIN, ENGINE, STREAM = range(3)
NAMES = (
    "aten::linear",
    "aten::addmm",
    "aten::empty",
    "autograd::engine::evaluate_function: AddmmBackward0",
    "AddmmBackward0",
    "aten::mm",
    "cudaLaunchKernel",
    "kernel",
    "sidelight",
)
LINEAR, ADDMM, EMPTY, NODE, BACKWARD, MM, LAUNCH, KERNEL, LINE = range(len(NAMES))
LAYERS = 48
FRAMES = 4 + LAYERS

Row = dict[str, int]


def step_rows(*, device: bool) -> list[Row]:
    """The rows of one training step, which starts at 0."""
    rows: list[Row] = []

    def add(category: Category, name: int, track: int, start: int, end: int, **more: int) -> None:
        rows.append(
            {
                "category": category,
                "name": name,
                "track": track,
                "start_ns": start,
                "duration_ns": end - start,
                "forward_thread": 0,
                **more,
            }
        )

    def launch(start: int, correlation: int) -> None:
        if device:
            add(Category.RUNTIME, LAUNCH, MAIN, start, start + 50, correlation_id=correlation)
            kernel_ns = correlation * 1000
            add(
                Category.DEVICE,
                KERNEL,
                STREAM,
                kernel_ns,
                kernel_ns + 900,
                correlation_id=correlation,
                external_id=correlation,
            )

    add(Category.LINE, LINE, MAIN, 0, LAYERS * 2000, frame=0, entry=1)
    for layer in range(LAYERS):
        start = layer * 2000
        for depth in range(1, 4):
            frame = 3 + layer if depth == 3 else depth
            inset = depth * 50
            end = start + 2000 - inset
            add(Category.LINE, LINE, MAIN, start + inset, end, frame=frame, entry=1)
        add(Category.OPERATOR, LINEAR, MAIN, start + 200, start + 1700, sequence_nr=layer)
        add(
            Category.OPERATOR,
            ADDMM,
            MAIN,
            start + 300,
            start + 1600,
            sequence_nr=layer,
            external_id=1 + layer,
        )
        add(Category.OPERATOR, EMPTY, MAIN, start + 400, start + 600)
        launch(start + 700, 1 + layer)
    backward = LAYERS * 2000
    end = backward + LAYERS * 2000
    add(Category.LINE, LINE, MAIN, backward, end, frame=FRAMES - 1, entry=1)
    for layer in range(LAYERS):
        start = backward + layer * 2000
        of = {"sequence_nr": LAYERS - 1 - layer, "forward_thread": MAIN + 1}
        add(Category.OPERATOR, NODE, ENGINE, start + 100, start + 1900, **of)
        add(Category.OPERATOR, BACKWARD, ENGINE, start + 200, start + 1800, **of)
        add(
            Category.OPERATOR,
            MM,
            ENGINE,
            start + 300,
            start + 1700,
            external_id=1 + LAYERS + layer,
        )
        add(Category.OPERATOR, EMPTY, ENGINE, start + 400, start + 600)
        launch(start + 700, 1 + LAYERS + layer)
    return rows


def recording(events: int, *, device: bool) -> Profile:
    """A profile of about ``events`` events, not yet attributed."""
    rows = step_rows(device=device)
    steps = max(1, events // len(rows))
    step = np.repeat(np.arange(steps), len(rows))
    step_ns = 2 * LAYERS * 2000
    columns = {
        name: np.tile(np.array([row.get(name, -1) for row in rows], np.int64), steps)
        for name in EVENT_COLUMNS
    }
    columns["start_ns"] += step * step_ns
    for name in ("sequence_nr", "external_id", "correlation_id"):
        columns[name] += np.where(columns[name] >= 0, step * 2 * LAYERS, 0)
    order = np.lexsort((-columns["duration_ns"], columns["start_ns"], columns["track"]))
    return Profile(
        manifest=Manifest(name="bench", created="", format="bench", line_level="line"),
        strings=list(NAMES),
        tracks=[
            Track("host", "main", "1", "1"),
            Track("host", "engine", "1", "2"),
            Track("device", "stream", "0", "7"),
        ],
        files=[SourceFile("/work/train.py")],
        events=Table.of(EVENT_COLUMNS, {name: columns[name][order] for name in columns}),
        frames=Table.of(
            FRAME_COLUMNS,
            {"file": [0] * FRAMES, "line": range(1, FRAMES + 1), "function": [0] * FRAMES},
        ),
        steps=Table.of(
            STEP_COLUMNS,
            {
                "start_ns": np.arange(steps) * step_ns,
                "end_ns": (np.arange(steps) + 1) * step_ns,
            },
        ),
    )


def main() -> None:
    """Measure, and print a line for each kind of recording."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=1_000_000)
    events: int = parser.parse_args().events
    for device in (False, True):
        profile = recording(events, device=device)
        begin = time.process_time()
        attribute(profile)
        attributed = time.process_time()
        report = line_report(profile, "")
        reported = time.process_time()
        if report.attributed_ns + report.unattributed_ns != report.device_time_ns:
            raise SystemExit("the report does not add up")
        per_event = 1e6 / len(profile.events)
        print(
            f"{'device' if device else 'cpu   '}  {len(profile.events):>9,} events"
            f"  attribute {(attributed - begin) * per_event:.2f} µs/event"
            f"  line_report {(reported - attributed) * per_event:.2f} µs/event"
        )


if __name__ == "__main__":
    main()
