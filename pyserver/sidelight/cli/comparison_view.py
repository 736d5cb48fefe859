"""What a person sees of two profiles: how much faster, on which lines, by which operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sidelight.analysis.comparison import Comparison, LineMatch, compared_times
from sidelight.analysis.source_texts import SourceTexts
from sidelight.cli.columns import GAP
from sidelight.cli.comparison_columns import Figures, larger_device_time_ns
from sidelight.cli.comparison_heading import print_heading
from sidelight.cli.comparison_rows import Row, line_row, no_line_row, operator_row
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.places import short_places
from sidelight.cli.printable import printable
from sidelight.cli.text import fit, fit_end, left, source_line
from sidelight.profile.manifest import SourceFile

_MARKS: dict[LineMatch, str] = {"same": "", "changed": "~", "added": "+", "removed": "-"}
_LEAST_SOURCE = 16
_WORTH_A_ROW = 0.001
"""An operator that changed by a smaller part of the device time is not worth one."""


@dataclass(frozen=True)
class _TableRow:
    """A row of a table.

    Attributes:
        label: What it is of.
        figures: What that cost.
        mark: How a line of one side matches the other's.
        source: Its text.
    """

    label: str
    figures: Row
    mark: str = ""
    source: str = ""


def render_comparison(
    console: Console,
    comparison: Comparison,
    base_files: Sequence[SourceFile],
    new_files: Sequence[SourceFile],
) -> None:
    """Print a comparison: its heading, its lines and its operators, largest change first.

    Args:
        console: Where to; its width is respected.
        comparison: What differs.
        base_files: The source of base, as it ran.
        new_files: The source of new.
    """
    print_heading(console, comparison)
    lines = _line_rows(comparison, base_files, new_files)
    unattributed = comparison.unattributed
    if unattributed.base.launches or unattributed.new.launches:
        lines.append(_TableRow("on no line", no_line_row(comparison)))
    _print_table(console, comparison, "line", lines, fit_end)
    marks = {row.mark for row in lines}
    legend = [f"{mark} {match}" for match, mark in _MARKS.items() if mark and mark in marks]
    if legend:
        print_paragraph(console, f"{', '.join(legend)} since base", "dim")
    _print_operators(console, comparison)


def _print_operators(console: Console, comparison: Comparison) -> None:
    """Print the operators that changed, and how many did not."""
    if compared_times(comparison.base, comparison.new) != "own":
        console.print()
        print_paragraph(
            console,
            "Operators are left out: their times are measured on one side and predicted on the "
            "other; --json has all.",
            "dim",
        )
        return
    least_ns = _WORTH_A_ROW * larger_device_time_ns(comparison)
    operators = [
        _TableRow(printable(operator.name), operator_row(operator, comparison))
        for operator in comparison.operators
        if abs(operator.change.self_ns.difference) > least_ns
    ]
    _print_table(console, comparison, "operator", operators, fit)
    hidden = len(comparison.operators) - len(operators)
    if hidden:
        console.print()
        count = "1 operator" if hidden == 1 else f"{hidden:,} operators"
        print_paragraph(
            console,
            f"{count} changed by {_WORTH_A_ROW:.1%} of the device time or less, and are left out; "
            "--json has all.",
            "dim",
        )


def _line_rows(
    comparison: Comparison, base_files: Sequence[SourceFile], new_files: Sequence[SourceFile]
) -> list[_TableRow]:
    """A row a line, at its place in new, or in base where new does not have it.

    Where the sides' own times do not compare, neither do those of all that a line called: a line
    has a row for its own time only, and what is predicted for both is an order of its own.
    """
    base_texts, new_texts = SourceTexts(base_files), SourceTexts(new_files)
    shown = [(line, line_row(line, comparison)) for line in comparison.lines]
    times = compared_times(comparison.base, comparison.new)
    if times != "own":
        shown = [(line, row) for line, row in shown if row.takes_time]
    if times == "predicted":
        shown.sort(key=lambda both: -abs(both[1].change.difference) if both[1].change else 0)
    places = short_places([line.place for line, _ in shown])
    rows: list[_TableRow] = []
    for (line, figures), place in zip(shown, places, strict=True):
        file, number = line.place
        text = (new_texts if line.new else base_texts).line(file, number)
        source = source_line(text or "").strip()
        rows.append(_TableRow(place, figures, _MARKS[line.match], source))
    return rows


def _print_table(
    console: Console,
    comparison: Comparison,
    title: str,
    rows: Sequence[_TableRow],
    fit_label: Callable[[str, int], str],
) -> None:
    """Print rows under headings, with their source where there is room."""
    if not rows:
        return
    console.print()
    figures = Figures([row.figures for row in rows], comparison, console.width)
    mark_width = 1 + GAP if any(row.mark for row in rows) else 0
    room = console.width - mark_width - figures.width
    label_width = min(max(cell_len(row.label) for row in rows), room)
    source_width = room - label_width - GAP
    _print_row(console, Text(f"{' ' * mark_width}{figures.headings()}{fit(title, room)}", "dim"))
    for row in rows:
        text = Text(left(row.mark, mark_width))
        text.append_text(figures.of(row.figures))
        text.append(left(fit_label(row.label, label_width), label_width))
        if source_width >= _LEAST_SOURCE and row.source:
            text.append(" " * GAP + fit(row.source, source_width), "dim")
        _print_row(console, text)


def _print_row(console: Console, row: Text) -> None:
    row.rstrip()
    console.print(row, soft_wrap=True)
