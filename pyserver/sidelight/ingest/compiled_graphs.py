"""Puts what a compiled graph is made of into the rows of its executions.

The capture writes down once what was compiled (``capture/compiling/graphs.py`` has the form), and
an execution of it is one row. In that row each operator of the graph gets a row with its inputs,
within rows of the lines that it is from: as if it had run there. Their times tell their order only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Annotated, Any, Final

import msgspec
import numpy as np

from sidelight.ingest.stand_in_rows import rows_inside
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import EVENT_COLUMNS, Category, Column, Table

_GRAPH_PREFIX: Final = "sidelight::graph::"
_EVENT_PREFIX: Final = "sidelight::compile_event::"
_COMPILING: Final = "sidelight::compiling"
_OWN_PREFIX: Final = "sidelight::"

_NONE: Final = -1

_Number = Annotated[int, msgspec.Meta(ge=0, lt=10**9)]


class CapturedOperator(msgspec.Struct):
    """An operator of a compiled graph.

    Attributes:
        name: Its qualified name.
        signature: What it was given, and which results those are: JSON.
        lines: (index into the capture's ``frames``) the lines that it is from, outermost first.
    """

    name: str
    signature: msgspec.Raw
    lines: list[_Number]


class CapturedGraph(msgspec.Struct):
    """A compiled graph.

    Attributes:
        id: Its number, which the rows of its executions have in their names.
        backward: Whether it computes gradients.
        operators: What it is made of, in order.
    """

    id: _Number
    backward: bool
    operators: list[CapturedOperator]


class CapturedEvent(msgspec.Struct):
    """Something that the compiler could not do as asked.

    Attributes:
        id: Its number, which its row has in its name.
        name: What happened.
        lines: As for an operator.
    """

    id: _Number
    name: str
    lines: list[_Number]


@dataclass
class _Pattern:
    """The rows that go into each execution of one graph.

    A row reaches from one slot of the execution to another, each slot as long as the next.

    Attributes:
        slots: How many there are.
        first: The slot that each row starts with.
        last: The one that it ends before.
        values: The columns that all executions share, by name.
    """

    slots: int
    first: list[int] = field(default_factory=list[int])
    last: list[int] = field(default_factory=list[int])
    values: dict[str, list[int]] = field(
        default_factory=lambda: {
            name: [] for name in ("category", "name", "frame", "entry", "signature")
        }
    )

    def add(self, first: int, **values: int) -> int:
        """Add a row that is not at its end yet; returns its place."""
        self.first.append(first)
        self.last.append(first + 1)
        for name, column in self.values.items():
            column.append(values.get(name, 0 if name == "entry" else _NONE))
        return len(self.first) - 1


def put_in_graphs(
    profile: Profile, graphs: Sequence[CapturedGraph], events: Sequence[CapturedEvent]
) -> None:
    """Put the operators of compiled graphs into their executions, and lines around events.

    Args:
        profile: A profile that was read from a capture, not yet attributed; its frames are the
            capture's.
        graphs: The graphs that were compiled.
        events: What the compiler could not do.
    """
    strings = Vocabulary(profile.strings)
    patterns = _Patterns(profile, strings)
    wanted = {f"{_GRAPH_PREFIX}{graph.id}": patterns.of_graph(graph) for graph in graphs}
    wanted |= {f"{_EVENT_PREFIX}{event.id}": patterns.of_event(event) for event in events}
    _note_unknown(profile, wanted)
    table = profile.events
    row_names = table["name"]
    added: list[Mapping[str, Column]] = [
        _filled(table, np.flatnonzero(row_names == strings.code(name)), pattern)
        for name, pattern in wanted.items()
    ]
    # What stands in the place of an event is a mark, no operator.
    marks = [strings.code(name) for name in wanted if name.startswith(_EVENT_PREFIX)]
    kept = ~np.isin(row_names, marks)
    profile.strings = strings.values()
    profile.events = _merged(Table({name: table[name][kept] for name in table}), added)


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


class _Patterns:
    """Makes patterns.

    Args:
        profile: Its frames.
        strings: Its strings; what the patterns need is added.
    """

    def __init__(self, profile: Profile, strings: Vocabulary[str]) -> None:
        self._strings = strings
        knows_lines = profile.manifest.line_level == "line"
        self._names_of_frames: list[int] = []
        if knows_lines:
            files: list[int] = profile.frames["file"].tolist()
            lines: list[int] = profile.frames["line"].tolist()
            self._names_of_frames = [
                strings.code(f"{PurePath(profile.files[file].path).name}:{line}")
                for file, line in zip(files, lines, strict=True)
            ]

    def of_graph(self, graph: CapturedGraph) -> _Pattern:
        pattern = _Pattern(len(graph.operators))
        open_rows: list[tuple[int, int]] = []
        entered: set[tuple[int, ...]] = set()
        for slot, operator in enumerate(graph.operators):
            chain = operator.lines if self._names_of_frames else []
            kept = _common(open_rows, chain)
            del open_rows[kept:]
            for depth in range(kept, len(chain)):
                # The chain up to here is a calling context; in a graph it is entered once.
                context = tuple(chain[: depth + 1])
                enters = not graph.backward and context not in entered
                entered.add(context)
                open_rows.append(
                    (chain[depth], self._add_line(pattern, slot, chain[depth], enters))
                )
            for _, row in open_rows:
                pattern.last[row] = slot + 1
            pattern.add(
                slot,
                category=Category.OPERATOR,
                name=self._strings.code(operator.name),
                signature=self._strings.code(bytes(operator.signature).decode()),
            )
        return pattern

    def of_event(self, event: CapturedEvent) -> _Pattern:
        pattern = _Pattern(1)
        for frame in event.lines if self._names_of_frames else []:
            self._add_line(pattern, 0, frame, enters=False)
        name = self._strings.code(event.name)
        pattern.add(0, category=Category.ANNOTATION, name=name)
        return pattern

    def _add_line(self, pattern: _Pattern, slot: int, frame: int, enters: bool) -> int:
        name = self._names_of_frames[frame]
        return pattern.add(slot, category=Category.LINE, name=name, frame=frame, entry=int(enters))


def _common(open_rows: list[tuple[int, int]], chain: list[int]) -> int:
    """How many of the open lines, from the outermost, a chain shares."""
    count = 0
    for (frame, _), line in zip(open_rows, chain, strict=False):
        if frame != line:
            break
        count += 1
    return count


def _filled(events: Table, rows: Any, pattern: _Pattern) -> dict[str, Column]:
    """The rows of a pattern in each of the executions ``rows``."""
    rows = rows[events["duration_ns"][rows] >= pattern.slots]  # each slot is a nanosecond or more
    start_ns = events["start_ns"][rows, None]
    whole, rest = np.divmod(events["duration_ns"][rows, None], max(pattern.slots, 1))
    first, last = (np.array(each, np.int64)[None, :] for each in (pattern.first, pattern.last))
    begins = whole * first + rest * first // max(pattern.slots, 1)
    ends = whole * last + rest * last // max(pattern.slots, 1)
    count = len(rows)
    columns = {name: np.tile(np.array(each), count) for name, each in pattern.values.items()}
    columns["start_ns"] = (start_ns + begins).ravel()
    columns["duration_ns"] = (ends - begins).ravel()
    columns["track"] = np.repeat(events["track"][rows], len(pattern.first))
    columns["forward_thread"] = np.zeros(len(columns["track"]), np.int64)
    return columns


def _merged(events: Table, added: Sequence[Mapping[str, Column]]) -> Table:
    """Events with others among them, each where its start has it, behind those around it."""
    tables = [events, *(Table.of(EVENT_COLUMNS, each) for each in added if len(each["track"]))]
    columns = {name: np.concatenate([table[name] for table in tables]) for name in EVENT_COLUMNS}
    # lexsort is stable: rows that are alike in all three stay in the order they came in.
    order = np.lexsort((-columns["duration_ns"], columns["start_ns"], columns["track"]))
    return Table({name: column[order] for name, column in columns.items()})


def _note_unknown(profile: Profile, known: Mapping[str, _Pattern]) -> None:
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


def frames_of(graphs: Sequence[CapturedGraph], events: Sequence[CapturedEvent]) -> Iterator[int]:
    """The frames that graphs and events refer to."""
    for graph in graphs:
        for operator in graph.operators:
            yield from operator.lines
    for event in events:
        yield from event.lines
