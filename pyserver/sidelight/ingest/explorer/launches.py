"""Which of the framework's operators launched each execution, from the flows of a system profile.

The chain: an operator dispatches work, which the framework's stream has a row of; the runtime waits
for its execution (``kbl_exec_wait``), in a row whose flow is the work's ``nrt_sequence_id``; the
device executes it, in rows whose other, small flow id is the runtime's row's, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sidelight.ingest.explorer.columns import Integers
from sidelight.ingest.explorer.system_events import as_int64, whole

Flows = Sequence[tuple[str, ...]]
"""The flow ids of rows."""

NONE = -1


@dataclass(frozen=True)
class _FrameworkRows:
    """Rows of the framework, in the order of their start.

    Attributes:
        names: Their names; of work, those of the operators that dispatched it.
        start_ns: Their starts, ascending.
        external_ids: The ids that the framework's trace gives operators, -1 for none.
        flows: Their flows.
    """

    names: Sequence[str]
    start_ns: Integers
    external_ids: Sequence[int]
    flows: Flows


class HostOperators(_FrameworkRows):
    """Operators of the framework."""


class Dispatched(_FrameworkRows):
    """Rows of the framework's streams: work from dispatch to end."""


@dataclass(frozen=True)
class RuntimeCalls:
    """Rows of the runtime that take part in flows.

    Attributes:
        start_ns: Their starts.
        flows: Their flows.
    """

    start_ns: Integers
    flows: Flows


@dataclass(frozen=True)
class Operators:
    """Operators by row of the framework's streams, and how they were found.

    Attributes:
        index: Index of an operator for each row, -1 for none.
        by_name: How many were found by name and order alone.
    """

    index: list[int]
    by_name: int


def dispatching_operators(work: Dispatched, operators: HostOperators) -> Operators:
    """The operator that dispatched each row of the framework's streams.

    By the id that both have; else by a flow that both take part in; else by name: where there are
    as many rows of a name as operators, in their order, and where not, the last one that had
    started.
    """
    by_id = {number: index for index, number in enumerate(operators.external_ids) if number >= 0}
    by_flow = _owners(operators.flows)
    found: list[int] = []
    for external_id, flows in zip(work.external_ids, work.flows, strict=True):
        index = by_id.get(external_id, NONE)
        shared = [by_flow[flow] for flow in flows if flow in by_flow]
        found.append(shared[0] if index == NONE and shared else index)
    nameless = [row for row, index in enumerate(found) if index == NONE]
    for row, index in _by_name(nameless, work, operators).items():
        found[row] = index
    return Operators(found, sum(found[row] != NONE for row in nameless))


def _by_name(rows: Sequence[int], work: Dispatched, operators: HostOperators) -> dict[int, int]:
    rows_named: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        rows_named[work.names[row]].append(row)
    operators_named: defaultdict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(operators.names):
        if name in rows_named:
            operators_named[name].append(index)
    found: dict[int, int] = {}
    for name, named in rows_named.items():
        candidates = operators_named[name]
        if len(candidates) == len(named):
            found.update(zip(named, candidates, strict=True))
            continue
        starts = [int(operators.start_ns[index]) for index in candidates]
        for row in named:
            position = bisect_right(starts, int(work.start_ns[row]))
            if position:
                found[row] = candidates[position - 1]
    return found


@dataclass(frozen=True)
class Submitted:
    """What is known of how each execution came about.

    Attributes:
        dispatched: Index of a row of the framework's streams, -1 for none.
        operator: Index of an operator that takes part in the flow itself, -1 for none.
        sequence_id: ``nrt_sequence_id`` by its bits, -1 where it is not known.
    """

    dispatched: list[int]
    operator: list[int]
    sequence_id: list[int]


def submissions(
    flows: Flows, start_ns: Integers, runtime: RuntimeCalls, work: Flows, operators: Flows
) -> Submitted:
    """Follow the flows of executions back to the framework.

    Args:
        flows: The executions' flows.
        start_ns: Their starts.
        runtime: The runtime's rows.
        work: The flows of rows of the framework's streams.
        operators: The flows of the framework's operators.
    """
    calls: defaultdict[str, list[int]] = defaultdict(list)
    for index in map(int, np.argsort(runtime.start_ns, kind="stable")):
        for flow in runtime.flows[index]:
            calls[flow].append(index)
    starts = {flow: [int(runtime.start_ns[row]) for row in rows] for flow, rows in calls.items()}
    dispatched, owners = _owners(work), _owners(operators)
    result = Submitted([], [], [])
    for own, start in zip(flows, start_ns.tolist(), strict=True):
        # The executions' own numbers come back: of several calls with one, the last before.
        upstream: list[str] = []
        for flow in own:
            if flow in calls:
                position = max(0, bisect_right(starts[flow], start) - 1)
                upstream += runtime.flows[calls[flow][position]]
        chain = [*(flow for flow in upstream if flow not in own), *own]
        result.dispatched.append(_first(chain, dispatched))
        result.operator.append(_first(chain, owners))
        result.sequence_id.append(_sequence_id(chain, own, dispatched, owners))
    return result


def _sequence_id(
    chain: Sequence[str],
    own: Sequence[str],
    dispatched: dict[str, int],
    owners: dict[str, int],
) -> int:
    """The flow that leads out of the device: to the framework, or at least to the runtime."""
    leads = [flow for flow in chain if flow in dispatched or flow in owners]
    leads += [flow for flow in chain if flow not in own]
    for flow in leads:
        number = whole(flow)
        bits = as_int64(number) if number is not None else None
        if bits is not None:
            return bits
    return NONE


def _owners(flows: Flows) -> dict[str, int]:
    """The last row with each flow."""
    return {flow: index for index, ids in enumerate(flows) for flow in ids}


def _first(chain: Sequence[str], owners: dict[str, int]) -> int:
    return next((owners[flow] for flow in chain if flow in owners), NONE)
