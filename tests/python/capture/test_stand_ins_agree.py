"""What computes and what computes nothing stand in for the same device: they predict the same."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from support.document import Document
from support.fake_runs import FAKE
from support.tool import profile_command, run

EXAMPLES = Path(__file__).parents[3] / "examples"


def predicted(store: Path, target: str, program: Path, *arguments: str) -> Document:
    options = ["--target", target, "--warmup", "0", "--json"]
    command = profile_command(store, program, *arguments, options=options)
    done = run(command, cwd=FAKE)
    assert done.status == 0, done.stderr[-4000:]
    document: Document = json.loads(done.stdout)
    return document


@pytest.mark.parametrize(
    ("program", "arguments", "rounding_ns"),
    [
        (EXAMPLES / "llm_decode.py", ["--dim", "64", "--layers", "2"], 0),
        (EXAMPLES / "rmsnorm.py", ["--variant", "fused", "--tokens", "64", "--width", "96"], 0),
        (FAKE / "training.py", [], 0),
        (FAKE / "numbered.py", [], 0),
        # It computes on the host, where nothing sees the types in lists: they are guessed.
        (FAKE / "recipes.py", [], 20),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else "",
)
def test_lines_cost_the_same_with_and_without_values(
    program: Path, arguments: list[str], rounding_ns: int, tmp_path: Path
) -> None:
    with_values, without = (
        predicted(tmp_path / target, target, program, *arguments) for target in ("virtual", "fake")
    )
    assert with_values["steps"] == without["steps"]
    assert with_values["target"] == "virtual"
    times, expected = (
        {(line["file"], line["line"]): line["self_ns"] for line in document["lines"]}
        for document in (with_values, without)
    )
    assert sum(expected.values()) > 0
    assert times == pytest.approx(expected, rel=0, abs=rounding_ns)


@pytest.mark.parametrize("target", ["fake", "virtual"])
@pytest.mark.parametrize("program", ["numbered.py", "loaded_elsewhere.py"])
def test_devices_of_other_numbers_are_the_one_there_is(
    program: str, target: str, tmp_path: Path
) -> None:
    document = predicted(tmp_path, target, FAKE / program)
    (note,) = (note for note in document["quality"] if note["code"] == "one_device")
    assert (note["severity"], note["count"]) == ("warning", 1)
    assert "`neuron:1`" in note["message"]
    assert document["device_time_ns"] > 0


@pytest.mark.parametrize("target", ["fake", "virtual"])
@pytest.mark.parametrize("device", ["neuron", "cpu"])
def test_the_operator_at_which_recomputing_stops_costs_nothing(
    device: str, target: str, tmp_path: Path
) -> None:
    document = predicted(tmp_path, target, FAKE / "recomputed.py", device)
    calls: Counter[str] = Counter()
    for line in document["lines"]:
        calls.update({operator["name"]: operator["count"] for operator in line["ops"]})
    # A block calls two linears, and another one. A reentrant checkpoint computes both again; others
    # stop where the last has saved what it was given, so that it does not run again.
    assert calls["aten::linear"] == 3 * ((2 + 1) + (2 + 2) + (1 + 0))
    assert calls["aten::gelu"] == 3 * ((1 + 1) + (1 + 1) + (1 + 1))
