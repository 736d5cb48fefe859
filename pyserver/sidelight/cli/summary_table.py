"""One table of a profile, as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sidelight.analysis.headline import headline
from sidelight.analysis.tables.table import Column, Row
from sidelight.analysis.tables.windows import TablePage
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.table_cells import Known, cell_text
from sidelight.cli.text import fit, left, right
from sidelight.profile.stored_manifest import StoredManifest

_GAP = 2
_WIDEST_TEXT = 40


def render_table(console: Console, page: TablePage, manifest: StoredManifest) -> None:
    """Print rows, as many columns of them as there is room for, and the sums of all.

    Args:
        console: Where to; its width is respected.
        page: The rows.
        manifest: The profile's.
    """
    print_paragraph(console, printable(headline(manifest)), "bold")
    console.print()
    if not page.rows:
        print_paragraph(console, "There is no such row.")
        return
    known = Known(page.time_kind, manifest.steps)
    columns = [_Printed(column, page, known) for column in page.columns]
    shown, width = list[_Printed](), 0
    for column in columns:
        width += column.width + _GAP
        if shown and width - _GAP > console.width:
            break
        shown.append(column)
    rows = len(page.rows)
    _print(console, [column.heading for column in shown], "dim")
    for row in range(rows):
        _print(console, [column.cells[row] for column in shown])
    _print(console, [column.sum for column in shown], "dim")
    left_out = [column.title for column in columns[len(shown) :]]
    if left_out:
        names = ", ".join(left_out)
        print_paragraph(console, f"In a wider terminal, or with --csv: {names}.", "dim")


class _Printed:
    """A column as it is printed: all of its texts, of one width."""

    def __init__(self, column: Column, page: TablePage, known: Known) -> None:
        is_first = column is page.columns[0]
        sums: Row = {**page.sums, page.columns[0].name: "all of these"}
        self.title = column.title
        summed = cell_text(column, sums, known) if is_first or column.adds_up else ""
        texts = [column.title, *(cell_text(column, row, known) for row in page.rows), summed]
        self.width = max(map(cell_len, texts))
        if not column.is_number:
            self.width = min(self.width, _WIDEST_TEXT)
            texts = [left(fit(text, self.width), self.width) for text in texts]
        else:
            texts = [right(text, self.width) for text in texts]
        self.heading, *self.cells, self.sum = texts


def _print(console: Console, cells: Sequence[str], style: str = "") -> None:
    text = Text((" " * _GAP).join(cells), style)
    text.rstrip()
    console.print(text, soft_wrap=True)
