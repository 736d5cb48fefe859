"""A file's hot functions, with device time, share and count beside each line."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sidelight.analysis.report import LineReport
from sidelight.cli.columns import (
    BACKWARD,
    COUNT,
    GAP,
    PREDICTED,
    SELF,
    SHARE,
    TOTAL,
    choose_columns,
    figures,
    headings,
    mean_duration,
)
from sidelight.cli.excerpts import Excerpt, FileExcerpts
from sidelight.cli.text import display_path, fit, fit_end, right, source_line
from sidelight.profile import units

_COLUMNS = ((SELF, 0), (SHARE, 0), (PREDICTED, 70), (BACKWARD, 76), (TOTAL, 110), (COUNT, 0))
_SEPARATOR = " │ "


class SourceView:
    """Prints excerpts of source files.

    Args:
        console: Where to; its width is respected.
        report: The numbers.
    """

    def __init__(self, console: Console, report: LineReport) -> None:
        self._console = console
        self._report = report
        self._columns = choose_columns(_COLUMNS, report, console.width)
        self._figures_width = sum(column.width + GAP for column in self._columns)

    def print(self, file: FileExcerpts) -> None:
        """Print a file's name, its headings, and its excerpts from top to bottom."""
        self._print_title(file)
        last = max((excerpt.lines[-1] for excerpt in file.excerpts if excerpt.lines), default=0)
        number_width = max(len(str(last)), len("line"))
        heading = headings(self._columns) + right("line", number_width)
        self._print_row(Text(heading, "dim"))
        # Where not all of the source can be seen, its functions move to the left.
        fits = self._fits(file, number_width)
        previous = 0
        for excerpt in file.excerpts:
            indent = 0 if fits else _common_indent(file, excerpt)
            for number in excerpt.lines:
                entered = previous < excerpt.function.first_line
                method = excerpt.function.name if entered and "." in excerpt.function.name else ""
                if number > previous + 1 and (previous or method):
                    self._print_gap(method, number_width)
                self._print_line(file, number, number_width, indent)
                previous = number

    def _print_title(self, file: FileExcerpts) -> None:
        time = mean_duration(file.self_ns, self._report)
        share = units.share(file.self_ns, self._report.device_time_ns)
        figures_text = f"  {time}  {share}"
        path = fit_end(display_path(file.path), self._console.width - len(figures_text))
        self._print_row(Text.assemble((path, "bold"), (figures_text, "dim")))
        if not file.text:
            self._print_row(Text("The profile does not hold this file's text.", "dim"))

    def _fits(self, file: FileExcerpts, number_width: int) -> bool:
        """Whether every line can be seen whole."""
        room = self._source_width(number_width)
        return all(
            cell_len(_source(file, number)) <= room
            for excerpt in file.excerpts
            for number in excerpt.lines
        )

    def _print_line(self, file: FileExcerpts, number: int, number_width: int, indent: int) -> None:
        stats = file.stats.get(number)
        style = "" if stats else "dim"
        row = figures(self._columns, stats, self._report)
        row.append(right(str(number), number_width), style)
        row.append(_SEPARATOR, "dim")
        row.append(fit(_source(file, number)[indent:], self._source_width(number_width)), style)
        self._print_row(row)

    def _print_gap(self, method: str, number_width: int) -> None:
        """A row for lines left out; it names a method that follows, whose class is out of sight."""
        row = " " * self._figures_width + right("⋮", number_width) + _SEPARATOR
        row += fit(f"# {method}" if method else "", self._source_width(number_width))
        self._print_row(Text(row, "dim"))

    def _source_width(self, number_width: int) -> int:
        return self._console.width - self._figures_width - number_width - len(_SEPARATOR)

    def _print_row(self, row: Text) -> None:
        row.rstrip()
        self._console.print(row, soft_wrap=True)


def _source(file: FileExcerpts, number: int) -> str:
    return source_line(file.text[number - 1]) if number <= len(file.text) else ""


def _common_indent(file: FileExcerpts, excerpt: Excerpt) -> int:
    lines = [_source(file, number) for number in excerpt.lines]
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
