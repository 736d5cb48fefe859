"""Steps that differ: a mean is not left to speak for them, in the report and in a comparison."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.contract import COMPARISON, check, check_report
from cli.priced import write_program
from cli.recorded import Recording
from cli.running import Run
from sidelight.profile.manifest import DeviceMemory, Manifest, SourceFile
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from support.comparison import check_comparison

PATH = "/project/steps.py"


def profile_of_steps(name: str, *times_ns: int, **manifest: Any) -> Profile:
    """A step for each time."""
    run = Recording()
    for time_ns in times_ns:
        run.step()
        with run.line(PATH, 1):
            run.operator("aten::mul", time_ns)
    made = Manifest(name=name, created="", format="x", device="cpu", line_level="line", **manifest)
    return run.profile(made, [SourceFile(PATH, "x * y\n")])


@pytest.mark.parametrize(
    ("times_ns", "spread"),
    [
        ([900_000, 188_000_000, 1_000_000], (900_000, 1_000_000, 188_000_000)),
        ([5_000, 1_000], (1_000, 1_000, 5_000)),
        ([4_000, 1_000, 2_000, 3_000], (1_000, 2_000, 4_000)),
        ([7_000], None),
    ],
)
def test_the_document_has_least_median_and_most(
    times_ns: list[int], spread: tuple[int, int, int] | None, run: Run, tmp_path: Path
) -> None:
    Store(tmp_path).add(profile_of_steps("steps", *times_ns))
    document = json.loads(run("lines", "steps", "--store", tmp_path, "--json").stdout)
    check_report(document)
    names = ("least_ns", "median_ns", "most_ns")
    expected = spread and dict(zip(names, spread, strict=True))
    # Nothing but the operator runs in a step here: it is as long as its device time.
    assert document["step_device_time"] == document["step_length"] == expected


def text_of(run: Run, store: Path, *times_ns: int, **manifest: Any) -> str:
    stored = Store(store).add(profile_of_steps("steps", *times_ns, **manifest))
    return " ".join(run("open", stored.directory, "--store", store).stdout.split())


def test_steps_that_differ_are_told(run: Run, tmp_path: Path) -> None:
    text = text_of(run, tmp_path, 900_000, 188_000_000, 1_000_000)
    assert "63.3 ms of device time a step" in text
    told = "they have 900 µs to 188 ms (median 1.00 ms) of device time and take 900 µs to 188 ms"
    assert told in text
    assert "≈" not in text
    predicted = text_of(run, tmp_path, 1_000, 9_000, time_kind="predicted")
    assert "they have ≈1.00 µs to ≈9.00 µs (median ≈1.00 µs) of device time" in predicted


@pytest.mark.parametrize("times_ns", [[2_000_000], [1_000, 2_000], [3_000, 4_000, 6_000]])
def test_steps_that_are_alike_are_not(times_ns: list[int], run: Run, tmp_path: Path) -> None:
    assert "Steps differ" not in text_of(run, tmp_path, *times_ns)


MEMORY = {"weights_bytes": 0, "gradients_bytes": 0, "optimizer_bytes": 0, "activations_bytes": 0}


def test_a_comparison_has_steps_bytes_and_memory(run: Run, tmp_path: Path) -> None:
    store = Store(tmp_path)
    before = DeviceMemory(peak_bytes=3_000_000, **MEMORY)
    after = DeviceMemory(peak_bytes=2_000_000, **MEMORY)
    store.add(profile_of_steps("base", 1_000, 1_000, 9_000, memory=before))
    store.add(profile_of_steps("new", 2_000, 2_000, memory=after))
    text = " ".join(run("compare", "base", "new", "--store", tmp_path).stdout.split())
    assert "A step takes 2.00 µs instead of 3.67 µs, 1.67 µs less (ratio 0.55)." in text
    assert "Memory at its peak: ≈2.00 MB instead of ≈3.00 MB." in text
    assert "Base 3.67 µs a step, 3 steps of 1.00 µs to 9.00 µs (median 1.00 µs), measured" in text
    assert "New 2.00 µs a step, 2 steps, measured" in text
    assert "moves" not in text, "what nobody knows is not told"


def test_bytes_that_a_device_moves_are_told_where_both_are_priced(run: Run, tmp_path: Path) -> None:
    program = write_program(tmp_path / "program")
    store = ("--store", tmp_path / "store")
    documents: dict[str, Any] = {}
    for name, options in (("base", ()), ("new", ("--auto-cast", "all")), ("bare", None)):
        priced = () if options is None else ("--device", "trn2", *options)
        opened = run("open", program, "--name", name, *priced, *store, "--json")
        documents[name] = json.loads(opened.stdout)
    # Each of two steps has two products of bf16 and two operators on fp32 matrices: each operand
    # and result once. What has no rule, and no size, moves nothing that is known.
    product = 2 * (4096 * 1024 + 1024 * 2048 + 4096 * 2048)
    elementwise = 4 * 2 * 4096 * 4096
    assert documents["base"]["hbm_bytes"] == 2 * (2 * product + 2 * elementwise)
    assert documents["bare"]["hbm_bytes"] is None
    comparison = json.loads(run("compare", "base", "new", *store, "--json").stdout)
    check(comparison, COMPARISON)
    check_comparison(comparison, documents["base"], documents["new"])
    was, now = (f"{documents[name]['hbm_bytes'] / 2e6:.0f} MB" for name in ("base", "new"))
    assert was == "327 MB"
    text = " ".join(run("compare", "base", "new", *store).stdout.split())
    assert f"A step moves ≈{now} between HBM and the core instead of ≈{was}." in text
    assert "A step moves" not in run("compare", "base", "bare", *store).stdout
