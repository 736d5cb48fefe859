"""``--device``: predictions beside what was measured, in documents and in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from cli.contract import check_report
from cli.priced import write_program
from cli.running import Run
from support.tool import TIMEOUT_S
from traces.chrome import operator, row, write

PREDICTED = {"predicted_ns", "pricing", "flops", "hbm_bytes", "quality", "profile"}

SCRIPT = """\
import torch

torch.manual_seed(0)
weight = torch.ones(256, requires_grad=True)
layer = torch.nn.Linear(64, 256)
optimizer = torch.optim.SGD([weight, *layer.parameters()], lr=0.1)
for _ in range(6):
    hidden = layer(torch.ones(32, 64, requires_grad=True))
    normal = torch.nn.functional.rms_norm(hidden, (256,), weight)
    loss = normal.square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
LINEAR_LINE, NORMAL_LINE, ZERO_LINE = 8, 9, 13


def without_predictions(value: Any) -> Any:
    """A document without what pricing adds to it."""
    if isinstance(value, list):
        return [without_predictions(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {k: without_predictions(v) for k, v in fields.items() if k not in PREDICTED}
    return value


def test_a_device_leaves_every_measured_number_as_it_was(run: Run, tmp_path: Path) -> None:
    capture = write_program(tmp_path / "capture")
    store = ("--store", tmp_path / "store", "--json")
    plain = json.loads(run("open", capture, *store).stdout)
    priced = json.loads(run("open", capture, "--device", "trn2", *store).stdout)
    check_report(priced)
    assert without_predictions(plain) == without_predictions(priced)
    assert plain["predicted_ns"] is None
    assert all(line["predicted_ns"] is None for line in plain["lines"])
    assert priced["time_kind"] == "measured"
    predicted = [line["predicted_ns"] for line in priced["lines"]]
    assert sum(filter(None, predicted)) == priced["predicted_ns"] > 0
    assert None in predicted  # a line whose operator has no sizes
    codes = {note["code"]: note["count"] for note in priced["quality"]}
    assert codes["not_priced"] == 2


def test_a_program_is_priced_as_it_is_profiled(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "program.py").write_text(SCRIPT)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sidelight", "profile", "--target", "cpu", "--warmup", "2"),
            *("--steps", "3", "--device", "trn2", "--json", "program.py"),
        ],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    document = json.loads(done.stdout)
    check_report(document)
    steps = document["steps"]
    assert steps == 3
    lines = {line["line"]: line for line in document["lines"]}
    # [32, 64] x [64, 256] forward, and the same again for the gradients of input and of weight.
    assert lines[LINEAR_LINE]["flops"] > steps * 3 * 2 * 32 * 64 * 256
    assert lines[LINEAR_LINE]["flops"] < steps * (3 * 2 * 32 * 64 * 256 + 3 * 32 * 256)
    command = ("-m", "sidelight", "lines", "program", "--json", "--explain")
    explained = subprocess.run(
        [sys.executable, *command, str(NORMAL_LINE)], cwd=tmp_path, capture_output=True, check=True
    )
    kernels = json.loads(explained.stdout)["explanation"]["kernels"]
    norms = [kernel for kernel in kernels if "rms_norm" in kernel["rule"]]
    assert sorted((kernel["backward"], kernel["count"]) for kernel in norms) == [
        (False, steps),
        (True, steps),
    ]
    assert sum(kernel["total_ns"] for kernel in kernels) == lines[NORMAL_LINE]["predicted_ns"]
    assert ZERO_LINE not in lines or not lines[ZERO_LINE]["predicted_ns"]
    on_lines = sum(line["predicted_ns"] or 0 for line in document["lines"])
    assert on_lines == document["predicted_ns"]


def test_a_sum_that_lacks_something_is_not_called_the_whole(run: Run, tmp_path: Path) -> None:
    sizes: dict[str, Any] = {"Input Dims": [[512, 512]] * 2, "Input type": ["float"] * 2}
    launched = {**sizes, "External id": 1}
    events = [
        operator("aten::mm", 1, 5, **launched),
        row("kernel", "gemm", 2, 3, tid=7, pid=0, **{"External id": 1}),
    ]
    replayed = row("kernel", "graph", 20, 3, tid=7, pid=0)
    store = ("--device", "trn2", "--store", tmp_path / "store")
    whole = run("open", write(tmp_path / "whole.json", events), *store).stdout
    assert "It would take ≈" in whole
    assert "What has a price of it" not in whole
    partly = run("open", write(tmp_path / "partly.json", [*events, replayed]), *store).stdout
    assert "What has a price of it would take ≈" in partly
    assert "3.00 µs of the measured device time has no prediction beside it" in partly


def test_where_nothing_is_priced_no_time_is_told(run: Run, tmp_path: Path) -> None:
    store = ("--device", "trn2", "--store", tmp_path / "store")
    sizes: dict[str, Any] = {"Input Dims": [[512], []], "Input type": ["float", ""]}
    free = run(
        "open", write(tmp_path / "free.json", [operator("aten::view", 1, 5, **sizes)]), *store
    )
    assert "takes any device time on trn2" in " ".join(free.stdout.split())
    assert "would take" not in free.stdout
    report = tmp_path / "benchmark_report.json"
    report.write_text(json.dumps({"e2e_model": {"latency_ms_p50": 2857.25}}), "utf-8")
    figures = run("open", report, *store)
    assert figures.status == 0
    assert "device time on trn2" not in " ".join(figures.stdout.split())
    (row_of_it,) = (
        line
        for line in run("profiles", "--store", tmp_path / "store").stdout.splitlines()
        if line.startswith("benchmark_report")
    )
    assert " none " in row_of_it
    assert "0 ns" not in row_of_it
