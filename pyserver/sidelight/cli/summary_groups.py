"""Groups of figures: a title, and under it what each is, its value and where that is from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.text import fit, left, right

_WIDEST_NAME: Final = 56

Row = tuple[str, str, str]
"""What it is, its value, and where that is from."""


def print_group(console: Console, title: str, rows: Sequence[Row]) -> None:
    """Print a group; nothing where it has no rows.

    Args:
        console: Where to; its width is respected.
        title: What the figures are of.
        rows: The figures.
    """
    if not rows:
        return
    console.print()
    print_paragraph(console, title, "bold")
    widest = min(_WIDEST_NAME, console.width // 2)
    name_width = min(max(len(name) for name, _, _ in rows), widest)
    value_width = max(len(value) for _, value, _ in rows)
    for name, value, origin in rows:
        row = Text(f"  {left(fit(name, name_width), name_width)}  {right(value, value_width)}")
        if origin:
            row.append(f"  {origin}", "dim")
        console.print(row, soft_wrap=True)
