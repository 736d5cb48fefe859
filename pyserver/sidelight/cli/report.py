"""What a person sees of a profile: a headline, the hot source with time beside it, what is left."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from sidelight.analysis.report import LineReport
from sidelight.cli.columns import mean_duration
from sidelight.cli.excerpts import select_excerpts
from sidelight.cli.headline import print_circumstances, print_headline
from sidelight.cli.paragraphs import print_facts, print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.source_view import SourceView
from sidelight.cli.sources import print_sources
from sidelight.cli.text import display_path
from sidelight.profile import units
from sidelight.profile.manifest import SourceFile
from sidelight.profile.quality import QualityNote

_MOST_OPERATORS = 4
_MOST_LAUNCHES = 2


def render_report(
    console: Console,
    report: LineReport,
    files: Sequence[SourceFile],
    *,
    lines_command: str,
    summary_command: str,
    sources: Sequence[str] = (),
    told: Sequence[QualityNote] = (),
) -> None:
    """Print a profile's headline and the source of its hot functions.

    Args:
        console: Where to; its width is respected.
        report: The numbers.
        files: The source, as it ran.
        lines_command: The command that shows every line.
        summary_command: The command that shows the figures, which may be all there is.
        sources: The files that were read, where people do not know.
        told: Notes that stand above already, of a profile shown before.
    """
    print_headline(console, report)
    print_sources(console, sources)
    print_circumstances(console, report, told)
    selection = select_excerpts(report, files)
    view = SourceView(console, report)
    for file in selection.files:
        console.print()
        view.print(file)
    if selection.hidden_functions or report.unattributed_ns or _backward_ns(report):
        console.print()
    if selection.hidden_functions:
        functions = "function" if selection.hidden_functions == 1 else "functions"
        hidden = mean_duration(selection.hidden_ns, report)
        share = units.share(selection.hidden_ns, report.device_time_ns)
        print_paragraph(
            console,
            f"{selection.hidden_functions} more {functions} of yours: {hidden} ({share}).",
        )
    _print_backward(console, report)
    _print_unattributed(console, report)
    console.print()
    more = ("All lines", lines_command) if report.events else ("Figures", summary_command)
    print_facts(console, [(more[0], printable(more[1])), ("Profile", display_path(report.profile))])


def _backward_ns(report: LineReport) -> int:
    return sum(line.backward_ns for line in report.lines)


def _print_backward(console: Console, report: LineReport) -> None:
    backward_ns = _backward_ns(report)
    if not backward_ns:
        return
    launches = sorted(report.lines, key=lambda line: -line.launched_ns)[:_MOST_LAUNCHES]
    started = " and ".join(
        f"{display_path(line.file)}:{line.line}" for line in launches if line.launched_ns
    )
    print_paragraph(
        console,
        f"Backward: {mean_duration(backward_ns, report)} "
        f"({units.share(backward_ns, report.device_time_ns)}), shown on the forward lines "
        f"it belongs to{f'; started by {started}' if started else ''}.",
    )


def _print_unattributed(console: Console, report: LineReport) -> None:
    if not report.unattributed_ns:
        return
    none = units.duration(0, predicted=report.time_kind != "measured")
    operators = ", ".join(
        f"{printable(operator.name)} {mean_duration(operator.self_ns, report) or none}"
        for operator in report.unattributed_ops[:_MOST_OPERATORS]
    )
    others = len(report.unattributed_ops) - _MOST_OPERATORS
    more = f" and {others:,} more" if others > 0 else ""
    print_paragraph(
        console,
        f"On no line: {mean_duration(report.unattributed_ns, report)} "
        f"({units.share(report.unattributed_ns, report.device_time_ns)}), "
        f"of which {operators}{more}.",
    )
