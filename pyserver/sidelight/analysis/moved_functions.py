"""Where the lines of a source are in another version of it, in which things may have moved.

A comparison line by line keeps the order of lines: of two functions that changed places it finds
one. So where functions moved, each is compared with its namesake, and what is outside them by
itself. Statements that moved are paired by :mod:`sidelight.analysis.moved_statements`; only what is
left then can have been replaced by other lines, so the rest is compared again without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from sidelight.analysis.line_mapping import GONE, LineMap, map_lines
from sidelight.analysis.moved_statements import StatementText, pair_moved, statements_of
from sidelight.analysis.scopes import Outline, Scope
from sidelight.analysis.text_lines import lines_of

_Piece = tuple[Sequence[int], Sequence[int]]
"""Lines of the old source and lines of the new that are compared with each other, 0-based."""


def map_sources(old: str, new: str) -> LineMap:
    """Compare two versions of a source.

    Returns:
        Where the old lines are, 0-based, as :func:`map_lines` finds them, unless functions, classes
        or statements moved. Then positions need not increase. A line of which only the indentation
        was changed is not altered.
    """
    before, after = _Version.of(old), _Version.of(new)
    in_order = map_lines(before.lines, after.lines)
    if not in_order.altered:
        return in_order
    pieces = _pieces(before, after, in_order.positions)
    positions = _compare(before, after, pieces, {})
    unaltered = _unaltered(before, after, positions)
    moved = pair_moved(
        before.statements_without(unaltered),
        after.statements_without({positions[line] for line in unaltered}),
    )
    if moved:
        positions = _compare(before, after, pieces, moved)
        unaltered = _unaltered(before, after, positions)
    return LineMap(positions, [line for line in range(len(positions)) if line not in unaltered])


@dataclass(frozen=True)
class _Version:
    lines: Sequence[str]
    outline: Outline

    @classmethod
    def of(cls, text: str) -> _Version:
        return cls(lines_of(text), Outline(text))

    def scopes_by_name(self) -> dict[str, Scope]:
        """The functions and classes whose name occurs once, outer before inner."""
        scopes = self.outline.scopes
        counts = Counter(scope.name for scope in scopes)
        return {scope.name: scope for scope in scopes if counts[scope.name] == 1}

    def statements_without(self, found: Set[int]) -> list[StatementText]:
        """The statements that do not begin with one of some lines."""
        statements = statements_of(self.lines, self.outline)
        return [statement for statement in statements if statement.lines[0] not in found]


def _pieces(before: _Version, after: _Version, positions: Sequence[int]) -> list[_Piece]:
    """Both sources whole, or by function where one is not where a comparison in order has it."""
    old_scopes, new_scopes = before.scopes_by_name(), after.scopes_by_name()
    names = old_scopes.keys() & new_scopes.keys()
    if all(positions[old_scopes[name].line - 1] == new_scopes[name].line - 1 for name in names):
        return [(range(len(before.lines)), range(len(after.lines)))]
    old_lines = _lines_by_scope(len(before.lines), old_scopes, names)
    new_lines = _lines_by_scope(len(after.lines), new_scopes, names)
    return [(lines, new_lines.get(name, [])) for name, lines in old_lines.items()]


def _lines_by_scope(
    line_count: int, scopes: Mapping[str, Scope], names: Set[str]
) -> dict[str, list[int]]:
    """The lines, 0-based, by the innermost of some scopes around each; the others by ``""``."""
    around = [""] * line_count
    for name, scope in scopes.items():
        if name in names:
            for line in range(scope.first_line - 1, scope.end_line):
                around[line] = name
    lines: dict[str, list[int]] = {}
    for line, name in enumerate(around):
        lines.setdefault(name, []).append(line)
    return lines


def _compare(
    before: _Version, after: _Version, pieces: Sequence[_Piece], moved: Mapping[int, int]
) -> list[int]:
    """Where the old lines are, given where those are that moved."""
    positions = [moved.get(line, GONE) for line in range(len(before.lines))]
    taken = set(moved.values())
    for old_piece, new_piece in pieces:
        old = [line for line in old_piece if line not in moved]
        new = [line for line in new_piece if line not in taken]
        mapping = map_lines([before.lines[n] for n in old], [after.lines[n] for n in new])
        for line, position in zip(old, mapping.positions, strict=True):
            if position != GONE:
                positions[line] = new[position]
    return positions


def _unaltered(before: _Version, after: _Version, positions: Sequence[int]) -> Set[int]:
    """The old lines that say the same in the new source, however they are indented."""
    return {
        line
        for line, position in enumerate(positions)
        if position != GONE and before.lines[line].strip() == after.lines[position].strip()
    }
