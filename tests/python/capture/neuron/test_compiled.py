"""``torch.compile`` with the device's own backend: its graphs and events reach the profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.profile.tables import Category
from support.document import broken_invariants, line_of
from support.fake_runs import row_names
from support.neuron_runs import NEURON, NeuronRun, neuron_run


@pytest.fixture(scope="module")
def compiled(site: Path, tmp_path_factory: pytest.TempPathFactory) -> NeuronRun:
    return neuron_run(site, tmp_path_factory.mktemp("compiled"), "compiled.py")


def test_the_program_computes_what_it_would(compiled: NeuronRun) -> None:
    """4 x 8 results of 8 / 2 each; each of 8 x 8 weights gets 4 halves, twice."""
    assert "result 128.0 256.0" in compiled.stderr


def test_the_numbers_add_up(compiled: NeuronRun) -> None:
    assert broken_invariants(compiled.document) == []
    assert compiled.document["time_kind"] == "measured"
    assert compiled.document["device_time_ns"] > 0


def test_what_ran_of_a_graph_is_on_the_lines_it_is_from(compiled: NeuronRun) -> None:
    """The backend runs each operator by itself; none of that is its own line's, or the caller's."""
    script = NEURON / "compiled.py"
    texts = [text.strip() for text in script.read_text().splitlines()]
    product, result = (
        line_of(compiled.document, script, 1 + texts.index(text))
        for text in ("hidden = x @ w", "return hidden.relu() / 2")
    )
    assert product is not None
    assert result is not None
    assert {"aten::mm"} == {op["name"] for op in product["ops"]}
    assert product["forward_ns"] > 0
    assert product["backward_ns"] > 0
    names = {op["name"] for op in result["ops"]}
    assert {"aten::relu", "aten::div", "aten::threshold_backward"} <= names
    for text in ("return module.forward(*arguments)", "y = compiled(x, w)"):
        elsewhere = line_of(compiled.document, script, 1 + texts.index(text))
        left = [] if elsewhere is None else elsewhere["ops"]
        assert not {op["name"] for op in left} & {*names, "aten::mm"}


def test_each_execution_of_a_graph_is_a_row(compiled: NeuronRun) -> None:
    names = row_names(compiled.profile)
    executions = [name for name in names if name.startswith("sidelight::graph::")]
    assert len(executions) == 2 * 4  # two calls of two graphs, forward and backward
    assert compiled.notes("graph_unknown") == []


def test_the_break_is_told_at_its_line(compiled: NeuronRun) -> None:
    texts = (NEURON / "compiled.py").read_text().splitlines()
    number = texts.index('    print("a graph ends here")') + 1
    (note,) = compiled.notes("graph_break")
    assert f"compiled.py:{number}: " in note["message"]
    profile = compiled.profile
    (row,) = [
        row for row, name in enumerate(row_names(profile)) if name.startswith("graph break: ")
    ]
    assert profile.events["category"][row] == Category.ANNOTATION
    frame = profile.stacks["frame"][profile.events["stack"][row]]
    assert profile.frames["line"][frame] == number
