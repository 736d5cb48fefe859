"""Which rows of a Chrome trace are kernels, worked out on its JSON as a tree, from the outside in.

It shares nothing with the analysis but the list of the operators that have rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from sidelight.hardware.operators import registry

NODE = "autograd::engine::evaluate_function: "
LINE = "sidelight:"


class Row:
    """A ``cpu_op`` and what lies in it."""

    def __init__(self, event: dict[str, Any], base_ns: int) -> None:
        self.tid = event["tid"]
        arguments: dict[str, Any] = event.get("args", {})
        self.name: str = event["name"]
        self.start_ns = base_ns + round(event["ts"] * 1000)
        self.end_ns = self.start_ns + round(event["dur"] * 1000)
        self.number: int = arguments.get("Sequence number", -1)
        self.is_of_backward = arguments.get("Fwd thread id", 0) > 0
        self.dims: list[Any] = arguments.get("Input Dims", [])
        self.types: list[str] = arguments.get("Input type", [])
        self.parent: Row | None = None
        self.children: list[Row] = []

    @property
    def around(self) -> Iterator[Row]:
        """The row and those around it, innermost first."""
        row: Row | None = self
        while row is not None:
            yield row
            row = row.parent

    @property
    def has_tensor(self) -> bool:
        return any(each not in ("", "Scalar", "ScalarList", "GenericList") for each in self.types)

    @property
    def has_only_scalar_tensors(self) -> bool:
        shapes: list[Any] = []
        for dims, kind in zip(self.dims, self.types, strict=True):
            if kind == "TensorList":
                shapes += dims
            elif kind not in ("", "Scalar", "ScalarList", "GenericList"):
                shapes.append(dims)
        return bool(shapes) and not any(shapes)


def kernels_of(events: list[dict[str, Any]], base_ns: int) -> list[tuple[str, int]]:
    """Name and start of every kernel."""
    rows = _trees(events, base_ns)
    optimizers = [
        (event["tid"], base_ns + event["ts"] * 1000, base_ns + (event["ts"] + event["dur"]) * 1000)
        for event in events
        if event.get("ph") == "X" and event["name"].startswith("Optimizer.")
    ]
    forwards = _forwards(rows)
    fused: dict[int, list[Row]] = defaultdict(list)
    found: set[Row] = set()
    # A forward kernel may itself lie in a node (a checkpoint), so nodes are gone through twice.
    for _ in range(3):
        fused = defaultdict(list)
        for row in rows:
            if row.name.startswith(NODE):
                forward = forwards.get(_number(row))
                kernel = forward and next((each for each in forward.around if each in found), None)
                if kernel and registry.backward_rule_for(kernel.name):
                    fused[id(kernel)].append(row)
        together = [nodes for nodes in fused.values() if len({_number(node) for node in nodes}) > 1]
        firsts = {pass_[0] for nodes in together for pass_ in _passes(nodes)}
        others = {node for nodes in together for node in nodes} - firsts
        found = set()
        for row in rows:
            if row.parent is None:
                found |= set(_kernels_in(row, firsts, others, optimizers))
    return sorted((row.name, row.start_ns) for row in found)


def _passes(nodes: list[Row]) -> Iterator[list[Row]]:
    """The nodes of each backward pass: another begins where a number comes again."""
    current: list[Row] = []
    for node in sorted(nodes, key=lambda node: node.start_ns):
        if _number(node) in map(_number, current):
            yield current
            current = []
        current.append(node)
    yield current


def _trees(events: list[dict[str, Any]], base_ns: int) -> list[Row]:
    """All operators, each knowing what is around it and in it."""
    threads: dict[Any, list[Row]] = defaultdict(list)
    for event in events:
        if event.get("ph") == "X" and event.get("cat") == "cpu_op":
            threads[event["tid"]].append(Row(event, base_ns))
    for thread in threads.values():
        thread.sort(key=lambda row: (row.start_ns, -row.end_ns))
        for index, row in enumerate(thread):
            for other in reversed(thread[:index]):
                if other.start_ns <= row.start_ns < other.end_ns and row.end_ns <= other.end_ns:
                    row.parent = other
                    other.children.append(row)
                    break
    return [row for thread in threads.values() for row in thread]


def _number(node: Row) -> int:
    """A node's number; with hooks only its function has it."""
    if node.number >= 0:
        return node.number
    return next((each.number for each in node.children if each.is_of_backward), -1)


def _forwards(rows: list[Row]) -> dict[int, Row]:
    """The operator that made the node of each number: the last to start with it."""
    forwards: dict[int, Row] = {}
    for row in sorted(rows, key=lambda row: row.start_ns):
        if row.number >= 0 and not row.is_of_backward and not row.name.startswith(NODE):
            forwards[row.number] = row
    return forwards


def _kernels_in(
    row: Row, firsts: set[Row], others: set[Row], optimizers: list[tuple[Any, float, float]]
) -> Iterator[Row]:
    if row in firsts or row in others:
        if row in firsts:
            yield row
        for line in _user_lines(row):  # a checkpoint that is computed again, a hook
            for child in line.children:
                yield from _kernels_in(child, firsts, others, optimizers)
        return
    in_optimizer = any(
        tid == row.tid and start <= row.start_ns < end for tid, start, end in optimizers
    )
    is_operator = registry.is_operator(row.name)
    if is_operator and (
        registry.is_free(row.name) or (in_optimizer and row.has_only_scalar_tensors)
    ):
        return
    passes = registry.is_free_alone(row.name)
    if is_operator and registry.rule_for(row.name) and not passes and not _casts_first(row):
        yield row
        return
    if is_operator and not passes and not any(map(_may_compute, row.children)):
        if row.has_tensor:
            yield row
        return
    for child in row.children:
        yield from _kernels_in(child, firsts, others, optimizers)


def _casts_first(row: Row) -> bool:
    """Under autocast an operator calls itself with what it was given in another dtype."""
    inner = [child for child in row.children if child.name == row.name]
    return bool(inner) and _tensor_types(inner[-1]) != _tensor_types(row)


def _tensor_types(row: Row) -> list[str]:
    pairs = zip(row.dims, row.types, strict=True)
    return [kind for dims, kind in pairs if dims and kind not in ("Scalar", "ScalarList", "")]


def _user_lines(row: Row) -> Iterator[Row]:
    """The outermost lines of the user's within a row."""
    for child in row.children:
        if child.name.startswith(LINE):
            yield child
        else:
            yield from _user_lines(child)


def _may_compute(row: Row) -> bool:
    """Whether a row is an operator that asks something of the device, or holds one."""
    if registry.is_free(row.name):
        return False
    if registry.is_operator(row.name) and not registry.is_free_alone(row.name):
        return True
    return any(map(_may_compute, row.children))
