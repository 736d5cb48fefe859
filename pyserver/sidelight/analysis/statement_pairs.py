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
    before, after = _Version(old.text, old_stats), _Version(new.text, new_stats)
    paired: set[int] = set()
    placed = [(stats, _place(mapping, stats.line, before.end(stats.line))) for stats in old_stats]
    placed.sort(key=lambda both: both[1] is None or both[1].first + 1 not in after.first_lines)
    for stats, place in placed:
        counterpart = place and after.statement_at(place.first + 1)
        if place is None or (counterpart and counterpart.line in paired):
            yield "removed", Statement(old.path, stats.line, stats), None
            continue
        line, end_line = place.first + 1, place.last + 1
        if counterpart:
            paired.add(counterpart.line)
            whole = (line, end_line) == (counterpart.line, after.end(counterpart.line))
            line = counterpart.line
        else:
            whole = end_line == after.end(line)
        match: LineMatch = "same" if whole and not place.stale else "changed"
        yield (
            match,
            Statement(old.path, stats.line, stats),
            Statement(new.path, line, counterpart),
        )
    origins = {place: line for line, place in enumerate(mapping.positions) if place != GONE}
    altered = frozenset(mapping.altered)
    for stats in new_stats:
        if stats.line in paired:
            continue
        lines = range(stats.line - 1, after.end(stats.line))
        known = [origins[line] for line in lines if line in origins]
        if not known or before.statement_at(known[0] + 1):
            yield "added", None, Statement(new.path, stats.line, stats)
        else:
            whole = len(known) == len(lines) and altered.isdisjoint(known)
            match = "same" if whole else "changed"
            yield (
                match,
                Statement(old.path, known[0] + 1),
                Statement(new.path, stats.line, stats),
            )


class _Version:
    """The statements with device time of a text.

    Args:
        text: The text, as far as it is known.
        stats: The lines with device time.
    """

    def __init__(self, text: str | None, stats: Sequence[LineStats]) -> None:
        self._outline = Outline(text or "")
        self.first_lines = {line.line: line for line in stats}
        self._by_line = {
            number: line for line in stats for number in range(line.line, self.end(line.line) + 1)
        } | self.first_lines

    def end(self, line: int) -> int:
        """Last line of the statement that starts on a line."""
        return self._outline.end_line(line)

    def statement_at(self, line: int) -> LineStats | None:
        """The statement with device time that a line is part of."""
        return self._by_line.get(line)


def _place(mapping: LineMap, first_line: int, end_line: int) -> Placement | None:
    """Where what is left of a statement is now."""
    for line in range(first_line, end_line + 1):
        if place := mapping.place(line - 1, end_line - 1):
            return Placement(place.first, place.last, place.stale or line != first_line)
    return None
