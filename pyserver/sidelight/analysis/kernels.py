"""Which operators of a profile would be kernels on a NeuronCore.

A framework's operators nest: ``aten::linear`` calls ``aten::addmm``, and on the CPU
``aten::rms_norm`` calls six others. Read from the outside in, the first operator with a rule is one
kernel, whatever it calls; one without a rule is looked into, and priced by its bytes only where it
calls nothing but views and allocations. Views cost nothing. The backward pass of a fused operator
that was recorded in pieces is one kernel too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import numpy as np

from sidelight.analysis.backward_nodes import forward_rows_of_nodes
from sidelight.analysis.demands import Demand, Demands
from sidelight.analysis.fused_backward import FusedBackward
from sidelight.analysis.nesting import IntColumn, enclosing_rows
from sidelight.analysis.optimizer_regions import rows_in_optimizers
from sidelight.hardware.fusion import Operation
from sidelight.hardware.operators import registry
from sidelight.hardware.setup import Setup
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

COMPILED_REGION: Final = "sidelight::compiled_region"
"""The name of the row around one call of a compiled function."""

_GRAPH_PREFIX: Final = "sidelight::graph::"
"""Begins the name of the row around one execution of a graph that was written down."""

_GENERATED_CODE: Final = "## Call CompiledFxGraph "
"""How torch names the annotation around code that a compiler generated: it has no operators."""

_NONE: Final = -1


@dataclass(frozen=True)
class Kernel:
    """An operator that would be a kernel.

    Attributes:
        row: Its event.
        operation: Its call, and what it asks for.
        is_known: Whether there is a rule for it.
        region: The event of the compiled region it belongs to, -1 for none.
        is_backward: Whether it is part of a backward pass.
    """

    row: int
    operation: Operation
    is_known: bool
    region: int
    is_backward: bool


@dataclass
class KernelWalk:
    """What was found.

    Attributes:
        covered_by: For each event, the event of the operator around it, or its own, that accounts
            for it: a kernel, or one that costs the device nothing; -1 for none.
        kernels: The kernels, in order of their start.
        waits: Events in which the host waits for the device, in order of their start.
        without_sizes: Operators whose recording lacks the sizes that pricing needs: their events.
        generated_code: Calls of code that a compiler generated: their events.
        in_pieces: Operators on lists so long that what is in them was not recorded, for which the
            operators that they call stand: their events.
    """

    covered_by: IntColumn
    kernels: list[Kernel] = field(default_factory=list[Kernel])
    waits: list[int] = field(default_factory=list[int])
    without_sizes: list[int] = field(default_factory=list[int])
    generated_code: list[int] = field(default_factory=list[int])
    in_pieces: list[int] = field(default_factory=list[int])


class _Kind(IntEnum):
    """What is to be done with an operator, by its name."""

    REGION = 0
    COMPILED_REGION = 1
    RULED = 2
    FREE = 3
    OPEN = 4
    PASSED_THROUGH = 5


def find_kernels(profile: Profile, setup: Setup) -> KernelWalk:
    """Find the kernels of an attributed profile.

    Args:
        profile: An attributed profile whose operators' shapes were recorded.
        setup: What to price them for: it decides how fp32 runs.
    """
    return _Finder(profile, setup).walk()


class _Finder:
    """One pass over operators and user code, in order of their start.

    In that order a row comes after the row it is nested in, and a node of the backward pass after
    its forward operator.
    """

    def __init__(self, profile: Profile, setup: Setup) -> None:
        self._events = events = profile.events
        self._is_operator: list[bool] = (events["category"] == Category.OPERATOR).tolist()
        self._is_on_host: list[bool] = (events["category"] == Category.HOST_OPERATOR).tolist()
        self._name: list[int] = events["name"].tolist()
        self._parent: list[int] = events["parent"].tolist()
        self._signature: list[int] = events["signature"].tolist()
        self._backward: list[int] = events["backward"].tolist()
        self._in_optimizer: list[bool] = rows_in_optimizers(profile).tolist()
        self._kinds = [_kind(name) for name in profile.strings]
        self._waits = [registry.waits_for_device(name) for name in profile.strings]
        self._generated = np.array(
            [name.startswith(_GENERATED_CODE) for name in profile.strings], np.bool_
        )
        self._demands = Demands(profile, setup)
        self._forward_of = forward_rows_of_nodes(profile)
        self._made_node = set(self._forward_of.values())
        self._rows = self._rows_in_order()
        self._works_below = self._rows_with_work_below()
        self._same_within = self._rows_with_themselves_within()
        self._covered_by = [_NONE] * len(events)
        self._region = [_NONE] * len(events)
        self._kernels: dict[int, Kernel] = {}
        self._in_closure = bytearray(len(events))
        self._fused_backward = FusedBackward(self._demands)
        self._waiting: list[int] = []
        self._without_sizes: list[int] = []
        self._in_pieces: list[int] = []

    def walk(self) -> KernelWalk:
        for row in self._rows:
            self._visit(row)
        is_annotation = self._events["category"] == Category.ANNOTATION
        generated = np.flatnonzero(self._generated[self._events["name"]] & is_annotation)
        return KernelWalk(
            np.array(self._covered_by, np.int64),
            list(self._kernels.values()),
            self._waiting,
            self._without_sizes,
            generated.tolist(),
            self._in_pieces,
        )

    def _rows_in_order(self) -> list[int]:
        rows = np.flatnonzero(enclosing_rows(self._events))
        rows = rows[np.argsort(self._events["start_ns"][rows], kind="stable")]
        return rows.tolist()

    def _rows_with_work_below(self) -> bytearray:
        """Which rows hold an operator, at any depth, that says what it asks of the device."""
        has_work = bytearray(len(self._events))
        for row in reversed(self._rows):
            parent = self._parent[row]
            if parent < 0:
                continue
            kind = self._kinds[self._name[row]] if self._is_operator[row] else _Kind.REGION
            says_work = kind in (_Kind.RULED, _Kind.OPEN) and self._signature[row] >= 0
            if says_work or (has_work[row] and kind != _Kind.FREE):
                has_work[parent] = 1
        return has_work

    def _rows_with_themselves_within(self) -> dict[int, int]:
        """The operators that directly call one of their own name, with that call."""
        found: dict[int, int] = {}
        for row in self._rows:
            parent = self._parent[row]
            calls = parent >= 0 and self._is_operator[row] and self._is_operator[parent]
            if calls and self._name[row] == self._name[parent]:
                found[parent] = row
        return found

    def _visit(self, row: int) -> None:
        parent = self._parent[row]
        if parent >= 0:
            self._region[row] = self._region[parent]
            self._covered_by[row] = self._covered_by[parent]
            self._in_optimizer[row] &= not self._in_closure[parent]
            self._in_closure[row] = self._in_closure[parent]
        forward = self._forward_of.get(row)
        if forward is not None:
            self._enter_node(row, forward)
        if self._is_operator[row]:
            self._enter_operator(row)
        elif not self._is_on_host[row]:
            self._enter_user_code(row)
        if row in self._made_node:
            self._fused_backward.count_node(self._covered_by[row])

    def _enter_operator(self, row: int) -> None:
        kind = self._kinds[self._name[row]]
        is_host_work = self._in_optimizer[row] and self._is_host_work(row, kind)
        if self._waits[self._name[row]] and not is_host_work:
            self._waiting.append(row)
        if self._covered_by[row] < 0:
            if kind == _Kind.COMPILED_REGION:
                self._region[row] = row
            elif kind == _Kind.FREE or is_host_work:
                self._covered_by[row] = row
            elif kind in (_Kind.RULED, _Kind.OPEN):
                self._price(row, kind)

    def _price(self, row: int, kind: _Kind) -> None:
        works_below = self._works_below[row]
        if works_below and kind == _Kind.OPEN:
            return
        demand = self._demand(row)
        if works_below and not demand.is_known:
            if demand.lacks_a_list:
                self._in_pieces.append(row)
            return  # what it calls may say more
        if self._casts_first(row, demand):
            return
        self._covered_by[row] = row
        if demand.operation is None:
            self._without_sizes.append(row)
        else:
            self._add(row, demand.operation, is_known=demand.is_known)

    def _casts_first(self, row: int, demand: Demand) -> bool:
        """Whether an operator under autocast casts what it was given and calls itself with that.

        It is the inner call that runs, and the casts are kernels too.
        """
        inner = self._same_within.get(row)
        return inner is not None and _dtypes(demand) != _dtypes(self._demand(inner))

    def _add(self, row: int, operation: Operation, *, is_known: bool) -> None:
        region, is_backward = self._region[row], bool(self._backward[row])
        self._kernels[row] = Kernel(row, operation, is_known, region, is_backward)

    def _demand(self, row: int) -> Demand:
        return self._demands.of(self._name[row], self._signature[row])

    def _is_host_work(self, row: int, kind: _Kind) -> bool:
        """Whether an optimizer's operator has tensors without dimensions only.

        Its step counters are such; torch keeps them on the host.
        """
        is_region = kind in (_Kind.REGION, _Kind.COMPILED_REGION)
        return not is_region and self._demand(row).is_scalar

    def _enter_user_code(self, row: int) -> None:
        """Keep apart what the user's own code does within torch's."""
        if self._in_optimizer[row]:
            self._in_closure[row] = 1
        if self._fused_backward.is_kernel(self._covered_by[row]):
            self._covered_by[row] = _NONE  # a hook, or a checkpoint that is computed again

    def _enter_node(self, node: int, forward: int) -> None:
        """Give a node the compiled region, or the fused operator, that its forward belongs to."""
        if self._region[forward] >= 0:
            self._region[node] = self._region[forward]
        kernel = self._kernels.get(self._covered_by[forward])
        if self._covered_by[node] >= 0 or kernel is None:
            return
        entered = self._fused_backward.enter(node, forward, kernel.row, kernel.operation)
        if entered is None:
            return
        self._covered_by[node] = entered.row
        if entered.row == node:
            self._add(node, entered.operation, is_known=True)


def _dtypes(demand: Demand) -> list[str]:
    """The dtypes of the tensors it was given; the program's own numbers have no say."""
    tensors = demand.operation.call.tensors if demand.operation else []
    return [tensor.dtype for tensor in tensors if tensor.shape]


def _kind(name: str) -> _Kind:
    if name == COMPILED_REGION or name.startswith(_GRAPH_PREFIX):
        return _Kind.COMPILED_REGION
    if not registry.is_operator(name):
        return _Kind.REGION
    if registry.is_free(name):
        return _Kind.FREE
    if registry.is_free_alone(name):
        return _Kind.PASSED_THROUGH
    return _Kind.RULED if registry.rule_for(name) else _Kind.OPEN
