"""Operators' own times and counts against torch's own table of the same run.

``prof.key_averages()`` is made in the process, from the profiler's tree of events; ours is read
from the trace it exports.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from test_oracle import check_conservation

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.ingest import read
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

torch: Any = pytest.importorskip("torch")

AROUND, INSIDE = "around a step", "inside an operator"
"""Annotations. The second lies in ``Doubled``, which torch then takes its time off."""

OPTIMIZER = ("Optimizer.step#AdamW.step", "Optimizer.zero_grad#AdamW.zero_grad")
"""Annotations that torch itself makes."""

BACKWARD_LINE, THREAD_LINE, FUNCTION_LINE = "sidelight:0", "sidelight:1", "sidelight:2"


class Doubled(torch.autograd.Function):
    """A custom function with an annotation in its forward and a user line in its backward."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        with torch.profiler.record_function(INSIDE):
            return (tensor + tensor).clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        with line(FUNCTION_LINE):
            return grad * 2


def line(label: str) -> Any:
    """A user's source line, as a capture marks it."""
    return torch._C._profiler._RecordFunctionFast(label)


def train(steps: int) -> None:
    """A training loop beside a thread that only computes."""
    model = torch.nn.Sequential(
        torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.LayerNorm(16), torch.nn.Linear(16, 4)
    )
    optimizer = torch.optim.AdamW(model.parameters())
    thread = threading.Thread(target=infer)
    thread.start()
    for _ in range(steps):
        with torch.profiler.record_function(AROUND):
            optimizer.zero_grad()
            output = Doubled.apply(model(torch.randn(3, 8)))
            loss = torch.nn.functional.cross_entropy(output, torch.tensor([0, 1, 2]))
            with line(BACKWARD_LINE):
                loss.backward()
            optimizer.step()
    thread.join()


def infer() -> None:
    with torch.no_grad():
        for _ in range(5):
            with line(THREAD_LINE):
                torch.nn.functional.softmax(torch.randn(4, 4) @ torch.randn(4, 4), dim=-1)


@dataclass(frozen=True)
class Recording:
    """What the profiler said: by name, microseconds of its own and count; and our profile."""

    self_us: dict[str, float]
    count: dict[str, int]
    profile: Profile


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    directory: Path = tmp_path_factory.mktemp("recording")
    train(1)
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU],
        experimental_config=torch._C._profiler._ExperimentalConfig(profile_all_threads=True),
    ) as profiler:
        train(3)
    averages = profiler.key_averages()
    profiler.export_chrome_trace(str(directory / "trace-0.json"))
    capture = {
        "schema": 1,
        "traces": ["trace-0.json"],
        "target": "cpu",
        "device": "cpu",
        "files": [{"path": "/work/train.py", "snapshot": None}],
        "frames": [[0, 10, "train"], [0, 20, "infer"], [0, 30, "Doubled.backward"]],
        "labels": [[0, 1], [1, 1], [2, 1]],
        "steps": [[None, None]],
    }
    (directory / "capture.json").write_text(json.dumps(capture))
    return Recording(
        self_us={average.key: average.self_cpu_time_total for average in averages},
        count={average.key: average.count for average in averages},
        profile=attribute(read(directory)),
    )


def of_operators(profile: Profile, values: npt.NDArray[np.int64]) -> Counter[str]:
    """Sum over the operator rows of a value of each event, by name."""
    events = profile.events
    is_operator = events["category"] == Category.OPERATOR
    sums: Counter[str] = Counter()
    names: list[int] = events["name"][is_operator].tolist()
    for name, value in zip(names, values[is_operator].tolist(), strict=True):
        sums[profile.strings[name]] += value
    return sums


def test_counts_are_those_of_torch(recording: Recording) -> None:
    events = recording.profile.events
    operators = of_operators(recording.profile, np.ones(len(events), np.int64))
    not_operators = {AROUND, INSIDE, BACKWARD_LINE, THREAD_LINE, FUNCTION_LINE, *OPTIMIZER}
    assert operators == {
        key: count for key, count in recording.count.items() if key not in not_operators
    }
    assert operators["aten::addmm"] == 3 * 2
    assert operators["aten::softmax"] == 5
    lines = events["frame"][events["category"] == Category.LINE].tolist()
    assert Counter(lines) == {0: 3, 1: 5, 2: 3}


def test_own_times_are_those_of_torch(recording: Recording) -> None:
    expected_us = dict(recording.self_us)
    # To us annotations are transparent: what they hold beside operators is their operator's own.
    expected_us["Doubled"] += expected_us.pop(INSIDE)
    own_ns = of_operators(recording.profile, recording.profile.events["device_ns"])
    assert len(own_ns) > 30
    for name, nanoseconds in own_ns.items():
        assert nanoseconds / 1000 == pytest.approx(expected_us[name], rel=1e-9, abs=1e-6), name


def test_the_report_adds_up_and_knows_its_lines(recording: Recording) -> None:
    report = line_report(recording.profile, "directory")
    check_conservation(report)
    lines = {line.line: line for line in report.lines}
    assert {number: line.count for number, line in lines.items()} == {10: 3, 20: 5, 30: 3}
    assert lines[20].forward_ns == lines[20].self_ns == lines[20].total_ns > 0
    assert lines[30].backward_ns == lines[30].self_ns > 0
    assert {share.name: share.count for share in lines[30].ops}["aten::mul"] == 3
    # The forward has no lines here, so the only other line the backward pass ran is Doubled's.
    assert lines[10].launched_ns == lines[30].self_ns
    assert lines[10].total_ns == lines[10].self_ns
