"""The first line of the statement that each line of a program belongs to, straight from its AST."""

from __future__ import annotations

import ast


def statement_lines(source: str) -> dict[int, int]:
    """Map every line of a program to the first line of its innermost statement.

    A compound statement owns its header only. A decorator is a line of its own.
    """
    lines: dict[int, int] = {}
    # Outer statements come before inner ones, so that the innermost has the last word.
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            _own(lines, node)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for decorator in node.decorator_list:
                    _own(lines, decorator)
    return lines


def _own(lines: dict[int, int], node: ast.stmt | ast.expr | ast.excepthandler) -> None:
    for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        # Of several statements that begin on one line, all begin on that line.
        lines[line] = node.lineno
