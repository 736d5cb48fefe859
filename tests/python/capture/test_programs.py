"""Every line of every program in ``programs/lines`` shows the answer written beside it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from support.document import Document, broken_invariants, line_of
from support.expectations import Expectation, mismatches, operator_totals, read_expectations
from support.tool import PROGRAMS, interpreters, profile_json, run

LINES = PROGRAMS / "lines"
NAMES = sorted(path.stem for path in LINES.glob("[!_]*.py"))

ALONE = {"compiled", "module_hooks", "threads"}
"""Programs whose answers depend on being the script: Dynamo, steps, and the threads alive."""

TOGETHER = [name for name in NAMES if name not in ALONE]

COMPANIONS = {"imports": sorted((LINES / "library").glob("*.py"))}
"""The other files whose answers a program brings about."""

BEFORE_FIRST_STEP = {"module_hooks"}
"""Programs that call a module: what runs before the first call belongs to no step."""


def answers(name: str) -> list[Expectation]:
    files = [LINES / f"{name}.py", *COMPANIONS.get(name, [])]
    return [answer for file in files for answer in read_expectations(file)]


@pytest.fixture(scope="module", params=interpreters())
def python(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def together(python: str, tmp_path_factory: pytest.TempPathFactory) -> Document:
    store = tmp_path_factory.mktemp("together")
    options = ["--warmup", "0"]
    return profile_json(store, LINES / "_together.py", *TOGETHER, options=options, python=python)


def alone(name: str, python: str, store: Path) -> Document:
    options = ["--warmup", "0"]
    return profile_json(store, LINES / f"{name}.py", options=options, python=python)


@pytest.mark.parametrize("name", TOGETHER)
def test_lines_are_as_the_program_says(name: str, together: Document) -> None:
    assert mismatches(together, answers(name)) == []


def test_the_whole_run_is_one_step_that_adds_up(together: Document) -> None:
    assert together["steps"] == 1
    assert broken_invariants(together) == []


@pytest.mark.parametrize("name", ["threads", "module_hooks"])
def test_lines_of_a_program_run_alone(name: str, python: str, tmp_path: Path) -> None:
    document = alone(name, python, tmp_path)
    assert mismatches(document, answers(name)) == []
    assert document["steps"] == 1
    assert broken_invariants(document) == []


def plain_counts(python: str, *programs: Path) -> dict[str, dict[str, int]]:
    """Program to operator to count, under torch's own profiler."""
    script = PROGRAMS.parent / "support" / "plain_counts.py"
    done = run([python, script, *programs])
    assert done.status == 0, done.stderr[-4000:]
    counts: dict[str, dict[str, int]] = json.loads(done.stdout)
    return counts


def test_a_compiled_function_loses_and_doubles_nothing(python: str, tmp_path: Path) -> None:
    program = LINES / "compiled.py"
    document = alone("compiled", python, tmp_path)
    shown: Counter[str] = Counter()
    for line in document["lines"]:
        if Path(line["file"]) == program:
            shown.update({operator["name"]: operator["count"] for operator in line["ops"]})
    plain = plain_counts(python, program)[str(program)]
    for name in ("aten::sinh", "aten::cosh", "aten::asinh"):
        assert shown[name] == plain[name] > 0

    eager = read_expectations(program)
    after = line_of(document, program, eager[0].line)
    assert after is not None
    assert {op["name"]: op["count"] for op in after["ops"]} == dict(eager[0].ops)
    assert after["count"] == eager[0].count
    assert broken_invariants(document) == []


def test_the_written_answers_are_what_torch_itself_counts(python: str) -> None:
    """Holds the programs to account without our profiler: operator totals under torch's own."""
    names = [name for name in NAMES if name != "compiled" and name not in BEFORE_FIRST_STEP]
    plain = plain_counts(python, *(LINES / f"{name}.py" for name in names))
    for name in names:
        stated = operator_totals(answers(name))
        counted = plain[str(LINES / f"{name}.py")]
        assert {operator: counted.get(operator, 0) for operator in stated} == dict(stated), name
