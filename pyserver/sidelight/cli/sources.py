"""Which files a profile was read from, in a line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from rich.console import Console

from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.text import display_path, fit_end

_MOST_NAMED: Final = 3
_FROM: Final = "From "


def print_sources(console: Console, paths: Sequence[str]) -> None:
    """Print the files, the first of many; of a long path its end, which tells it apart.

    Args:
        console: Where to; its width is respected.
        paths: The files; nothing is printed where there are none.
    """
    if not paths:
        return
    room = console.width - len(_FROM)
    if len(paths) == 1:
        print_paragraph(console, _FROM + fit_end(display_path(paths[0]), room), "dim")
        return
    paths = [os.path.abspath(path) for path in paths]
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    named = [printable(os.path.relpath(path, folder)) for path in paths[:_MOST_NAMED]]
    others = len(paths) - _MOST_NAMED
    more = f" and {others:,} more" if others > 0 else ""
    where = fit_end(display_path(folder), room - 1)
    print_paragraph(console, f"{_FROM}{where}: {', '.join(named)}{more}", "dim")
