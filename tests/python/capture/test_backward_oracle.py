"""Backward work is on the lines that autograd's own anomaly mode names."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TypedDict

import pytest

from support.document import Document, broken_invariants
from support.tool import PROGRAMS, interpreters, profile_json, run

BACKWARD = PROGRAMS / "backward"
SUPPORT = PROGRAMS.parent / "support"
TOGETHER = sorted(BACKWARD.glob("[!_]*.py"))
MODULE = BACKWARD / "_transformer.py"

GRAPH_NODE = re.compile(r"\w+Backward\d*|torch::autograd::Copy(Slices|Backwards)")
ACCUMULATION = "torch::autograd::AccumulateGrad"
COPY_SLICES = "torch::autograd::CopySlices"

Nodes = dict[int, Counter[str]]


class Answer(TypedDict):
    """What the oracle says of one program.

    Attributes:
        nodes: Line to graph node to how often it runs.
        accumulations: Line that started a backward pass to gradients accumulated.
    """

    nodes: dict[str, dict[str, int]]
    accumulations: dict[str, int]


@pytest.fixture(scope="module", params=interpreters())
def python(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def answers(python: str) -> dict[str, Answer]:
    oracle = [python, "-W", "ignore", SUPPORT / "backward_oracle.py", *TOGETHER, MODULE]
    done = run(oracle, environment={"PYTHONPATH": str(SUPPORT.parent)})
    assert done.status == 0, done.stderr[-4000:]
    found: dict[str, Answer] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def together(python: str, tmp_path_factory: pytest.TempPathFactory) -> Document:
    script, names = BACKWARD / "_together.py", [program.stem for program in TOGETHER]
    store = tmp_path_factory.mktemp("together")
    return profile_json(store, script, *names, options=["--warmup", "0"], python=python)


def operators(document: Document, program: Path) -> Nodes:
    """Line to operator to count, of a program's lines."""
    return {
        line["line"]: Counter({op["name"]: op["count"] for op in line["ops"]})
        for line in document["lines"]
        if Path(line["file"]) == program
    }


def graph_nodes(shown: Nodes) -> Nodes:
    """The graph nodes among the operators, lines without any left out."""
    nodes = {
        line: Counter({op: n for op, n in ops.items() if GRAPH_NODE.fullmatch(op)})
        for line, ops in shown.items()
    }
    return {line: found for line, found in nodes.items() if found}


def without_wrapped(shown: Nodes, expected: Nodes) -> Nodes:
    """Leave out the node inside each ``CopySlices``.

    Writing into a view puts a ``CopySlices`` in the graph, which runs the write's own node as a
    part of itself. The graph does not show that node, so all the oracle knows is how many there
    are: a line that has just so many nodes too many is right.
    """
    compared: Nodes = {}
    for line, found in shown.items():
        stated = expected.get(line, Counter())
        wrapped = (found - stated).total() == stated[COPY_SLICES] and not stated - found
        compared[line] = stated if wrapped else found
    return compared


def check(document: Document, program: Path, answer: Answer) -> None:
    expected = {int(line): Counter(names) for line, names in answer["nodes"].items()}
    shown = operators(document, program)
    assert without_wrapped(graph_nodes(shown), expected) == expected
    accumulated = {line: ops[ACCUMULATION] for line, ops in shown.items() if ops[ACCUMULATION]}
    assert accumulated == {
        int(line): count for line, count in answer["accumulations"].items() if count
    }


@pytest.mark.parametrize("program", TOGETHER, ids=lambda program: program.stem)
def test_backward_is_on_its_forward_line(
    program: Path, together: Document, answers: dict[str, Answer]
) -> None:
    check(together, program, answers[str(program)])


def test_the_run_adds_up(together: Document) -> None:
    assert together["steps"] == 1
    assert broken_invariants(together) == []


def test_backward_of_modules(python: str, answers: dict[str, Answer], tmp_path: Path) -> None:
    document = profile_json(tmp_path, MODULE, options=["--warmup", "0"], python=python)
    check(document, MODULE, answers[str(MODULE)])
    assert broken_invariants(document) == []


def test_the_oracle_knows_every_node_that_torch_runs(
    python: str, answers: dict[str, Answer]
) -> None:
    """Holds the oracle to account: its totals are the plain profiler's."""
    programs = [*TOGETHER, MODULE]
    done = run([python, SUPPORT / "plain_counts.py", *programs])
    plain: dict[str, dict[str, int]] = json.loads(done.stdout)
    for program in programs:
        counted = Counter(plain[str(program)])
        answer = answers[str(program)]
        stated: Counter[str] = Counter()
        for names in answer["nodes"].values():
            stated.update(names)
        ran = graph_nodes({0: counted}).get(0, Counter())
        assert (ran - stated).total() == stated[COPY_SLICES], program
        assert not stated - ran, program
        assert counted[ACCUMULATION] == sum(answer["accumulations"].values()), program
