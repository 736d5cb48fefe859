"""What a capture writes down of compiled graphs, and the rows that each execution of one gets.

``capture/compiling/`` has the form: ``graphs.py`` and ``events.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Annotated, Final

import msgspec

from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_NONE: Final = -1

_Number = Annotated[int, msgspec.Meta(ge=0, lt=10**9)]


class CapturedOperator(msgspec.Struct):
    """An operator of a compiled graph.

    Attributes:
        name: Its qualified name.
        signature: What it was given, and which results those are: JSON.
        lines: (index into the capture's ``frames``) the lines that it is from, outermost first.
        alone_ns: What it would take a NeuronCore by itself, predicted.
    """

    name: str
    signature: msgspec.Raw
    lines: list[_Number]
    alone_ns: Annotated[int, msgspec.Meta(ge=0, lt=10**18)] = 0


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
class Pattern:
    """The rows that go into each execution of one graph.

    A row reaches from one slot of the execution to another, each slot as long as the next.

    Attributes:
        slots: How many there are.
        first: The slot that each row starts with.
        last: The one that it ends before.
        values: The columns that all executions share, by name.
        weights: What measured time is split by among those of operators; 0 for the others.
    """

    slots: int
    first: list[int] = field(default_factory=list[int])
    last: list[int] = field(default_factory=list[int])
    values: dict[str, list[int]] = field(
        default_factory=lambda: {
            name: [] for name in ("category", "name", "frame", "entry", "signature")
        }
    )

    weights: list[int] = field(default_factory=list[int])

    def add(self, first: int, *, weight: int = 0, **values: int) -> int:
        """Add a row of one slot, which may become longer; returns its place."""
        self.weights.append(weight)
        self.first.append(first)
        self.last.append(first + 1)
        for name, column in self.values.items():
            column.append(values.get(name, 0 if name == "entry" else _NONE))
        return len(self.first) - 1


class Patterns:
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

    def of_graph(self, graph: CapturedGraph) -> Pattern:
        """The operators of a graph within their lines, a slot for each."""
        pattern = Pattern(len(graph.operators))
        open_rows: list[tuple[int, int]] = []
        for slot, operator in enumerate(graph.operators):
            chain = operator.lines if self._names_of_frames else []
            kept = _common(open_rows, chain)
            del open_rows[kept:]
            for depth in range(kept, len(chain)):
                # Come to anew, behind another line, it is another round of a loop.
                row = self._add_line(pattern, slot, chain[depth], enters=not graph.backward)
                open_rows.append((chain[depth], row))
            for _, row in open_rows:
                pattern.last[row] = slot + 1
            pattern.add(
                slot,
                weight=operator.alone_ns,
                category=Category.OPERATOR,
                name=self._strings.code(operator.name),
                signature=self._strings.code(bytes(operator.signature).decode()),
            )
        return pattern

    def of_event(self, event: CapturedEvent) -> Pattern:
        """What happened, within its lines."""
        pattern = Pattern(1)
        for frame in event.lines if self._names_of_frames else []:
            self._add_line(pattern, 0, frame, enters=False)
        name = self._strings.code(event.name)
        pattern.add(0, category=Category.ANNOTATION, name=name)
        return pattern

    def _add_line(self, pattern: Pattern, slot: int, frame: int, *, enters: bool) -> int:
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


def frames_of(graphs: Sequence[CapturedGraph], events: Sequence[CapturedEvent]) -> Iterator[int]:
    """The frames that graphs and events refer to."""
    for graph in graphs:
        for operator in graph.operators:
            yield from operator.lines
    for event in events:
        yield from event.lines
