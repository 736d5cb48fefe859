"""The table of all lines, largest first."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sidelight.analysis.report import LineReport
from sidelight.analysis.source_texts import SourceTexts
from sidelight.cli.columns import (
    BACKWARD,
    COUNT,
    GAP,
    HOST,
    LAUNCHED,
    PREDICTED,
    SELF,
    SHARE,
    TOTAL,
    choose_columns,
    figures,
    headings,
    mean_duration,
)
from sidelight.cli.headline import print_headline
from sidelight.cli.places import short_places
from sidelight.cli.text import fit, fit_end, left, source_line
from sidelight.profile import units
from sidelight.profile.manifest import SourceFile

_COLUMNS = (
    (SELF, 0),
    (SHARE, 0),
    (PREDICTED, 60),
    (TOTAL, 76),
    (BACKWARD, 88),
    (LAUNCHED, 120),
    (HOST, 120),
    (COUNT, 0),
)
_LEAST_SOURCE = 16


def render_line_table(console: Console, report: LineReport, files: Sequence[SourceFile]) -> None:
    """Print every line of a report, with its source where there is room.

    Args:
        console: Where to; its width is respected.
        report: The lines.
        files: The source, as it ran.
    """
    print_headline(console, report)
    console.print()
    columns = choose_columns(_COLUMNS, report, console.width)
    room = console.width - sum(column.width + GAP for column in columns)
    places = short_places([(line.file, line.line) for line in report.lines])
    place_width = min(max((cell_len(place) for place in places), default=0), room)
    source_width = room - place_width - GAP
    texts = SourceTexts(files)
    _print_row(console, Text(f"{headings(columns)}{left('line', place_width)}", "dim"))
    for line, place in zip(report.lines, places, strict=True):
        row = figures(columns, line, report)
        row.append(left(fit_end(place, place_width), place_width))
        text = texts.line(line.file, line.line)
        if source_width >= _LEAST_SOURCE and text is not None:
            source = source_line(text).strip()
            row.append(" " * GAP + fit(source, source_width), "dim")
        _print_row(console, row)
    if report.unattributed_ns:
        time = mean_duration(report.unattributed_ns, report)
        share = units.share(report.unattributed_ns, report.device_time_ns)
        _print_row(console, Text(f"{time:>8}  {share:>5}  on no line"))


def _print_row(console: Console, row: Text) -> None:
    row.rstrip()
    console.print(row, soft_wrap=True)
