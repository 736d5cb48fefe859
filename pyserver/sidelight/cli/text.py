"""Text from traces and sources, made safe and of known width for a terminal."""

from __future__ import annotations

import os

from rich.cells import cell_len, set_cell_size

from sidelight.cli.printable import printable

_TAB_WIDTH = 4


def source_line(text: str) -> str:
    """A line of source, its tabs expanded and the rest printable."""
    return printable(text.rstrip("\r\n\f").expandtabs(_TAB_WIDTH))


def fit(text: str, width: int) -> str:
    """The text's beginning, in at most ``width`` terminal cells."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def fit_end(text: str, width: int) -> str:
    """The text's end, in at most ``width`` terminal cells: what tells paths apart."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[1:]
    return f"…{text}"


def right(text: str, width: int) -> str:
    """The text at the right of ``width`` terminal cells."""
    return " " * (width - cell_len(text)) + text


def left(text: str, width: int) -> str:
    """The text at the left of ``width`` terminal cells."""
    return text + " " * (width - cell_len(text))


def display_path(path: str) -> str:
    """A path as people know it: relative where it is below the current directory."""
    here = os.getcwd().rstrip("/") + "/"
    return printable(path.removeprefix(here))
