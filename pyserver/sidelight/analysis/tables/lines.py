"""The table of source lines: the per-line report's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sidelight.analysis.report import LineReport
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.analysis.source_texts import SourceTexts
from sidelight.analysis.tables.table import (
    MEAN,
    SELF,
    SHARE,
    TOTAL,
    WORK,
    Row,
    by_device_time,
    count,
    number,
    step_sum,
    text,
    time_cells,
)
from sidelight.analysis.tables.work_cells import work_cells
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import place_name

_NO_LINE: Final = "on no line"

LINE_COLUMNS: Final = (
    text("name", "line", "The file's name and the line."),
    text("source", "source", "The line as it was when it ran; unknown where that was not kept."),
    SELF,
    TOTAL,
    step_sum("forward_ns", "forward", "ns", "What of its own ran forward."),
    step_sum("backward_ns", "backward", "ns", "What of its own ran backward."),
    count("How often execution entered it."),
    MEAN,
    SHARE,
    step_sum("host_ns", "host", "ns", "Wall time with it innermost."),
    *WORK,
    text("attribution", "attribution", "Whether its time is exact or apportioned."),
    text("file", "file", "The file's path."),
    number("line", "number", "", "The line's number, from 1 on."),
)


def line_rows(profile: Profile, report: LineReport, dots: Sequence[RooflineDot]) -> list[Row]:
    """Every line with device time of its own or below it, and what is on no line.

    Args:
        profile: An attributed profile.
        report: Its per-line report.
        dots: Its lines under the roofline.
    """
    dot_of = {(dot.file, dot.line): dot for dot in dots}
    texts = SourceTexts(profile.files)
    rows: list[Row] = []
    for line in report.lines:
        source = texts.line(line.file, line.line)
        rows.append(
            {
                "name": place_name(line.file, line.line),
                "source": None if source is None else source.strip(),
                **time_cells(line.self_ns, line.total_ns, line.count, report.device_time_ns),
                "forward_ns": line.forward_ns,
                "backward_ns": line.backward_ns,
                "host_ns": line.host_ns,
                **work_cells(dot_of.get((line.file, line.line))),
                "attribution": line.attribution,
                "file": line.file,
                "line": line.line,
            }
        )
    if report.unattributed_ns:
        nothing: Row = dict.fromkeys(column.name for column in LINE_COLUMNS)
        rows.append(
            {
                **nothing,
                "name": _NO_LINE,
                **time_cells(
                    report.unattributed_ns, report.unattributed_ns, None, report.device_time_ns
                ),
                **work_cells(dot_of.get((None, None))),
            }
        )
    return by_device_time(rows)
