"""Where the lines of a source are in another version of it, in which functions may have moved.

A comparison line by line keeps the order of lines: of two functions that changed places it finds
one. So where functions moved, each is compared with its namesake, and what is outside them by
itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from sidelight.analysis.line_mapping import GONE, LineMap, map_lines
from sidelight.analysis.scopes import Outline, Scope
from sidelight.analysis.text_lines import lines_of


def map_sources(old: str, new: str) -> LineMap:
    """Compare two versions of a source.

    Returns:
        Where the old lines are, 0-based: as :func:`map_lines` finds them, unless a function or
        class whose name occurs once on either side is not at its namesake's place. Then positions
        need not increase.
    """
    old_lines, new_lines = lines_of(old), lines_of(new)
    whole = map_lines(old_lines, new_lines)
    if not whole.altered:
        return whole
    old_scopes, new_scopes = _scopes_by_name(old), _scopes_by_name(new)
    names = old_scopes.keys() & new_scopes.keys()
    if all(whole.positions[old_scopes[n].line - 1] == new_scopes[n].line - 1 for n in names):
        return whole
    positions = [GONE] * len(old_lines)
    altered = set(range(len(old_lines)))
    old_pieces = _pieces(len(old_lines), old_scopes, names)
    new_pieces = _pieces(len(new_lines), new_scopes, names)
    for name, piece in old_pieces.items():
        new_piece = new_pieces.get(name, [])
        mapping = map_lines([old_lines[n] for n in piece], [new_lines[n] for n in new_piece])
        for line, position in enumerate(mapping.positions):
            if position != GONE:
                positions[piece[line]] = new_piece[position]
        altered.difference_update(piece)
        altered.update(piece[line] for line in mapping.altered)
    return LineMap(positions, sorted(altered))


def _scopes_by_name(text: str) -> dict[str, Scope]:
    """The functions and classes whose name occurs once, outer before inner."""
    scopes = Outline(text).scopes
    counts = Counter(scope.name for scope in scopes)
    return {scope.name: scope for scope in scopes if counts[scope.name] == 1}


def _pieces(line_count: int, scopes: Mapping[str, Scope], names: Set[str]) -> dict[str, list[int]]:
    """The lines, 0-based, by the innermost of some scopes around each; the others by ``""``."""
    around = [""] * line_count
    for name, scope in scopes.items():
        if name in names:
            for line in range(scope.first_line - 1, scope.end_line):
                around[line] = name
    pieces: dict[str, list[int]] = {}
    for line, name in enumerate(around):
        pieces.setdefault(name, []).append(line)
    return pieces
