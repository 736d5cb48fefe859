"""What a profile's report says: the numbers of the command line, in the words of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from typing import IO

from sidelight import __version__
from sidelight.analysis.headline import headline
from sidelight.analysis.idle.causes import CauseTime
from sidelight.analysis.lines import line_report
from sidelight.analysis.report import LineReport
from sidelight.analysis.source_texts import SourceTexts
from sidelight.analysis.step_time.named_parts import named_parts
from sidelight.analysis.summary import ProfileSummary, profile_summary
from sidelight.export.html.document import (
    Block,
    Column,
    Paragraph,
    Report,
    Section,
    Table,
)
from sidelight.export.html.page import write_page
from sidelight.export.source import Progress, Source, Written
from sidelight.jobs.report_figures import figure_blocks
from sidelight.jobs.report_roofline import roofline_blocks
from sidelight.profile import units
from sidelight.profile.manifest import SourceFile

_MOST_LINES = 500
"""The page says how many more there are."""

_TIME_COLUMNS = (Column("a step", is_number=True), Column("share", is_number=True))


def write_report(file: IO[bytes], source: Source, progress: Progress) -> Written:
    """Write a report of a profile's recorded steps in HTML.

    Args:
        file: Where to.
        source: What.
        progress: Told the part done.

    Raises:
        OSError: It cannot be written.
    """
    profile = source.profile
    report = line_report(profile, "")
    progress(0.2)
    summary = profile_summary(profile)
    progress(0.9)
    write_page(file, report_of(report, summary, profile.files))
    return Written(len(profile.events))


def report_of(report: LineReport, summary: ProfileSummary, files: Sequence[SourceFile]) -> Report:
    """Put a report together.

    Args:
        report: The profile's lines.
        summary: Its summary.
        files: The source, as it ran.
    """
    return Report(
        title=report.name,
        lead=list(_lead(report, summary)),
        sections=[
            Section("Lines", list(_lines(report, files))),
            Section("A step's time", list(_step_time(report, summary))),
            Section(
                "Between operators" if report.device == "cpu" else "Why the device was idle",
                list(_idle(report, summary)),
            ),
            Section("Roofline", list(roofline_blocks(summary.roofline))),
            Section("Key figures", list(figure_blocks(summary))),
            Section("Data quality", list(_quality(report))),
        ],
        footer=f"Written by Sidelight {__version__} on "
        f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC. Times with ≈ are predicted, all others "
        "measured.",
    )


def _lead(report: LineReport, summary: ProfileSummary) -> Iterator[Paragraph]:
    yield Paragraph(headline(report), emphasis=True)
    steps = "1 step" if report.steps == 1 else f"{report.steps:,} steps"
    warm_up = f", after {report.warmup} of warm-up" if report.warmup else ""
    of_steps = "; times and counts are means per step" if report.steps > 1 else ""
    yield Paragraph(f"Recorded: {steps}{warm_up}{of_steps}.")
    if report.device_time_ns:
        part = units.share(report.attributed_ns, report.device_time_ns) or "0%"
        split = {
            "exact": "",
            "apportioned": ", apportioned where one execution spans several lines",
            "mixed": ", some of it apportioned, where one execution spans several lines",
        }[report.attribution]
        yield Paragraph(f"{part} of the device time is on lines of yours{split}.")
    if summary.headline is not None and summary.headline.verdict:
        yield Paragraph(summary.headline.verdict)


def _lines(report: LineReport, files: Sequence[SourceFile]) -> Iterator[Block]:
    texts = SourceTexts(files)
    shown = report.lines[:_MOST_LINES]

    rows = [
        [
            _mean(line.self_ns, report, is_predicted=line.time_kind != "measured"),
            units.share(line.self_ns, report.device_time_ns) if line.self_ns else "",
            _mean(line.total_ns, report, is_predicted=line.time_kind != "measured"),
            _mean(line.backward_ns, report, is_predicted=line.time_kind != "measured"),
            units.mean_count(line.count, report.steps),
            "" if line.attribution == "exact" else line.attribution,
            f"{line.file}:{line.line}",
            (texts.line(line.file, line.line) or "").strip(),
        ]
        for line in shown
    ]
    if report.unattributed_ns:
        is_predicted = report.time_kind != "measured"
        time = _mean(report.unattributed_ns, report, is_predicted=is_predicted)
        share = units.share(report.unattributed_ns, report.device_time_ns)
        rows.append([time, share, "", "", "", "", "on no line", ""])
    if rows:
        parts = [line.self_ns for line in shown]
        parts += [report.unattributed_ns] if report.unattributed_ns else []
        yield Table(
            "Device time by source line, largest first",
            [
                *(Column(title, is_number=True) for title in ("self", "share", "total")),
                *(Column(title, is_number=True) for title in ("backward", "count")),
                *map(Column, ("label", "line", "source")),
            ],
            rows,
            [part / max(report.device_time_ns, 1) for part in parts],
        )
    if more := len(report.lines) - len(shown):
        yield Paragraph(f"{more:,} more lines have less; `sidelight lines` shows all.")


def _step_time(report: LineReport, summary: ProfileSummary) -> Iterator[Block]:
    time = summary.step_time
    if time is None or not report.device_time_ns:
        return
    is_predicted = report.time_kind != "measured"
    whole_ns = time.mean.duration_ns
    parts = named_parts(time.mean, report.device)
    yield Table(
        f"A mean step takes {units.duration(whole_ns, predicted=is_predicted)}, of that",
        [Column("what"), Column("time", is_number=True), Column("share", is_number=True)],
        [
            [name, units.duration(part_ns, predicted=is_predicted), units.share(part_ns, whole_ns)]
            for name, part_ns in parts.items()
        ],
        [part_ns / max(whole_ns, 1) for part_ns in parts.values()],
    )


def _idle(report: LineReport, summary: ProfileSummary) -> Iterator[Block]:
    idle = summary.idle
    if idle is None:
        return
    between = "No operator ran" if report.device == "cpu" else "Idle between its work"
    is_predicted = idle.time_kind != "measured"
    for title, whole_ns, causes in (
        (between, idle.idle_ns, idle.causes),
        ("Busy, and nothing computed", idle.waiting_ns, idle.waiting),
    ):
        found = [cause for cause in causes if cause.duration_ns]
        if not found:
            continue
        mean = units.duration(whole_ns / max(idle.steps, 1), predicted=is_predicted)
        yield Table(
            f"{title}: {mean} a step",
            [Column("cause"), *_TIME_COLUMNS, Column("most of it at")],
            [
                [
                    cause.meaning,
                    units.duration(cause.duration_ns / max(idle.steps, 1), predicted=is_predicted),
                    units.share(cause.duration_ns, whole_ns),
                    _most_at(cause),
                ]
                for cause in found
            ],
            [cause.duration_ns / max(whole_ns, 1) for cause in found],
        )


def _most_at(cause: CauseTime) -> str:
    line = cause.lines[0] if cause.lines else None
    return "" if line is None or line.file is None else f"{line.file}:{line.line}"


def _quality(report: LineReport) -> Iterator[Block]:
    if report.quality:
        yield Table(
            "What is missing, repaired or suspicious",
            [Column("severity"), Column("code"), Column("what is so"), Column("count", True)],
            [
                [note.severity, note.code, note.message, f"{note.count:,}"]
                for note in report.quality
            ],
        )
    else:
        yield Paragraph("Nothing is missing, and nothing had to be repaired.")


def _mean(nanoseconds: int, report: LineReport, *, is_predicted: bool) -> str:
    """A sum over the recorded steps as its mean, empty for none."""
    if not nanoseconds:
        return ""
    return units.duration(nanoseconds / max(report.steps, 1), predicted=is_predicted)
