"""Puts what a compiled graph is made of into the rows of its executions.

The capture writes down once what was compiled, and an execution of it is one row. In that row each
operator of the graph gets a row with its inputs, within rows of the lines that it is from: as if it
had run there. Their times tell their order only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.graph_called_operators import called_operators
from sidelight.ingest.graph_device_rows import Execution, split_device_rows
from sidelight.ingest.graph_patterns import CapturedEvent, CapturedGraph, Pattern, Patterns
from sidelight.ingest.stand_in_rows import rows_inside
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import EVENT_COLUMNS, Category, Column, Table

_GRAPH_PREFIX: Final = "sidelight::graph::"
_EVENT_PREFIX: Final = "sidelight::compile_event::"
_COMPILING: Final = "sidelight::compiling"
_OWN_PREFIX: Final = "sidelight::"

_Rows = npt.NDArray[np.int64]


def put_in_graphs(
    profile: Profile,
    graphs: Sequence[CapturedGraph],
    events: Sequence[CapturedEvent],
    *,
    ran_on_device: bool,
) -> None:
    """Put the operators of compiled graphs into their executions, and lines around events.

    Args:
        profile: A profile that was read from a capture, not yet attributed; its frames are the
            capture's.
        graphs: The graphs that were compiled.
        events: What the compiler could not do.
        ran_on_device: Whether a device ran them: its rows are then split over the operators, whose
            own rows take next to none of the host's time.
    """
    strings = Vocabulary(profile.strings)
    patterns = Patterns(profile, strings)
    of_graphs = {f"{_GRAPH_PREFIX}{graph.id}": patterns.of_graph(graph) for graph in graphs}
    of_events = {f"{_EVENT_PREFIX}{event.id}": patterns.of_event(event) for event in events}
    _note_unknown(profile, of_graphs)
    table = profile.events
    added: list[Mapping[str, Column]] = []
    executions: list[Execution] = []
    next_id = int(table["external_id"].max(initial=0)) + 1
    for name, pattern in (of_graphs | of_events).items():
        rows = np.flatnonzero(table["name"] == strings.code(name))
        # Each slot is a nanosecond or more.
        rows = rows[table["duration_ns"][rows] >= pattern.slots]
        filled = _filled(table, rows, pattern, stretched=not ran_on_device)
        if ran_on_device and name in of_graphs:
            ids = np.arange(next_id, next_id + len(filled["track"]))
            next_id += len(ids)
            filled["external_id"] = ids
            executions += _executions(table, rows, ids, pattern)
        added.append(filled)
    # What stands in the place of an event is a mark, no operator.
    kept = ~np.isin(table["name"], [strings.code(name) for name in of_events])
    left = Table({name: table[name][kept] for name in table})
    split = split_device_rows(left, executions)
    if len(split) > len(left):
        profile.manifest.attribution = "mixed"
    profile.strings = strings.values()
    profile.events = _merged(split, added)


def leave_out_compilers_rows(profile: Profile) -> None:
    """Leave out the operators that the compiler calls to see what they would give.

    Compiling is the host's work. It stays as a row that counts as none.

    Args:
        profile: A profile that was read from a capture, not yet attributed.
    """
    events = profile.events
    named = np.array([name == _COMPILING for name in profile.strings], np.bool_)
    is_own = np.array([name.startswith(_OWN_PREFIX) for name in profile.strings], np.bool_)
    compiling = named[events["name"]]
    is_operator = np.isin(events["category"], (Category.OPERATOR, Category.HOST_OPERATOR))
    dropped = rows_inside(events, compiling) & is_operator & ~is_own[events["name"]]
    category = np.where(compiling, Category.ANNOTATION, events["category"]).astype(np.int8)
    events = events.with_columns({"category": category})
    profile.events = Table({name: events[name][~dropped] for name in events})


def _filled(events: Table, rows: _Rows, pattern: Pattern, *, stretched: bool) -> dict[str, Column]:
    """The rows of a pattern in each of the executions ``rows``: all through it, or at its start."""
    slots = max(pattern.slots, 1)
    duration_ns = events["duration_ns"][rows, None] if stretched else np.full((len(rows), 1), slots)
    whole, rest = np.divmod(duration_ns, slots)
    first, last = (np.array(each, np.int64)[None, :] for each in (pattern.first, pattern.last))
    begins = whole * first + rest * first // slots
    ends = whole * last + rest * last // slots
    columns = {name: np.tile(np.array(each), len(rows)) for name, each in pattern.values.items()}
    columns["start_ns"] = (events["start_ns"][rows, None] + begins).ravel()
    columns["duration_ns"] = (ends - begins).ravel()
    columns["track"] = np.repeat(events["track"][rows], len(pattern.first))
    columns["forward_thread"] = np.zeros(len(columns["track"]), np.int64)
    return columns


def _executions(events: Table, rows: _Rows, ids: _Rows, pattern: Pattern) -> Iterable[Execution]:
    """The executions of one graph, each with the ids of its operators' rows."""
    is_operator = np.array(pattern.values["category"]) == Category.OPERATOR
    names: list[int] = np.array(pattern.values["name"])[is_operator].tolist()
    weights = np.array(pattern.weights, np.int64)[is_operator]
    if not weights.any():
        weights = np.ones(len(weights), np.int64)
    external_ids: list[int] = events["external_id"][rows].tolist()
    size = len(pattern.first)
    for index, external_id in enumerate(external_ids if len(weights) else []):
        operator_ids = ids[index * size : (index + 1) * size][is_operator]
        called = called_operators(events, int(rows[index]), names)
        yield Execution(external_id, operator_ids, weights, called)


def _merged(events: Table, added: Sequence[Mapping[str, Column]]) -> Table:
    """Events with others among them, each where its start has it, behind those around it."""
    tables = [events, *(Table.of(EVENT_COLUMNS, each) for each in added if len(each["track"]))]
    columns = {name: np.concatenate([table[name] for table in tables]) for name in EVENT_COLUMNS}
    # lexsort is stable: rows that are alike in all three stay in the order they came in.
    order = np.lexsort((-columns["duration_ns"], columns["start_ns"], columns["track"]))
    return Table({name: column[order] for name, column in columns.items()})


def _note_unknown(profile: Profile, known: Mapping[str, Pattern]) -> None:
    """Say where the recording has executions of graphs that were not written down."""
    is_unknown = np.array(
        [name.startswith(_GRAPH_PREFIX) and name not in known for name in profile.strings], np.bool_
    )
    count = int(is_unknown[profile.events["name"]].sum())
    if count:
        profile.note(
            QualityNote(
                "graph_unknown",
                "warning",
                "Some compiled graphs ran that capture.json does not describe; their time is not "
                "in the profile. Record it again.",
                count,
            )
        )
