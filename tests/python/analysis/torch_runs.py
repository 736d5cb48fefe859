"""Small programs run under torch's own profiler, as its trace and as the profile read from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sidelight.analysis.attribution import attribute
from sidelight.ingest import read
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

torch: Any = pytest.importorskip("torch")

FILE = "/project/program.py"


@dataclass(frozen=True)
class Run:
    """What was recorded of a program.

    Attributes:
        events: The trace's own events.
        base_ns: What their times count from.
        profile: The same, read and attributed.
    """

    events: list[dict[str, Any]]
    base_ns: int
    profile: Profile

    def starts(self, rows: Sequence[int]) -> list[tuple[str, int]]:
        """Name and start of events of the profile, as the trace has them, in nanoseconds."""
        profile = self.profile
        zero_ns = profile.manifest.start_unix_ns
        return sorted(
            (profile.strings[int(name)], zero_ns + int(start_ns))
            for name, start_ns in zip(
                profile.events["name"][list(rows)],
                profile.events["start_ns"][list(rows)],
                strict=True,
            )
        )


def at_line(number: int) -> Any:
    """A line of the user's, as a capture marks it: what runs inside has it innermost."""
    return torch._C._profiler._RecordFunctionFast(f"sidelight:{number}")


def mark(number: int) -> None:
    """A boundary between steps, as a capture marks it."""
    with torch._C._profiler._RecordFunctionFast(f"sidelight.mark:{number}"):
        pass


def record(
    program: Callable[[], None],
    directory: Path,
    *,
    shapes: bool = True,
    steps: Sequence[tuple[int | None, int | None]] = ((None, None),),
    step_before: int | None = None,
) -> Run:
    """Run a program under the profiler; every line up to 99 is one of ``FILE``.

    Args:
        program: What to run.
        directory: Where to leave the recording.
        shapes: Whether to record what operators are given.
        steps: The numbers of the marks that each recorded step lies between.
        step_before: The mark at which the last step before them begins.
    """
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU],
        record_shapes=shapes,
        experimental_config=torch._C._profiler._ExperimentalConfig(profile_all_threads=True),
    ) as profiler:
        program()
    trace = directory / "trace-0.json"
    profiler.export_chrome_trace(str(trace))
    capture = {
        "schema": 1,
        "traces": [trace.name],
        "target": "cpu",
        "device": "cpu",
        "files": [{"path": FILE, "snapshot": None}],
        "frames": [[0, line + 1, "program"] for line in range(99)],
        "labels": [[max(line - 1, 0), 1] for line in range(100)],
        "steps": steps,
        "step_before": step_before,
    }
    (directory / "capture.json").write_text(json.dumps(capture))
    document = json.loads(trace.read_text())
    return Run(document["traceEvents"], document["baseTimeNanoseconds"], attribute(read(directory)))


def operator_names(profile: Profile) -> list[str]:
    """The names of a profile's operators, in order of their start."""
    events = profile.events
    rows = sorted(
        (int(start_ns), int(name))
        for category, start_ns, name in zip(
            events["category"], events["start_ns"], events["name"], strict=True
        )
        if category == Category.OPERATOR
    )
    return [profile.strings[name] for _, name in rows]
