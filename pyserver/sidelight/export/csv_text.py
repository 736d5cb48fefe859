"""Tables as text for spreadsheets: CSV (RFC 4180), or with tabs, which is how they are pasted."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Literal

from sidelight.export.csv_rows import harmless

Separator = Literal["comma", "tab"]

_DELIMITERS: dict[Separator, str] = {"comma": ",", "tab": "\t"}


def csv_text(
    names: Sequence[str],
    rows: Iterable[Sequence[str | int | float | None]],
    separator: Separator = "comma",
) -> str:
    """A table with its heading.

    Args:
        names: The columns' names.
        rows: Their values, in that order; None leaves a cell empty.
        separator: What stands between cells.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=_DELIMITERS[separator])
    writer.writerow([harmless(name) for name in names])
    writer.writerows(
        [harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue()
