"""Which statement of a source is which of another version of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sidelight.analysis.comparison import LineMatch
from sidelight.analysis.line_mapping import GONE, LineMap, Placement
from sidelight.analysis.moved_functions import map_sources
from sidelight.analysis.report import LineStats
from sidelight.analysis.scopes import Outline
from sidelight.profile.manifest import SourceFile


@dataclass(frozen=True)
class Statement:
    """A statement of one version.

    Attributes:
        file: Its file, as that version calls it.
        line: Its first line, 1-based.
        stats: What it cost; None where it had no device time.
    """

    file: str
    line: int
    stats: LineStats | None = None


StatementPair = tuple[LineMatch, Statement | None, Statement | None]
"""How they match, the old one and the new one; None for the version that does not have it."""


def pair_statements(
    old: SourceFile,
    new: SourceFile,
    old_stats: Sequence[LineStats],
    new_stats: Sequence[LineStats],
) -> Iterator[StatementPair]:
    """Match the statements of two versions of a file that have device time in either.

    Args:
        old: The old version; where the text of either is not known, lines are where they were.
        new: The new version.
        old_stats: The lines of the old version that have device time.
        new_stats: Those of the new.

    Yields:
        Each of them once. Where statements were merged into one, that is the counterpart of the one
        it begins with, and the others count as removed.
    """
    if old.text is None or new.text is None or old.text == new.text:
        mapping = LineMap(range(max((stats.line for stats in (*old_stats, *new_stats)), default=0)))
    else:
        mapping = map_sources(old.text, new.text)
    before, after = _Version(old, old_stats), _Version(new, new_stats)
    known_of_old = list(_pairs_of_old(mapping, before, after))
    yield from known_of_old
    paired = {statement.line for _, _, statement in known_of_old if statement}
    origins = {place: line for line, place in enumerate(mapping.positions) if place != GONE}
    altered = frozenset(mapping.altered)
    known_of_new: set[int] = set()
    for stats in sorted(new_stats, key=lambda one: one.line):
        if stats.line in paired:
            continue
        lines = range(stats.line - 1, after.end(stats.line))
        known = [origins[line] for line in lines if line in origins]
        statement = Statement(new.path, stats.line, stats)
        if not known or known[0] in known_of_new or before.statement_at(known[0] + 1):
            yield "added", None, statement
        else:
            known_of_new.add(known[0])
            is_whole = len(known) == len(lines) and altered.isdisjoint(known)
            yield "same" if is_whole else "changed", Statement(old.path, known[0] + 1), statement


class _Version:
    """The statements with device time of a file.

    Args:
        file: The file.
        stats: The lines with device time.
    """

    def __init__(self, file: SourceFile, stats: Sequence[LineStats]) -> None:
        self.path = file.path
        self.first_lines = {line.line: line for line in stats}
        self._outline = Outline(file.text or "")
        self._by_line = {
            number: line for line in stats for number in range(line.line, self.end(line.line) + 1)
        } | self.first_lines

    def end(self, line: int) -> int:
        """Last line of the statement that starts on a line."""
        return self._outline.end_line(line)

    def statement_at(self, line: int) -> LineStats | None:
        """The statement with device time that a line is part of."""
        return self._by_line.get(line)


def _pairs_of_old(mapping: LineMap, before: _Version, after: _Version) -> Iterator[StatementPair]:
    """The old statements with device time, and what became of them."""
    placed = [
        (stats, _place(mapping, line, before.end(line)))
        for line, stats in before.first_lines.items()
    ]
    # Those that new statements begin with come before those that were merged into these.
    placed.sort(key=lambda both: both[1] is None or both[1].first + 1 not in after.first_lines)
    paired: set[int] = set()
    for stats, place in placed:
        statement = Statement(before.path, stats.line, stats)
        if place is None:
            yield "removed", statement, None
            continue
        counterpart = after.statement_at(place.first + 1)
        line = counterpart.line if counterpart else place.first + 1
        if line in paired:
            yield "removed", statement, None
            continue
        paired.add(line)
        is_whole = (place.first + 1, place.last + 1) == (line, after.end(line))
        match: LineMatch = "same" if is_whole and not place.stale else "changed"
        yield match, statement, Statement(after.path, line, counterpart)


def _place(mapping: LineMap, first_line: int, end_line: int) -> Placement | None:
    """Where what is left of a statement is now."""
    for line in range(first_line, end_line + 1):
        if place := mapping.place(line - 1, end_line - 1):
            return Placement(place.first, place.last, place.stale or line != first_line)
    return None
