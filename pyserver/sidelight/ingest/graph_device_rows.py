"""What a device ran of a compiled graph, given to the graph's operators.

A compiler makes few kernels of many operators, and its rows name none of them. So their measured
time is split by what each operator would take by itself, as it is predicted; the parts add up. What
was launched by an operator of the graph that was called by itself is that one's alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sidelight.ingest.graph_called_operators import NO_OPERATOR
from sidelight.profile.tables import DEVICE_TIME_LEVELS, Table

_Column = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Execution:
    """One execution of a compiled graph.

    Attributes:
        external_id: That of its row, which rows of the device name as what launched them.
        operator_ids: The same of each of its operators' rows.
        weights: How the operators share its time.
        called: Operators that were called in it, by their External ids: the place of each among
            the graph's, or ``NO_OPERATOR``.
    """

    external_id: int
    operator_ids: _Column
    weights: _Column
    called: Mapping[int, int]


def split_device_rows(events: Table, executions: Sequence[Execution]) -> Table:
    """Give each operator of a graph its part of the device's rows for the graph's executions.

    A row that others lie in stays whole: those are its finer parts.

    Args:
        events: Sorted as a profile's tables want them.
        executions: Executions of graphs.

    Returns:
        The events, parts in the place of what was split: not sorted any more.
    """
    launched_by = {each.external_id: each for each in executions if each.external_id > 0}
    own_id: dict[int, int] = {}
    for execution in executions:
        for called_id, place in execution.called.items():
            if place == NO_OPERATOR:
                launched_by[called_id] = execution
            else:
                own_id[called_id] = int(execution.operator_ids[place])
    events = _launched_by_own(events, own_id)
    candidates = np.isin(events["category"], DEVICE_TIME_LEVELS) & ~_holds_next(events)
    external_ids: list[int] = events["external_id"].tolist()
    rows = [row for row in np.flatnonzero(candidates).tolist() if external_ids[row] in launched_by]
    if not rows:
        return events
    parts = [_parts_of(events, row, launched_by[external_ids[row]]) for row in rows]
    kept = np.ones(len(events), np.bool_)
    kept[rows] = False
    whole = Table({name: events[name][kept] for name in events})
    return Table(
        {
            name: np.concatenate([whole[name], *(part[name] for part in parts)]).astype(
                whole[name].dtype
            )
            for name in events
        }
    )


def _launched_by_own(events: Table, own_id: Mapping[int, int]) -> Table:
    """The events, with rows of the device launched by operators of a graph.

    Args:
        events: The events.
        own_id: By the External id of what launched it, that of the graph's operator.
    """
    of_device = np.isin(events["category"], DEVICE_TIME_LEVELS)
    moved = np.flatnonzero(of_device & np.isin(events["external_id"], list(own_id)))
    external_id: _Column = np.array(events["external_id"], np.int64)
    correlation_id: _Column = np.array(events["correlation_id"], np.int64)
    external_id[moved] = [own_id[int(each)] for each in external_id[moved]]
    correlation_id[moved] = -1
    return events.with_columns({"external_id": external_id, "correlation_id": correlation_id})


def _holds_next(events: Table) -> npt.NDArray[np.bool_]:
    """Whether the row after a row lies in it."""
    track, start_ns = events["track"], events["start_ns"]
    holds = np.zeros(len(events), np.bool_)
    ends_ns = start_ns + events["duration_ns"]
    holds[:-1] = (track[1:] == track[:-1]) & (start_ns[1:] < ends_ns[:-1])
    return holds


def _parts_of(events: Table, row: int, execution: Execution) -> dict[str, _Column]:
    """The columns of the parts of one row."""
    duration_ns = int(events["duration_ns"][row])
    passed = np.cumsum(execution.weights)
    ends_ns = np.rint(duration_ns * (passed / passed[-1])).astype(np.int64)
    ends_ns[-1] = duration_ns
    starts_ns = np.append(0, ends_ns[:-1])
    some = np.flatnonzero(ends_ns > starts_ns)
    columns = {name: np.full(len(some), events[name][row]) for name in events}
    columns["start_ns"] = events["start_ns"][row] + starts_ns[some]
    columns["duration_ns"] = (ends_ns - starts_ns)[some]
    columns["external_id"] = execution.operator_ids[some]
    columns["correlation_id"] = np.full(len(some), -1)
    return columns
