"""Made events as what a capture would have left of them: a Chrome trace and ``capture.json``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from profiles import FILES, FRAMES, HOST_TRACKS, TRACKS, Event, Steps

from sidelight.profile.tables import Category

BASE_UNIX_NS = 1_790_000_000_123_456_789

TRACE_CATEGORIES = {
    Category.OPERATOR: "cpu_op",
    Category.LINE: "cpu_op",
    Category.ANNOTATION: "user_annotation",
    Category.FUNCTION: "python_function",
    Category.RUNTIME: "cuda_runtime",
    Category.DEVICE: "kernel",
    Category.DEVICE_COARSE: "privateuse1_driver",
    Category.OTHER: "overhead",
    Category.DEVICE_RUNTIME: "privateuse1_runtime",
}

Labels = list[tuple[int, int]]


def recordable(events: Sequence[Event]) -> list[Event]:
    """The events as a trace can tell them.

    A function call is always an entry, and the thread of a forward is known only where an arrow
    says so: other operators lose their mark of being backward.
    """
    told = {row.forward_thread for row in _arrow_targets(events)}
    changed: list[Event] = []
    for event in events:
        if event.category == Category.FUNCTION:
            event = replace(event, entry=1)
        if event.forward_thread not in told:
            event = replace(event, forward_thread=0)
        changed.append(event)
    return changed


def write_recording(directory: Path, events: Sequence[Event], steps: Steps) -> None:
    """Write ``capture.json`` and its trace."""
    ordered = sorted(events, key=lambda event: (event.track, event.start_ns, -event.duration_ns))
    labels = sorted({(e.frame, e.entry) for e in ordered if e.category == Category.LINE})
    boundaries = [boundary for step in steps for boundary in step]
    trace = {
        "schemaVersion": 1,
        "baseTimeNanoseconds": BASE_UNIX_NS,
        "traceEvents": [
            *(
                _trace_row(Event(Category.OPERATOR, at_ns, 0, f"sidelight.mark:{mark}"), labels)
                for mark, at_ns in enumerate(boundaries)
            ),
            *(_trace_row(event, labels) for event in ordered),
            *(
                end
                for number, row in enumerate(_arrow_targets(events))
                for end in _arrow(number, row)
            ),
        ],
    }
    capture = {
        "schema": 1,
        "traces": ["trace-0.json"],
        "target": "cpu",
        "device": "cpu",
        "files": [{"path": path, "snapshot": None} for path in FILES],
        "frames": [[file, line, "function"] for file, line in FRAMES],
        "labels": labels,
        "steps": [[2 * step, 2 * step + 1] for step in range(len(steps))],
    }
    (directory / "trace-0.json").write_text(json.dumps(trace))
    (directory / "capture.json").write_text(json.dumps(capture))


def _trace_row(event: Event, labels: Labels) -> dict[str, Any]:
    category, name = TRACE_CATEGORIES[event.category], event.name
    if event.category == Category.LINE:
        name = f"sidelight:{labels.index((event.frame, event.entry))}"
    elif event.category == Category.FUNCTION and event.frame >= 0:
        file, line = FRAMES[event.frame]
        name = f"{FILES[file]}({line}): function"
    elif event.category == Category.ANNOTATION and event.track >= HOST_TRACKS:
        category = "gpu_user_annotation"
    arguments = {
        "External id": event.external_id,
        "correlation": event.correlation_id,
        "Sequence number": event.sequence_nr,
        "Fwd thread id": event.forward_thread,
    }
    return {
        "ph": "X",
        "cat": category,
        "name": name,
        **_at(event.track, event.start_ns),
        "dur": event.duration_ns / 1000,
        "args": {key: value for key, value in arguments.items() if value >= 0},
    }


def _at(track: int, time_ns: int) -> dict[str, Any]:
    return {"pid": int(TRACKS[track].pid), "tid": int(TRACKS[track].tid), "ts": time_ns / 1000}


def _arrow_targets(events: Sequence[Event]) -> list[Event]:
    """Backward operators that an arrow can point to without doubt, from a thread that has rows."""
    backward = [event for event in events if event.forward_thread > 0]
    starts = Counter(event.start_ns for event in backward)
    tracks = {event.track for event in events}
    return [
        event
        for event in backward
        if starts[event.start_ns] == 1 and event.forward_thread - 1 in tracks
    ]


def _arrow(number: int, row: Event) -> list[dict[str, Any]]:
    arrow = {"cat": "fwdbwd", "name": "fwdbwd", "id": number}
    return [
        {"ph": "s", **arrow, **_at(row.forward_thread - 1, 0)},
        {"ph": "f", "bp": "e", **arrow, **_at(row.track, row.start_ns)},
    ]
