"""What recording costs: a step unprofiled, under plain torch.profiler, and under Sidelight.

    python bench/capture_bench.py [--rounds N] [--python PATH] [MODEL ...]

All three run the same program (models.py) in a process of its own, and the program times its own
steps while it is recorded. Rounds are interleaved, so that what else the machine does falls on all
three alike; a figure is the median over the rounds of a run's median step, a ratio the median of
the rounds' own ratios.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = Path(__file__).with_name("models.py")

WARMUP: Final = 10
RECORDED: Final = 30
# Recording ends with the last recorded step, and the program goes on for a little.
TOTAL_STEPS: Final = WARMUP + RECORDED + 5
# The step that ends the recording also pays for that: it is left out, for all three alike.
TIMED: Final = slice(WARMUP, WARMUP + RECORDED - 1)

PLAIN_PROFILER: Final = """
import runpy, sys
from torch.profiler import ProfilerActivity, profile
del sys.argv[0]
with profile(activities=[ProfilerActivity.CPU], record_shapes=True):
    runpy.run_path(sys.argv[0], run_name="__main__")
"""

GOALS: Final = {"transformer": 1.25}
"""Model to the ratio ours / plain that we aim for."""

MODELS: Final = ("transformer", "elementwise")

CLOCKS: Final = ("wall", "cpu")
"""Wall time is what people wait for; processor time tells the same on a machine that is busy."""


@dataclass(frozen=True)
class Run:
    """One run of the program: on which interpreter, what model, in which scratch directory."""

    python: str
    model: str
    scratch: Path

    @property
    def times(self) -> Path:
        """Where the program writes its steps' durations."""
        return self.scratch / "times.json"

    @property
    def program(self) -> list[str]:
        """The program and its arguments."""
        return [str(PROGRAM), self.model, str(TOTAL_STEPS), str(self.times)]


def run_unprofiled(run: Run) -> None:
    """By hand."""
    execute([run.python, *run.program], run.scratch)


def run_plain(run: Run) -> None:
    """Under torch.profiler with shapes and without stacks; nothing of ours is loaded."""
    execute([run.python, "-c", PLAIN_PROFILER, *run.program], run.scratch)


def run_ours(run: Run) -> None:
    """Under ``sidelight profile``, which must have recorded the steps that are timed."""
    options = ["--target", "cpu", "--until", "end", "--json", "--python", run.python]
    steps = ["--warmup", str(WARMUP), "--steps", str(RECORDED)]
    command = [sys.executable, "-m", "sidelight", "profile", *options, *steps, *run.program]
    report: dict[str, Any] = json.loads(execute(command, run.scratch))
    recorded = (report["warmup"], report["steps"])
    if recorded != (WARMUP, RECORDED):
        raise SystemExit(f"asked for {WARMUP} + {RECORDED} steps, {recorded} were recorded")


VARIANTS: Final[dict[str, Callable[[Run], None]]] = {
    "unprofiled": run_unprofiled,
    "plain": run_plain,
    "ours": run_ours,
}


def execute(command: Sequence[str], directory: Path) -> str:
    """Standard output of a command run in ``directory``; ends the benchmark if it fails."""
    finished = subprocess.run(
        command,
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if finished.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nfailed:\n{finished.stderr}")
    return finished.stdout


def median_steps(variant: str, python: str, model: str) -> dict[str, float]:
    """Run a variant once; the median of the timed steps, in nanoseconds, by clock."""
    with tempfile.TemporaryDirectory(prefix="capture-bench-") as scratch:
        run = Run(python, model, Path(scratch))
        VARIANTS[variant](run)
        durations_ns: dict[str, list[int]] = json.loads(run.times.read_text())
    return {clock: statistics.median(durations_ns[clock][TIMED]) for clock in CLOCKS}


def measure(python: str, model: str, rounds: int) -> dict[str, list[dict[str, float]]]:
    """By variant: what :func:`median_steps` gives, once a round."""
    medians: dict[str, list[dict[str, float]]] = {variant: [] for variant in VARIANTS}
    order = list(VARIANTS)
    for _ in range(rounds):
        for variant in order:
            medians[variant].append(median_steps(variant, python, model))
        order.append(order.pop(0))
    return medians


def ratio_text(numerator: Sequence[float], denominator: Sequence[float]) -> str:
    """The median of the rounds' ratios, with the smallest and largest."""
    ratios = [above / below for above, below in zip(numerator, denominator, strict=True)]
    return f"{statistics.median(ratios):5.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def report(model: str, medians: dict[str, list[dict[str, float]]]) -> None:
    """Print a model's figures, one column a clock."""

    def row(label: str, cells: Sequence[str]) -> str:
        return f"{label:22} {' '.join(f'{cell:24}' for cell in cells)}".rstrip()

    def by_round(variant: str, clock: str) -> list[float]:
        return [median[clock] for median in medians[variant]]

    print("\n" + row(model, [f"{clock} time" for clock in CLOCKS]))
    for variant in VARIANTS:
        steps_ms = [statistics.median(by_round(variant, clock)) / 1e6 for clock in CLOCKS]
        print(row(f"  {variant}", [f"{step_ms:5.2f} ms a step" for step_ms in steps_ms]))
    for above, below in (("plain", "unprofiled"), ("ours", "unprofiled"), ("ours", "plain")):
        cells = [ratio_text(by_round(above, clock), by_round(below, clock)) for clock in CLOCKS]
        print(row(f"  {above} / {below}", cells))
    if model in GOALS:
        print(f"  goal for ours / plain: at most {GOALS[model]}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What recording costs.")
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(MODELS) + " (all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--python", default=sys.executable, help="interpreter with torch to run the program with"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.models) - set(MODELS)
    if unknown:
        parser.error(f"unknown model: {', '.join(sorted(unknown))}")

    print(f"Median step of {RECORDED - 1}, {arguments.rounds} rounds, {arguments.python}")
    for model in arguments.models or MODELS:
        report(model, measure(arguments.python, model, arguments.rounds))


if __name__ == "__main__":
    main()
