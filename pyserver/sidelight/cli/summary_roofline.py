"""Where a profile lies under its roofline, in a few lines."""

from __future__ import annotations

from typing import Final

from rich.console import Console

from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.printable import printable
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest

_MOST_LINES: Final = 3


def render_roofline(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print how many times as fast the whole and its longest lines could be, at most.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    chart = summary.roofline
    if chart is None:
        return
    lines = [dot for dot in chart.lines.dots if dot.file is not None][:_MOST_LINES]
    dots = [chart.whole, *lines] if chart.whole else lines
    rows = [_row(dot) for dot in dots if dot.times_faster_at_roof is not None]
    core = f" of {chart.roofs.core}" if chart.roofs else ""
    print_group(console, printable(f"How many times as fast at the roof{core}"), rows)


def _row(dot: RooflineDot) -> Row:
    is_predicted = dot.rate_kind == "predicted"
    faster = units.ratio(dot.times_faster_at_roof or 0, predicted=is_predicted)
    work = [f"{dot.bound}-bound"] if dot.bound else []
    if dot.intensity is not None and dot.ridge_point is not None:
        ridge = units.ratio(dot.ridge_point)
        work.append(f"{units.ratio(dot.intensity)} FLOP/byte, ridge point at {ridge}")
    return printable(dot.name), f"{faster}x", ", ".join(work)
