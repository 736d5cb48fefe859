"""A document as it is now, with a profile's numbers at its lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from sidelight.analysis.annotations import (
    Annotations,
    FileAnnotations,
    LineAnnotation,
    ScopeAnnotation,
)
from sidelight.analysis.line_mapping import LineMap, map_lines
from sidelight.analysis.text_lines import lines_of
from sidelight.server.figures import Figures
from sidelight.server.folder import Shown


@dataclass(frozen=True)
class PlacedLine:
    """An annotated line of a document.

    Attributes:
        first: Where the statement begins now, 0-based.
        last: Where it ends.
        annotation: Its numbers.
        stale: It was changed since the profile was taken.
    """

    first: int
    last: int
    annotation: LineAnnotation
    stale: bool


@dataclass(frozen=True)
class PlacedScope:
    """A function or class of a document.

    Attributes:
        line: Where its ``def`` or ``class`` is now, 0-based.
        annotation: Its numbers.
        stale: Something in it was changed since the profile was taken.
    """

    line: int
    annotation: ScopeAnnotation
    stale: bool


class AnnotatedDocument:
    """A profile's annotations of a file, where they belong in a document.

    Args:
        shown: The profile.
        annotations: Its numbers.
        file: What it knows of the file.
        text: What the document holds now.

    Attributes:
        shown: The profile.
        annotations: Its numbers.
        figures: How they are written.
        lines: The annotated lines, in order.
        scopes: The functions and classes.
    """

    def __init__(
        self, shown: Shown, annotations: Annotations, file: FileAnnotations, text: str
    ) -> None:
        self.shown = shown
        self.annotations = annotations
        self.figures = Figures.of(annotations)
        mapping = line_map(file.text, text)
        self.lines = _placed_lines(file, mapping)
        self.scopes = _placed_scopes(file, mapping)
        self._firsts = [line.first for line in self.lines]
        self._by_line = {
            number: line for line in self.lines for number in range(line.first, line.last + 1)
        }
        self._by_line |= {line.first: line for line in self.lines}

    def at(self, line: int) -> PlacedLine | None:
        """The annotated statement that a line, 0-based, is part of."""
        return self._by_line.get(line)

    def between(self, first: int, last: int) -> Sequence[PlacedLine]:
        """The annotated lines from ``first`` to ``last``, 0-based."""
        return self.lines[bisect_left(self._firsts, first) : bisect_left(self._firsts, last + 1)]


def line_map(old: str | None, new: str) -> LineMap:
    """Where a file's lines are now; where it is not known what they were, each is where it was."""
    lines = lines_of(new)
    return LineMap(range(len(lines))) if old is None else map_lines(lines_of(old), lines)


def _placed_lines(file: FileAnnotations, mapping: LineMap) -> list[PlacedLine]:
    lines: list[PlacedLine] = []
    for annotation in file.lines:
        place = mapping.place(annotation.stats.line - 1, annotation.end_line - 1)
        if place:
            lines.append(PlacedLine(place.first, place.last, annotation, place.stale))
    return sorted(lines, key=lambda line: line.first)


def _placed_scopes(file: FileAnnotations, mapping: LineMap) -> list[PlacedScope]:
    scopes: list[PlacedScope] = []
    for annotation in file.scopes:
        place = mapping.place(annotation.line - 1, annotation.end_line - 1)
        if place:
            scopes.append(PlacedScope(place.first, annotation, place.stale))
    return scopes
