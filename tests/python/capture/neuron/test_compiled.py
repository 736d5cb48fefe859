"""``torch.compile`` with the device's own backend: its graphs and events reach the profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.profile.tables import Category
from support.document import broken_invariants
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
