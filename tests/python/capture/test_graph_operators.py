"""What is written down of a compiled graph: the profiler's own words, and the graph's edges."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import pytest
import torch
from torch._dynamo.backends.common import aot_autograd

from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.capture.compiling.executions import boxed
from sidelight.capture.compiling.graphs import Graph, Graphs
from sidelight.capture.compiling.operators import Operator, operators_of
from sidelight.capture.notes import Notes
from sidelight.hardware.calls import OperatorCall

Program = Callable[..., Any]


class Compiled(NamedTuple):
    """A compiled graph, and what it was called with."""

    module: Any
    inputs: list[Any]


def graphs_of(program: Program, *inputs: Any, backward: bool = False, **options: Any) -> list[Any]:
    """The graphs that torch compiles a program to: forward, and backward if that is wanted."""
    torch.compiler.reset()
    graphs: list[Compiled] = []

    def keep(module: Any, _inputs: Any) -> Any:
        def run(*arguments: Any) -> Any:
            graphs.append(Compiled(module, list(arguments)))
            return module.forward(*arguments)

        return boxed(run)

    backend = aot_autograd(fw_compiler=keep, **options)
    result: Any = cast("Any", torch).compile(program, backend=backend, dynamic=False)(*inputs)
    if backward:
        result.sum().backward()
    return graphs


def attention(query: Any, key: Any) -> Any:
    scores = torch.softmax(query @ key.transpose(-1, -2) / 8, -1)
    return torch.cat([scores, scores.half().float()], 0).to(torch.bfloat16)


def normalized(x: Any, weight: Any) -> Any:
    return torch.nn.functional.layer_norm(x, (16,), weight, None, 1e-5)


def convolved(x: Any, weight: Any) -> Any:
    return torch.nn.functional.max_pool2d(torch.conv2d(x, weight, stride=2, padding=[1, 1]), 2)


def made(x: Any) -> Any:
    return torch.arange(4.0) + x.sum(0, keepdim=True, dtype=torch.float64).clamp(min=0.5)


def looked_up(table: Any, rows: Any) -> Any:
    return torch.nn.functional.embedding(rows, table).mean([0, 1]) ** 2


PROGRAMS: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "attention": (attention, (torch.randn(2, 8, 64), torch.randn(2, 8, 64))),
    "normalized": (normalized, (torch.randn(4, 16), torch.ones(16))),
    "convolved": (convolved, (torch.randn(1, 3, 16, 16), torch.randn(4, 3, 3, 3))),
    "made": (made, (torch.randn(3, 4),)),
    "looked up": (looked_up, (torch.randn(10, 8), torch.tensor([[1, 2], [3, 4]]))),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_inputs_are_written_as_the_profiler_writes_them(name: str, tmp_path: Any) -> None:
    program, inputs = PROGRAMS[name]
    ((module, arguments),) = graphs_of(program, *inputs)
    with torch.profiler.profile(record_shapes=True) as profiler:
        module.forward(*arguments)
    path = tmp_path / "trace.json"
    profiler.export_chrome_trace(str(path))
    rows = [
        each
        for each in json.loads(path.read_text())["traceEvents"]
        if each.get("cat") == "cpu_op" and "Input Dims" in each.get("args", {})
    ]
    rows.sort(key=lambda each: (each["ts"], -each["dur"]))
    outermost: list[dict[str, Any]] = []
    for each in rows:
        if not outermost or each["ts"] >= outermost[-1]["ts"] + outermost[-1]["dur"]:
            outermost.append(each)
    written = operators_of(module.graph)
    names = {each.name for each in written}
    kept = [each for each in outermost if each["name"] in names]
    assert [each.name for each in written] == [each["name"] for each in kept]
    for ours, theirs in zip(written, kept, strict=True):
        assert _understood(ours.name, ours.signature) == _understood(ours.name, theirs["args"])


def _understood(name: str, signature: dict[str, Any]) -> OperatorCall:
    """A signature as it is priced: the tables have one dtype for all lists of tensors."""
    keys = ("Input Dims", "Input type", "Concrete Inputs")
    text = json.dumps({key: signature[key] for key in keys if key in signature})
    return OperatorCalls({text: 1}).call(name, text)


def by_name(graph: Any) -> dict[str, Operator]:
    return {each.name: each for each in operators_of(graph)}


def test_views_are_looked_through() -> None:
    """``(x.t() * 2).reshape(-1).sin()``: the sine reads what the product gives."""

    def program(x: Any) -> Any:
        return (x.t() * 2).reshape(-1).sin()

    ((module, _),) = graphs_of(program, torch.randn(3, 4))
    operators = by_name(module.graph)
    assert "aten::t" not in operators
    assert "aten::view" not in operators
    product = operators["aten::mul"].signature
    ((value, elements, leaves),) = product["Results"]
    assert (elements, leaves) == (12, 0)
    last = operators.get("aten::clone", operators["aten::sin"]).signature
    assert last["Operands"][0][0] == value
    assert operators["aten::sin"].signature["Results"][0][2] == 1


def test_two_parts_of_one_tensor_are_one_value_and_two_looks() -> None:
    def program(x: Any) -> Any:
        first, second = x.chunk(2, -1)
        return first * second

    ((module, _),) = graphs_of(program, torch.randn(3, 4))
    first, second = by_name(module.graph)["aten::mul"].signature["Operands"]
    assert first[0] == second[0]
    assert first[1] != second[1]
    assert first[2] == second[2] == 12


def test_each_result_of_an_operator_is_a_value_of_its_own() -> None:
    """The normalization keeps mean and rstd for its backward pass; its result goes on."""

    def program(x: Any, weight: Any) -> Any:
        return torch.nn.functional.layer_norm(x, (16,), weight) * 2

    x = torch.randn(4, 16, requires_grad=True)
    forward, backward = graphs_of(program, x, torch.ones(16), backward=True)
    operators = by_name(forward.module.graph)
    results = operators["aten::native_layer_norm"].signature["Results"]
    assert [elements for _, elements, _ in results] == [64, 4, 4]
    assert [leaves for _, _, leaves in results] == [0, 1, 1]
    assert operators["aten::mul"].signature["Operands"][0][0] == results[0][0]
    assert "aten::native_layer_norm_backward" in by_name(backward.module.graph)


def test_what_is_written_into_an_input_leaves_the_graph() -> None:
    def program(x: Any) -> Any:
        x.mul_(2)
        return x.sum()

    options = {"keep_inference_input_mutations": True}
    ((module, _),) = graphs_of(program, torch.ones(4), **options)
    copied = by_name(module.graph)["aten::copy_"].signature
    assert copied["Results"][0][2] == 1


def test_backward_operators_have_the_stack_of_their_forward() -> None:
    def program(x: Any) -> Any:
        return torch.sin(x) * x

    graphs = graphs_of(program, torch.randn(4, requires_grad=True), backward=True)
    forward, backward = (operators_of(each.module.graph) for each in graphs)
    numbers = {each.sequence_nr for each in forward}
    assert {each.sequence_nr for each in backward} <= numbers
    assert all("test_graph_operators.py" in (each.stack_trace or "") for each in backward)


def told_by(graph: Any) -> tuple[Graph | None, list[dict[str, Any]], list[str]]:
    """What comes of writing a graph down: it, the notes, and the faults."""
    notes, faults = Notes(), list[str]()
    graphs = Graphs(notes, lambda _: False, lambda _: None, lambda: faults.append("fault"))
    return graphs.add(graph, is_backward=False), notes.as_json(), faults


def test_a_graph_with_sizes_in_values_is_left_out_and_said() -> None:
    def program(x: Any) -> Any:
        return x.nonzero() * 2

    config: Any = importlib.import_module("torch._dynamo.config")
    with config.patch(capture_dynamic_output_shape_ops=True):
        ((module, _),) = graphs_of(program, torch.tensor([0, 1, 2]))
    written, (note,), faults = told_by(module.graph)
    assert written is None
    assert note["code"] == "graph_as_a_whole"
    assert "not known before" in note["message"]
    assert faults == []


def test_no_more_is_written_down_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidelight.capture.compiling.graphs.MAX_OPERATORS", 3)
    ((module, _),) = graphs_of(attention, *PROGRAMS["attention"][1])
    written, (note,), _ = told_by(module.graph)
    assert written is None
    assert "after 3 operators" in note["message"]
