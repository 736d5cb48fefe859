"""Which operator of a compiled graph feeds which, and what a kernel of several therefore moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .dtypes import element_size

if TYPE_CHECKING:
    from .fusion import Operation


@dataclass(frozen=True)
class Operand:
    """A tensor that an operator reads.

    Attributes:
        value: What it is of: values of a graph are numbered.
        view: Which look at the value it is: two of one value may show different parts.
        elements: How many the whole value has.
    """

    value: int
    view: int
    elements: int


@dataclass(frozen=True)
class Result:
    """A tensor that an operator gives.

    Attributes:
        value: Its number.
        elements: How many it has.
        leaves_graph: Whether the graph gives it back, or it is written into what came in.
    """

    value: int
    elements: int
    leaves_graph: bool


@dataclass(frozen=True)
class Edges:
    """What joins an operator to the others of its graph.

    Attributes:
        operands: One for each tensor of its call, in that order.
        results: What it gives.
    """

    operands: tuple[Operand, ...]
    results: tuple[Result, ...]


def values_read(operations: Sequence[Operation]) -> set[int]:
    """The values that operators with edges read."""
    return {
        operand.value
        for operation in operations
        if operation.edges
        for operand in operation.edges.operands
    }


def read_bytes(operations: Sequence[Operation]) -> int:
    """What a kernel of these operators reads from HBM: what none of them makes, each part once."""
    made = {
        result.value
        for operation in operations
        if operation.edges
        for result in operation.edges.results
    }
    parts: dict[int, dict[int, int]] = {}
    total = 0
    for operation in operations:
        loaded = 0
        for operand, tensor in zip(
            operation.edges.operands if operation.edges else (), operation.call.tensors, strict=True
        ):
            if operand.value in made:
                continue
            element_bytes = element_size(tensor.dtype)
            views = parts.setdefault(operand.value, {})
            before = min(sum(views.values()), operand.elements)
            # A tensor that was expanded has more elements than there are.
            views[operand.view] = min(tensor.numel, operand.elements)
            loaded += (min(sum(views.values()), operand.elements) - before) * element_bytes
        # An operator may have tensors that it only writes, or of which it reads some rows.
        total += min(loaded, operation.work.read_bytes)
    return total


def written_bytes(operations: Sequence[Operation], read_elsewhere: Collection[int]) -> int:
    """What a kernel of these operators writes to HBM: what is needed outside of it.

    Args:
        operations: The operators.
        read_elsewhere: The values that other kernels of the graph read.
    """
    total = 0
    for operation in operations:
        results = operation.edges.results if operation.edges else ()
        elements = sum(result.elements for result in results)
        needed = sum(
            result.elements
            for result in results
            if result.leaves_graph or result.value in read_elsewhere
        )
        total += operation.work.written_bytes * needed // max(elements, 1)
    return total
