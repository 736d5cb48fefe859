"""What the operators of a compiled graph were given, as a recording would have it.

An operator's inputs are written down in the form of the profiler's own rows, so that they are
priced by the same rules. What a recording cannot know stands beside it: which results each operator
reads, and which of its own leave the graph.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import torch

from ...hardware.calls import OperatorCall
from ...hardware.graph_edges import Edges, Operand, Result
from ...hardware.operators.registry import is_free
from .inputs import argument_of, elements_of, inputs_of, tensors_in, tensors_of, types_in, written

_ops: Any = cast("Any", torch)._ops

_Node = Any
"""A ``torch.fx.Node``, whose attributes are of any type."""


class Operator(NamedTuple):
    """One operator of a graph.

    Attributes:
        name: Its qualified name without the overload, such as ``aten::mul``.
        signature: ``Input Dims``, ``Input type`` and ``Concrete Inputs`` as the profiler writes
            them; ``List types`` has the types in each input that is a list of tensors; ``Operands``
            has ``[value, view, elements]`` for each tensor among the inputs: the value it is of,
            which look at it, and how many elements that value has; ``Results`` has
            ``[value, elements, whether it leaves the graph]`` for each result.
        sequence_nr: Autograd's number of the forward operator that it is, or is the backward of;
            -1 for none.
        stack_trace: Where in the source it is from, as Python prints a stack; None if not known.
        call: The same inputs as the predictor has them.
        edges: The same operands and results.
    """

    name: str
    signature: dict[str, Any]
    sequence_nr: int
    stack_trace: str | None
    call: OperatorCall
    edges: Edges


class _Value(NamedTuple):
    """One tensor that a node gives, behind whatever views there are of it; or a number."""

    node: _Node
    position: int


def operators_of(graph: Any) -> list[Operator]:
    """The operators of a graph that leave a device something to do, in their order.

    Args:
        graph: A ``torch.fx.Graph`` of torch's own operators, whose nodes have example values.

    Raises:
        UnknownSizeError: A size is in values.
    """
    return _Operators(graph).all()


class _Operators:
    """Numbers the values of one graph."""

    def __init__(self, graph: Any) -> None:
        self._nodes = list(graph.nodes)
        self._views = {node: number for number, node in enumerate(self._nodes)}
        self._numbers: dict[_Value, int] = {}
        self._leaving: set[_Value] = set()
        for node in self._nodes:
            if node.op == "output":
                self._leaving.update(self._value(each) for each in node.all_input_nodes)

    def all(self) -> list[Operator]:
        return [self._operator(node) for node in self._nodes if _is_work(node)]

    def _operator(self, node: _Node) -> Operator:
        inputs = list(inputs_of(node))
        texts = [written(*each) for each in inputs]
        operands = [self._operand(tensor) for each in inputs for tensor in tensors_in(*each)]
        results = list(self._results(node))
        signature = {
            "Input Dims": [dims for dims, _, _ in texts],
            "Input type": [type_name for _, type_name, _ in texts],
            "Concrete Inputs": [value for _, _, value in texts],
            "List types": [types_in(value) for value, _ in inputs],
            "Operands": operands,
            "Results": results,
        }
        sequence_nr = node.meta.get("seq_nr")
        return Operator(
            name=_name(node.target),
            signature=signature,
            sequence_nr=-1 if sequence_nr is None else sequence_nr,
            stack_trace=node.meta.get("stack_trace"),
            call=OperatorCall(_name(node.target), tuple(argument_of(*each) for each in inputs)),
            edges=Edges(
                tuple(Operand(*operand) for operand in operands),
                tuple(Result(value, elements, bool(leaves)) for value, elements, leaves in results),
            ),
        )

    def _operand(self, tensor: Any) -> list[int]:
        if not isinstance(tensor, torch.fx.Node):
            return [self._number(_Value(tensor, 0)), 0, 0]  # the program's number is nowhere read
        node: _Node = tensor
        value = self._value(node)
        return [self._number(value), self._views[node], elements_of(_result(value))]

    def _results(self, node: _Node) -> Iterator[list[int]]:
        writes = _writes(node.target)
        for index, tensor in enumerate(tensors_of(node.meta.get("val"))):
            value = _Value(node, index)
            leaves = writes or value in self._leaving
            yield [self._number(value), elements_of(tensor), int(leaves)]

    def _number(self, value: _Value) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _value(self, node: _Node) -> _Value:
        """The value that a node looks at: its own, or that of another behind views."""
        index = 0
        while node.op == "call_function":
            if node.target is operator.getitem:
                index, node = node.args[1], node.args[0]
                # The parts of a split are views of the one tensor that was split.
                index = 0 if _is_view(node.target) else index
            elif _is_view(node.target) and node.all_input_nodes:
                index, node = 0, node.all_input_nodes[0]
            else:
                break
        return _Value(node, index if isinstance(index, int) else 0)


def _is_work(node: _Node) -> bool:
    """Whether a node is an operator that may leave the device something to do."""
    if node.op != "call_function":
        return False
    if isinstance(node.target, _ops.OpOverload):
        return not _is_view(node.target)
    return isinstance(node.target, _ops.HigherOrderOperator)


def _is_view(target: Any) -> bool:
    """Whether an operator only gives another look at what it was given."""
    return isinstance(target, _ops.OpOverload) and (target.is_view or is_free(target._schema.name))


def _writes(target: Any) -> bool:
    """Whether an operator writes into what it was given."""
    return isinstance(target, _ops.OpOverload) and target._schema.is_mutable


def _name(target: Any) -> str:
    if isinstance(target, _ops.OpOverload):
        return target._schema.name
    return f"{target.namespace}::{target.name()}"


def _result(value: _Value) -> Any:
    """The example of a value."""
    tensors = tensors_of(value.node.meta.get("val"))
    return tensors[value.position] if value.position < len(tensors) else None
