"""The figures beside a line: which columns there is room for, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text

from sidelight.analysis.report import LineReport, LineStats
from sidelight.cli.heat import heat_style
from sidelight.cli.text import right
from sidelight.profile import units
from sidelight.profile.manifest import TimeKind

GAP = 2


@dataclass(frozen=True)
class Column:
    """A column of figures.

    Attributes:
        title: Its heading.
        width: In terminal cells.
        figure: What stands in it for a line; empty where there is nothing to say.
        hot: Whether it is coloured by the line's share of the device time.
    """

    title: str
    width: int
    figure: Callable[[LineStats, LineReport], str]
    hot: bool = False


def mean_duration(nanoseconds: int, report: LineReport, kind: TimeKind | None = None) -> str:
    """A sum over the recorded steps as its mean, empty for none.

    Args:
        nanoseconds: The sum.
        report: Whose steps.
        kind: How the time is known, if not as the report's: ``≈`` stands before what is not all
            measured.
    """
    if not nanoseconds:
        return ""
    predicted = (kind or report.time_kind) != "measured"
    return units.duration(nanoseconds / max(report.steps, 1), predicted=predicted)


SELF = Column(
    "self", 8, lambda line, report: mean_duration(line.self_ns, report, line.time_kind), hot=True
)
SHARE = Column(
    "share",
    5,
    lambda line, report: units.share(line.self_ns, report.device_time_ns) if line.self_ns else "",
    hot=True,
)
TOTAL = Column(
    "total", 8, lambda line, report: mean_duration(line.total_ns, report, line.time_kind)
)
BACKWARD = Column(
    "backward", 8, lambda line, report: mean_duration(line.backward_ns, report, line.time_kind)
)
LAUNCHED = Column(
    "launched", 8, lambda line, report: mean_duration(line.launched_ns, report, line.time_kind)
)
PREDICTED = Column(
    "predicted",
    9,
    lambda line, report: (
        mean_duration(line.predicted_ns or 0, report, "predicted")
        if report.time_kind == "measured"  # else its own time is the prediction
        else ""
    ),
)
HOST = Column("host", 8, lambda line, report: mean_duration(line.host_ns or 0, report))
COUNT = Column(
    "count",
    5,
    lambda line, report: units.mean_count(line.count, report.steps) if line.count else "",
)


def choose_columns(
    wanted: Sequence[tuple[Column, int]], report: LineReport, terminal_width: int
) -> list[Column]:
    """The columns that have something to say and that the terminal has room for.

    Args:
        wanted: Columns in order, each with the narrowest terminal it is shown on.
        report: What they show.
        terminal_width: In cells.
    """
    return [
        column
        for column, narrowest in wanted
        if terminal_width >= narrowest
        and (column in (SELF, SHARE) or any(column.figure(line, report) for line in report.lines))
    ]


def headings(columns: Sequence[Column]) -> str:
    """The columns' headings, as wide as :func:`figures`."""
    return "".join(right(column.title, column.width) + " " * GAP for column in columns)


def figures(columns: Sequence[Column], line: LineStats | None, report: LineReport) -> Text:
    """A line's figures, or as much room left empty."""
    row = Text()
    for column in columns:
        figure = column.figure(line, report) if line else ""
        style = "dim"
        if line and column.hot:
            style = heat_style(line.self_ns, report.device_time_ns)
        row.append(right(figure, column.width) + " " * GAP, style)
    return row
