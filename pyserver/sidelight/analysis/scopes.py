"""Statements, functions and classes of a source file, from its syntax."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from sidelight.analysis.annotations import ScopeKind

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)


@dataclass(frozen=True)
class Scope:
    """A function or class.

    Attributes:
        kind: ``forward`` for the ``forward`` method of a class.
        name: Qualified by the scopes around it.
        line: The line of its ``def`` or ``class``, 1-based.
        first_line: Its first line: that of its first decorator, if it has any.
        end_line: Its last line.
    """

    kind: ScopeKind
    name: str
    line: int
    first_line: int
    end_line: int


class Outline:
    """What the syntax of a source says; nothing where it is not valid Python.

    Args:
        text: The source.
    """

    def __init__(self, text: str) -> None:
        tree = _parse(text)
        self.scopes = list(_scopes_of(tree)) if tree else []
        """Functions and classes, in the order of their first lines, outer before inner."""
        self._end_lines = _statement_ends(tree) if tree else {}

    def end_line(self, line: int) -> int:
        """Last line of what starts on a line, of a compound statement its header's."""
        return max(line, self._end_lines.get(line, line))

    def statements(self) -> list[tuple[int, int]]:
        """First and last lines of the statements, headers and decorators, from top to bottom."""
        return sorted(self._end_lines.items())

    def scopes_at(self) -> dict[int, tuple[int, ...]]:
        """The scopes around each line that is in any, by index, outer before inner."""
        around: dict[int, tuple[int, ...]] = {}
        for index, scope in enumerate(self.scopes):
            for line in range(scope.first_line, scope.end_line + 1):
                around[line] = (*around.get(line, ()), index)
        return around


def _parse(text: str) -> ast.Module | None:
    with warnings.catch_warnings():  # the source's own, about its escapes
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text.removeprefix("\ufeff"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _scopes_of(tree: ast.Module) -> Iterator[Scope]:
    # A stack of our own: sources nest deeper than Python lets functions call one another.
    open_nodes: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while open_nodes:
        node, prefix, in_class = open_nodes.pop()
        if isinstance(node, ast.expr):
            continue  # no definition is inside an expression
        if isinstance(node, _DEFINITIONS):
            prefix = f"{prefix}.{node.name}" if prefix else node.name
            first_line = min(part.lineno for part in (node, *node.decorator_list))
            kind = _kind(node, in_class)
            in_class = isinstance(node, ast.ClassDef)
            yield Scope(kind, prefix, node.lineno, first_line, node.end_lineno or node.lineno)
        children = [(child, prefix, in_class) for child in ast.iter_child_nodes(node)]
        open_nodes.extend(reversed(children))


def _kind(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, in_class: bool) -> ScopeKind:
    if isinstance(node, ast.ClassDef):
        return "class"
    return "forward" if in_class and node.name == "forward" else "function"


def _statement_ends(tree: ast.Module) -> dict[int, int]:
    """By line, the last line of the statements, headers and decorators that start on it."""
    ends: dict[int, int] = {}

    def note(line: int, end_line: int | None) -> None:
        ends[line] = max(ends.get(line, line), end_line or line)

    for node in ast.walk(tree):
        if isinstance(node, _DEFINITIONS):
            for decorator in node.decorator_list:
                note(decorator.lineno, decorator.end_lineno)
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            note(node.lineno, _header_end(node))
    return ends


def _header_end(node: ast.stmt | ast.excepthandler) -> int | None:
    """Last line of a simple statement, or of the expressions in a compound one's header."""
    parts = list(ast.iter_child_nodes(node))
    header = [part for part in parts if not isinstance(part, _BLOCKS)]
    if len(header) == len(parts):
        return node.end_lineno
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    ends = [
        getattr(piece, "end_lineno", None) or node.lineno
        for part in header
        if part not in decorators
        for piece in ast.walk(part)
    ]
    return max(ends, default=node.lineno)
