"""The statements of a source file, by line."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

# What is not a statement to the grammar but has a header line of its own, and statements below it.
if sys.version_info >= (3, 10):
    _STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)
else:
    _STATEMENTS = (ast.stmt, ast.ExceptHandler)

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS: dict[type[ast.AST], str] = {
    ast.GeneratorExp: "<genexpr>",
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
}


class Loop(NamedTuple):
    """The body of a ``while``.

    Attributes:
        first_line: Of its first statement.
        last_line: Of its last statement.
        breaks: Lines that hold nothing but a ``break`` out of this loop.
    """

    first_line: int
    last_line: int
    breaks: frozenset[int]


class Outline:
    """Which statement has which lines.

    A statement is known by its first line and takes in those that begin on a line it already has.
    The header of a compound statement is a statement without its body; ``except`` and ``case`` are
    headers too. A decorated definition begins at its first decorator.

    Attributes:
        statement_of_line: First line of the statement a line belongs to. Lines without code, and
            all lines of a source that does not parse, are missing.
        shown_at: For lines that show elsewhere than at their statement's first line: a decorator
            below the first and the ``def`` or ``class`` line below it show as themselves.
        while_loops: The bodies of ``while`` statements, by the statement's first line.
        lambda_lines: First line of the lambda around a comprehension, by the name and first line of
            the comprehension's code.

    Args:
        source: The file's text, or its bytes, byte-order mark and coding cookie included.
    """

    def __init__(self, source: str | bytes) -> None:
        self.statement_of_line: dict[int, int] = {}
        self.shown_at: dict[int, int] = {}
        self.while_loops: dict[int, Loop] = {}
        self.lambda_lines: dict[tuple[str, int], int] = {}
        self._definitions: set[tuple[str, int]] = set()
        self._first_on_line: dict[int, ast.AST] = {}
        tree = _parse(source)
        if tree is not None:
            for node in _statements_in_order(tree):
                self._place(node)
            for node in _statements_in_order(tree):
                if isinstance(node, ast.While):
                    self._note_loop(node)

    def describes(self, code: CodeType) -> bool:
        """Tell whether a code object can have come from this source."""
        name = code.co_name
        return name.startswith("<") or (name, code.co_firstlineno) in self._definitions

    def _place(self, node: ast.AST) -> None:
        own = list(_expressions(node))
        first = _first_line(node)
        nested = next(_nested(node), None)
        end = _last_line(node) if nested is None else _first_line(nested) - 1
        last = max(first, _line(node, "lineno"), end, *map(_last_line, own))
        self._first_on_line.setdefault(first, node)
        statement = self.statement_of_line.setdefault(first, first)
        for line in range(first, last + 1):
            self.statement_of_line.setdefault(line, statement)
        if isinstance(node, _DEFINITIONS):
            self._note_definition(node, last)
        for part in own:
            if isinstance(part, ast.Lambda):
                self._note_lambda(part)
        if sys.version_info >= (3, 12):
            # Aliases and type parameters are evaluated when asked for, in code of their own.
            if isinstance(node, ast.TypeAlias):
                self._definitions.add((node.name.id, first))
            for part in own:
                if isinstance(part, ast.type_param):
                    self._definitions.add((part.name, part.lineno))

    def _note_definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, last_line: int
    ) -> None:
        self._definitions.add((node.name, _first_line(node)))
        for decorator in node.decorator_list:
            for line in range(decorator.lineno, node.lineno):
                self.shown_at[line] = decorator.lineno
        if node.decorator_list:
            for line in range(node.lineno, last_line + 1):
                self.shown_at[line] = node.lineno

    def _note_lambda(self, node: ast.Lambda) -> None:
        for part in ast.walk(node.body):
            name = _COMPREHENSIONS.get(type(part))
            if name is not None:
                # Inner lambdas come after outer ones, and have the last word.
                self.lambda_lines[name, _first_line(part)] = node.lineno

    def _note_loop(self, node: ast.While) -> None:
        breaks = (
            each.lineno for each in _breaks(node) if self._first_on_line.get(each.lineno) is each
        )
        loop = Loop(_first_line(node.body[0]), _last_line(node.body[-1]), frozenset(breaks))
        self.while_loops.setdefault(self.statement_of_line[node.lineno], loop)


def _parse(source: str | bytes) -> ast.Module | None:
    if isinstance(source, str):
        source = source.lstrip("\ufeff")
    with warnings.catch_warnings():
        # Python has warned about this source already, when the program was compiled.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _statements_in_order(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all statements in the order of the text, an outer one before those in it."""
    pending = list(_nested(tree))[::-1]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(list(_nested(node))[::-1])


def _nested(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements directly below one, in the order of the text."""
    return (child for child in ast.iter_child_nodes(node) if isinstance(child, _STATEMENTS))


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a statement consists of, the statements below it left out."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _STATEMENTS):
            yield from ast.walk(child)


def _breaks(loop: ast.While) -> Iterator[ast.Break]:
    """Yield the ``break`` statements that leave a loop."""
    pending: list[ast.AST] = list(loop.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            yield node
        if isinstance(node, _LOOPS):
            pending.extend(node.orelse)
        else:
            pending.extend(_nested(node))


def _first_line(node: ast.AST) -> int:
    if isinstance(node, _DEFINITIONS) and node.decorator_list:
        return node.decorator_list[0].lineno
    if sys.version_info >= (3, 10) and isinstance(node, ast.match_case):
        return node.pattern.lineno
    return _line(node, "lineno")


def _last_line(node: ast.AST) -> int:
    return _line(node, "end_lineno")


def _line(node: ast.AST, name: str) -> int:
    """Read a line number off a node; 0 from the kinds that have none, such as ``ast.Load``."""
    return getattr(node, name, 0) or 0
