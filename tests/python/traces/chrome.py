"""Small Chrome traces for tests, event by event."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Event = dict[str, Any]

PID = 100
BASE_NS = 1_790_857_026_000_000_000


def row(
    category: str,
    name: str,
    ts: float | str,
    dur: float | str,
    *,
    tid: int | str = 1,
    pid: int | str = PID,
    **args: Any,
) -> Event:
    """A complete event. Times given as text are written as they are."""
    event = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur}
    return {**event, "args": args} if args else event


def operator(name: str, ts: float, dur: float, *, tid: int = 1, **args: Any) -> Event:
    """A ``cpu_op``."""
    return row("cpu_op", name, ts, dur, tid=tid, **args)


def arrow(number: int, leaves: tuple[int, float], arrives: tuple[int, float]) -> list[Event]:
    """One of autograd's arrows, from a (tid, ts) to a (tid, ts)."""
    flow = {"cat": "fwdbwd", "name": "fwdbwd", "id": number, "pid": PID}
    return [
        {**flow, "ph": "s", "tid": leaves[0], "ts": leaves[1]},
        {**flow, "ph": "f", "tid": arrives[0], "ts": arrives[1], "bp": "e"},
    ]


def text_of(events: Sequence[Event], *, base_ns: int | None = BASE_NS, **header: Any) -> str:
    """A trace as JSON on one line."""
    document: dict[str, Any] = dict(header)
    if base_ns is not None:
        document["baseTimeNanoseconds"] = base_ns
    text = json.dumps({**document, "traceEvents": list(events)})
    for event in events:
        for key in ("ts", "dur"):
            if isinstance(event.get(key), str):
                text = text.replace(f'"{key}": "{event[key]}"', f'"{key}": {event[key]}')
    return text


def write(path: Path, events: Sequence[Event], **header: Any) -> Path:
    """Write a trace; gzipped where the name says so."""
    data = text_of(events, **header).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_capture(
    directory: Path, recordings: Mapping[str, Sequence[Event]], **fields: Any
) -> Path:
    """Write what a capture leaves: traces and ``capture.json``."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, events in recordings.items():
        write(directory / name, events)
    capture: dict[str, Any] = {
        "schema": 1,
        "traces": list(recordings),
        "target": "cpu",
        "device": "cpu",
        "files": [],
        "frames": [],
        "labels": [],
        "steps": [[None, None]],
        "warmup": 0,
        "quality": [],
        "versions": {"python": "3.12.1", "torch": "2.13.0"},
        "environment": {},
        "command": ["train.py"],
        "working_directory": "/work",
        "host": "box",
        "pid": PID,
        "rank": None,
        "world_size": None,
        "started_unix_ns": BASE_NS,
    }
    (directory / "capture.json").write_text(json.dumps({**capture, **fields}))
    return directory
