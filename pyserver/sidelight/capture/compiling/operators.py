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

from ...hardware.dtypes import dtype_of_code
from ...hardware.operators.registry import is_free

_ops: Any = cast("Any", torch)._ops

_CODES = {name: code for code in range(64) if (name := dtype_of_code(code))}
"""The number that the profiler writes for a dtype."""

_Node = Any
"""A ``torch.fx.Node``, whose attributes are of any type."""

_Written = tuple[Any, str, str]
"""Sizes, type and value of one input, as the profiler writes them."""

_NOTHING: _Written = ([], "", "")

_NUMBERS = (bool, int, float, complex)


class Operator(NamedTuple):
    """One operator of a graph.

    Attributes:
        name: Its qualified name without the overload, such as ``aten::mul``.
        signature: ``Input Dims``, ``Input type`` and ``Concrete Inputs`` as the profiler writes
            them; ``Operands`` has ``[value, view, elements]`` for each tensor among the inputs: the
            value it is of, which look at it, and how many elements that value has; ``Results`` has
            ``[value, elements, whether it leaves the graph]`` for each result.
        sequence_nr: Autograd's number of the forward operator that it is, or is the backward of;
            -1 for none.
        stack_trace: Where in the source it is from, as Python prints a stack; None if not known.
    """

    name: str
    signature: dict[str, Any]
    sequence_nr: int
    stack_trace: str | None


class _Value(NamedTuple):
    """One tensor that a node gives, behind whatever views there are of it."""

    node: _Node
    position: int


def operators_of(graph: Any) -> list[Operator]:
    """The operators of a graph that leave a device something to do, in their order.

    Args:
        graph: A ``torch.fx.Graph`` of torch's own operators, whose nodes have example values.

    Raises:
        TypeError: A size is not known.
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
        inputs = list(_inputs(node))
        written = [_written(each) for each in inputs]
        signature = {
            "Input Dims": [dims for dims, _, _ in written],
            "Input type": [type_name for _, type_name, _ in written],
            "Concrete Inputs": [value for _, _, value in written],
            "Operands": [self._operand(each) for each in _tensor_nodes(inputs)],
            "Results": list(self._results(node)),
        }
        sequence_nr = node.meta.get("seq_nr")
        return Operator(
            name=_name(node.target),
            signature=signature,
            sequence_nr=-1 if sequence_nr is None else sequence_nr,
            stack_trace=node.meta.get("stack_trace"),
        )

    def _operand(self, node: _Node) -> list[int]:
        value = self._value(node)
        return [self._number(value), self._views[node], _elements(_result(value))]

    def _results(self, node: _Node) -> Iterator[list[int]]:
        writes = _writes(node.target)
        for index, tensor in enumerate(_tensors_of(node.meta.get("val"))):
            value = _Value(node, index)
            leaves = writes or value in self._leaving
            yield [self._number(value), _elements(tensor), int(leaves)]

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


def _inputs(node: _Node) -> Iterator[Any]:
    """A node's inputs in the order of its operator's schema, those left out included."""
    if not isinstance(node.target, _ops.OpOverload):
        yield from node.args
        yield from node.kwargs.values()
        return
    for index, argument in enumerate(node.target._schema.arguments):
        if index < len(node.args):
            yield node.args[index]
        else:
            yield node.kwargs.get(argument.name, argument.default_value)


def _tensor_nodes(inputs: Any) -> Iterator[_Node]:
    """The nodes among inputs that stand for a tensor, in order, those in lists included."""
    for each in inputs:
        if isinstance(each, (list, tuple)):
            if _tensor_list(each):
                yield from each
        elif _is_tensor(each):
            yield each


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.fx.Node) and isinstance(value.meta.get("val"), torch.Tensor)


def _tensor_list(values: Any) -> bool:
    return bool(values) and all(map(_is_tensor, values))


def _result(value: _Value) -> Any:
    """The example of a value."""
    tensors = _tensors_of(value.node.meta.get("val"))
    return tensors[value.position] if value.position < len(tensors) else None


def _tensors_of(example: Any) -> list[Any]:
    values: tuple[Any, ...] = (example,)
    if isinstance(example, (list, tuple)):
        values = tuple(cast("Any", example))
    return [value for value in values if isinstance(value, torch.Tensor)]


def _elements(tensor: Any) -> int:
    count = 1
    for size in () if tensor is None else _sizes(tensor):
        count *= size
    return count


def _sizes(tensor: Any) -> list[int]:
    return [_known(size) for size in tensor.shape]


def _known(size: Any) -> int:
    """A size, or the one that a size which may vary had when the graph was compiled.

    Raises:
        TypeError: It is in values.
    """
    return size if isinstance(size, int) else int(operator.index(size.node.hint))


def _written(value: Any) -> _Written:
    """An input as the profiler writes it."""
    if isinstance(value, torch.fx.Node):
        example = value.meta.get("val")
        if isinstance(example, torch.Tensor):
            return _sizes(example), _dtype_name(example.dtype), ""
        return _NOTHING if example is None else _written_number(example)
    if isinstance(value, (list, tuple)):
        return _written_list(cast("Any", value))
    if isinstance(value, torch.dtype):
        code = _CODES.get(_dtype_name(value))
        return _NOTHING if code is None else ([], "Scalar", str(code))
    if isinstance(value, (*_NUMBERS, str)):
        return [], "Scalar", str(value)
    return _NOTHING


def _written_list(values: Any) -> _Written:
    if _tensor_list(values):
        return [_sizes(each.meta["val"]) for each in values], "TensorList", ""
    if values and all(isinstance(each, _NUMBERS) for each in values):
        return [], "ScalarList", f"[{', '.join(map(str, values))}]"
    return [], "GenericList", ""


def _written_number(example: Any) -> _Written:
    """A number that another node of the graph gives, such as a size."""
    if isinstance(example, _NUMBERS):
        return [], "Scalar", str(example)
    hint = getattr(getattr(example, "node", None), "hint", None)
    return _NOTHING if hint is None else ([], "Scalar", str(hint))


def _dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).rpartition(".")[2]
