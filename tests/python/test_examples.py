"""The examples run by hand, unchanged, and their profiles show what they are there to show."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
RMSNORM = EXAMPLES / "rmsnorm.py"
SMALL = ["--tokens", "64", "--width", "64"]

NAIVE_OPERATORS = {
    "squares = x * x": "aten::mul",
    "mean_square = squares.mean(dim=-1, keepdim=True)": "aten::mean",
    "inverse_rms = torch.rsqrt(mean_square + EPSILON)": "aten::rsqrt",
    "normalized = x * inverse_rms": "aten::mul",
    "return normalized * weight": "aten::mul",
}
"""The statements of the naive variant, and an operator each must show."""


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a command that must succeed."""
    finished = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def losses(output: str) -> dict[str, float]:
    words = [line.split() for line in output.splitlines()]
    return {name: float(loss) for name, _, loss, *_ in words}


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_does_not_know_the_profiler(example: Path) -> None:
    assert "sidelight" not in example.read_text(encoding="utf-8").lower()


@pytest.mark.parametrize("variant", ["naive", "fused"])
def test_rmsnorm_learns(tmp_path: Path, variant: str) -> None:
    def loss_after(steps: int) -> float:
        arguments = ["--variant", variant, "--steps", str(steps), *SMALL]
        return losses(run(sys.executable, RMSNORM, *arguments, cwd=tmp_path))[variant]

    assert loss_after(30) < loss_after(1)


@pytest.mark.skipif(shutil.which("c++") is None, reason="torch.compile needs a C++ compiler")
def test_rmsnorm_variants_compute_the_same(tmp_path: Path) -> None:
    output = run(sys.executable, RMSNORM, "--variant", "all", "--steps", "2", *SMALL, cwd=tmp_path)
    by_variant = losses(output)
    assert by_variant.keys() == {"naive", "fused", "compiled"}
    assert by_variant["fused"] == pytest.approx(by_variant["naive"], rel=1e-4)
    assert by_variant["compiled"] == pytest.approx(by_variant["naive"], rel=1e-4)


def test_rmsnorm_profile_shows_every_statement(tmp_path: Path) -> None:
    report: dict[str, Any] = json.loads(
        run(
            sys.executable, "-m", "sidelight", "profile",
            *("--target", "cpu", "--warmup", "2", "--steps", "5", "--json"),
            *("--python", sys.executable, RMSNORM, *SMALL),
            cwd=tmp_path,
        )
    )  # fmt: skip
    assert report["steps"] == 5
    assert report["warmup"] == 2
    source = RMSNORM.read_text(encoding="utf-8").splitlines()
    lines = {
        source[int(line["line"]) - 1].strip(): line
        for line in report["lines"]
        if Path(line["file"]) == RMSNORM
    }
    for statement, operator in NAIVE_OPERATORS.items():
        line = lines[statement]
        assert operator in {op["name"] for op in line["ops"]}, statement
        assert line["count"] == report["steps"], statement
        assert line["forward_ns"] > 0, statement
        assert line["backward_ns"] > 0, statement
    assert lines["loss.backward()"]["launched_ns"] > 0
