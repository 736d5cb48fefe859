"""Running text on a console, wrapped at its width."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from sidelight.cli.text import left

_WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


def print_paragraph(console: Console, text: str, style: str = "", mark: str = "") -> None:
    """Print a paragraph; a mark stands before its first line, and the others are indented."""
    indent = len(mark) + 1 if mark else 0
    rows = Text(text, style).wrap(console, min(console.width, _WIDEST) - indent)
    for number, row in enumerate(rows):
        row.rstrip()
        prefix = Text(left(mark, indent) if number == 0 else " " * indent, style)
        console.print(prefix + row, soft_wrap=True)


def print_facts(console: Console, facts: Sequence[tuple[str, str]]) -> None:
    """Print names and values, aligned; values are not wrapped, so that they can be copied."""
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        console.print(Text.assemble((left(name, width), "dim"), f"  {value}"), soft_wrap=True)
