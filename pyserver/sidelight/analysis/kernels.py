"""Which operators of a profile would be kernels on a NeuronCore.

A framework's operators nest: ``aten::linear`` calls ``aten::addmm``, and on the CPU
``aten::rms_norm`` calls six others. Read from the outside in, the first operator with a rule is one
kernel, whatever it calls; one without a rule is looked into, and priced by its bytes only where it
calls nothing. Views cost nothing. The backward pass of a fused operator that was recorded in pieces
is one kernel too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.analysis.places import NODE_PREFIX
from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.fusion import Step
from sidelight.hardware.operators import registry
from sidelight.hardware.prediction import Setup, work_of
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Work
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

COMPILED_REGION = "sidelight::compiled_region"
"""The name of the row around one call of a compiled function."""

_WALKED = (Category.OPERATOR, Category.LINE, Category.FUNCTION)
_OPTIMIZER_REGION = "Optimizer."
_NONE = -1


@dataclass(frozen=True)
class Kernel:
    """An operator that would be a kernel.

    Attributes:
        row: Its event.
        step: Its call, and what it asks for.
        is_known: Whether there is a rule for it.
        region: The event of the compiled region it belongs to, -1 for none.
        is_backward: Whether it is part of that region's backward pass.
    """

    row: int
    step: Step
    is_known: bool
    region: int
    is_backward: bool


@dataclass
class KernelWalk:
    """What was found.

    Attributes:
        kernels: The kernels, in order of their start.
        waits: Events in which the host waits for the device, in order of their start.
        without_shapes: Operators whose recording lacks what pricing needs: their events.
    """

    kernels: list[Kernel] = field(default_factory=list[Kernel])
    waits: list[int] = field(default_factory=list[int])
    without_shapes: list[int] = field(default_factory=list[int])


class _Kind(IntEnum):
    REGION = 0
    RULED = 1
    FREE = 2
    OPEN = 3


def find_kernels(profile: Profile, setup: Setup) -> KernelWalk:
    """Find the kernels of an attributed profile.

    Args:
        profile: An attributed profile whose operators' shapes were recorded.
        setup: What to price them for: it decides how fp32 runs.
    """
    return _Finder(profile, setup).found


class _Finder:
    def __init__(self, profile: Profile, setup: Setup) -> None:
        self.found = KernelWalk()
        self._setup = setup
        self._strings = profile.strings
        self._events = events = profile.events
        self._category: list[int] = events["category"].tolist()
        self._name: list[int] = events["name"].tolist()
        self._parent: list[int] = events["parent"].tolist()
        self._signature: list[int] = events["signature"].tolist()
        self._is_node = (events["category"] == Category.OPERATOR) & np.array(
            [name.startswith(NODE_PREFIX) for name in self._strings], np.bool_
        )[events["name"]]
        self._kinds = [_kind(name) for name in self._strings]
        self._calls = OperatorCalls(
            self._strings[signature] for signature in self._signature if signature >= 0
        )
        self._works: dict[tuple[int, int], tuple[Step | None, bool]] = {}
        self._calls_others = self._rows_with_operators_below()
        self._covered = bytearray(len(events))
        self._region = [_NONE] * len(events)
        self._kernel_of_row: dict[int, Kernel] = {}
        self._walk()

    def _walk(self) -> None:
        rows = np.flatnonzero(np.isin(self._events["category"], _WALKED))
        under_node = self._rows_under_nodes(rows)
        self._visit(rows[~under_node[rows]].tolist(), backward=False)
        forward_of = self._forward_rows()
        for node, forward in forward_of.items():
            self._region[node] = self._region[forward]
        self._fuse_backward(forward_of)
        self._visit(rows[under_node[rows]].tolist(), backward=True)
        start_ns = self._events["start_ns"]
        self.found.kernels = sorted(
            self._kernel_of_row.values(), key=lambda kernel: (start_ns[kernel.row], kernel.row)
        )
        self.found.waits.sort(key=lambda row: start_ns[row])

    def _visit(self, rows: Iterable[int], *, backward: bool) -> None:
        on_host = self._optimizer_rows
        for row in rows:
            parent = self._parent[row]
            if parent >= 0:
                if self._covered[parent]:
                    self._covered[row] = 1
                    continue
                if self._region[row] < 0:
                    self._region[row] = self._region[parent]
            if self._category[row] != Category.OPERATOR or self._covered[row]:
                continue
            name = self._strings[self._name[row]]
            if name == COMPILED_REGION:
                self._region[row] = row
                continue
            kind = self._kinds[self._name[row]]
            if kind == _Kind.REGION or (on_host[row] and self._is_scalar_work(row)):
                self._covered[row] = kind != _Kind.REGION
            elif kind == _Kind.FREE:
                self._covered[row] = 1
                if registry.waits_for_device(name):
                    self.found.waits.append(row)
            elif kind == _Kind.RULED or not self._calls_others[row]:
                self._price(row, name, backward)

    def _price(self, row: int, name: str, backward: bool) -> None:
        if not self._calls_others[row] and registry.is_free_alone(name):
            return
        step, known = self._step(row)
        if (step is None or not known) and self._calls_others[row]:
            return  # what it calls may say more
        self._covered[row] = 1
        if step is None:
            self.found.without_shapes.append(row)
        else:
            self._add(row, step, known, backward)

    def _add(self, row: int, step: Step, known: bool, backward: bool) -> None:
        region = self._region[row]
        self._kernel_of_row[row] = Kernel(row, step, known, region, backward)

    def _step(self, row: int) -> tuple[Step | None, bool]:
        """What the operator asks for, and whether a rule says so."""
        key = (self._name[row], self._signature[row])
        if key not in self._works:
            call = self._call(row)
            work, known = work_of(call, self._setup)
            self._works[key] = (Step(call, work) if work else None, known)
        return self._works[key]

    def _call(self, row: int) -> OperatorCall:
        signature = self._signature[row]
        text = self._strings[signature] if signature >= 0 else ""
        return self._calls.call(self._strings[self._name[row]], text)

    def _is_scalar_work(self, row: int) -> bool:
        """Whether an operator has tensors without dimensions only.

        An optimizer's step counters are such; torch keeps them on the host.
        """
        tensors: list[Tensor] = self._call(row).tensors
        return bool(tensors) and all(not tensor.shape for tensor in tensors)

    @cached_property
    def _optimizer_rows(self) -> Mask:
        """Which rows lie within a region that torch marks around an optimizer's step."""
        events = self._events
        marked = np.array([name.startswith(_OPTIMIZER_REGION) for name in self._strings], np.bool_)
        inside = np.zeros(len(events) + 1, np.int64)
        track, start_ns = events["track"], events["start_ns"]
        first_of_track = np.searchsorted(track, np.arange(int(track.max(initial=-1)) + 2))
        regions: list[int] = np.flatnonzero(marked[events["name"]]).tolist()
        for row in regions:
            starts_ns: IntColumn = start_ns[row : int(first_of_track[track[row] + 1])]
            end_ns = int(start_ns[row] + events["duration_ns"][row])
            end = row + int(np.searchsorted(starts_ns, end_ns, side="left"))
            inside[row] += 1
            inside[end] -= 1
        return np.cumsum(inside[:-1]) > 0

    def _rows_with_operators_below(self) -> Mask:
        """Which rows have an operator directly in them, or in a user line of theirs."""
        events = self._events
        parent = events["parent"]
        is_operator = (events["category"] == Category.OPERATOR) & np.array(
            [registry.is_operator(name) for name in self._strings], np.bool_
        )[events["name"]]
        has = np.zeros(len(events), np.bool_)
        has[parent[is_operator & (parent >= 0)]] = True
        return has

    def _rows_under_nodes(self, rows: IntColumn) -> Mask:
        under = self._is_node.copy()
        walked: list[int] = rows.tolist()
        for row in walked:
            parent = self._parent[row]
            if parent >= 0 and under[parent]:
                under[row] = True
        return under

    def _forward_rows(self) -> dict[int, int]:
        """The forward operator of each autograd node: the last-started one with its number."""
        events = self._events
        sequence_nr, forward_thread = events["sequence_nr"], events["forward_thread"]
        forwards = np.flatnonzero(
            (events["category"] == Category.OPERATOR) & (sequence_nr >= 0) & (forward_thread == 0)
        )
        forwards = forwards[np.argsort(events["start_ns"][forwards], kind="stable")]
        last: dict[tuple[int, int], int] = {}
        for row in forwards.tolist():
            if not self._is_node[row]:
                last[int(events["track"][row]), int(sequence_nr[row])] = row
        found: dict[int, int] = {}
        numbered: list[int] = np.flatnonzero((forward_thread > 0) & (sequence_nr >= 0)).tolist()
        for row in numbered:
            parent = self._parent[row]
            node = row if self._is_node[row] else parent
            if node >= 0 and self._is_node[node]:
                forward = last.get((int(forward_thread[row]) - 1, int(sequence_nr[row])))
                if forward is not None:
                    found.setdefault(node, forward)
        return found

    def _fuse_backward(self, forward_of: dict[int, int]) -> None:
        """Make one kernel of the nodes of each fused operator that made several."""
        nodes_of: defaultdict[int, list[int]] = defaultdict(list)
        for node, forward in forward_of.items():
            fused = forward
            while fused >= 0 and fused not in self._kernel_of_row:
                fused = self._parent[fused]
            if fused >= 0:
                nodes_of[fused].append(node)
        for fused, nodes in nodes_of.items():
            kernel = self._kernel_of_row[fused]
            rule = registry.backward_rule_for(kernel.step.call.name)
            work = rule(kernel.step.call) if rule and len(nodes) > 1 else None
            if work is None:
                continue
            for node in nodes:
                self._covered[node] = 1
            first = min(nodes, key=lambda node: int(self._events["start_ns"][node]))
            self._add_backward(first, kernel, work)

    def _add_backward(self, node: int, kernel: Kernel, work: Work) -> None:
        step = Step(kernel.step.call, work)
        self._kernel_of_row[node] = Kernel(node, step, True, kernel.region, True)


def _kind(name: str) -> _Kind:
    if not registry.is_operator(name):
        return _Kind.REGION
    if registry.is_free(name):
        return _Kind.FREE
    return _Kind.RULED if registry.rule_for(name) else _Kind.OPEN
