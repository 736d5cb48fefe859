"""Graphs of backends that are not ours: written down, and never in the way of the script's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from torch._dynamo.backends.common import aot_autograd

from sidelight.capture.compiling import private, real_backends
from sidelight.capture.compiling.executions import boxed
from sidelight.capture.compiling.graphs import ROW_PREFIX, Graphs
from sidelight.capture.compiling.source_lines import Place
from sidelight.capture.notes import Notes

THIS_FILE = __file__


class Faults:
    """Counts what could not be written down."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


@pytest.fixture(autouse=True)
def torchs_own_backends(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is put around torch's backends is taken away again."""
    torch.compiler.reset()
    monkeypatch.setattr(private.AotAutograd, "__call__", private.AotAutograd.__call__)
    yield
    torch.compiler.reset()


def compiler(module: Any, _inputs: Any) -> Any:
    return boxed(module.forward)


def program(x: Any) -> Any:
    return torch.sin(x) * x


def gradient(backend: Any) -> Any:
    x = torch.arange(4.0, requires_grad=True)
    result: Any = cast("Any", torch).compile(program, backend=backend)(x)
    (slope,) = torch.autograd.grad(result.sum(), x)
    return slope


EXPECTED = torch.cos(torch.arange(4.0)) * torch.arange(4.0) + torch.sin(torch.arange(4.0))


def recording() -> tuple[Graphs, Faults]:
    faults = Faults()
    graphs = Graphs(Notes(), lambda file: file == THIS_FILE, lambda file: None, faults)
    real_backends.record(graphs, faults)
    return graphs, faults


def as_json(graphs: Graphs) -> list[dict[str, Any]]:
    lines: list[Place] = []

    def number_of(place: Place) -> int:
        lines.append(place)
        return place.line

    return json.loads(json.dumps(graphs.as_json(number_of)))


def test_the_graphs_of_another_backend_are_written_down() -> None:
    graphs, faults = recording()
    assert torch.allclose(gradient(aot_autograd(fw_compiler=compiler)), EXPECTED)
    forward, backward = as_json(graphs)
    assert [each["name"] for each in forward["operators"]] == ["aten::sin", "aten::mul"]
    assert not forward["backward"]
    assert backward["backward"]
    assert "aten::cos" in [each["name"] for each in backward["operators"]]
    source = Path(THIS_FILE).read_text().splitlines()
    number = source.index("    return torch.sin(x) * x") + 1
    for each in (*forward["operators"], *backward["operators"]):
        assert each["lines"] == [number]
        assert each["alone_ns"] > 0
    assert faults.count == 0


def test_each_execution_is_a_row() -> None:
    recording()
    backend = aot_autograd(fw_compiler=compiler)
    compiled: Any = cast("Any", torch).compile(program, backend=backend)
    x = torch.arange(4.0)
    compiled(x)
    with torch.profiler.profile() as profiler:
        for _ in range(3):
            compiled(x)
    events: Any = profiler.events()
    names = [each.name for each in events]
    assert names.count(f"{ROW_PREFIX}0") == 3


def test_what_cannot_be_written_down_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_graph: Any) -> None:
        raise ValueError("a graph unlike any other")

    monkeypatch.setattr("sidelight.capture.compiling.graphs.operators_of", fails)
    graphs, faults = recording()
    assert torch.allclose(gradient(aot_autograd(fw_compiler=compiler)), EXPECTED)
    assert faults.count == 2
    assert as_json(graphs) == []


def test_a_compiler_that_is_no_function_is_left_alone() -> None:
    class Compiler:
        def __call__(self, module: Any, inputs: Any) -> Any:
            return compiler(module, inputs)

    graphs, faults = recording()
    own = Compiler()
    backend = aot_autograd(fw_compiler=own, bw_compiler=own)
    assert torch.allclose(gradient(backend), EXPECTED)
    assert as_json(graphs) == []
    assert faults.count == 0


def test_a_backend_that_is_used_twice_is_listened_to_once() -> None:
    graphs, _ = recording()
    backend = aot_autograd(fw_compiler=compiler)
    gradient(backend)
    gradient(backend)
    torch.compiler.reset()
    gradient(backend)
    kinds = [each["backward"] for each in as_json(graphs)]
    assert kinds == [False, True, False, True]


def test_the_backend_itself_fails_as_it_would() -> None:
    def broken(_module: Any, _inputs: Any) -> Any:
        raise ValueError("no such chip")

    recording()
    with pytest.raises(Exception, match="no such chip"):
        gradient(aot_autograd(fw_compiler=broken))
