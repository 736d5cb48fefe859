"""The lines with most device time."""

from __future__ import annotations

from rich.console import Console

from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.places import short_places
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest


def render_lines(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print the lines with most device time, in the mean step.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    found = summary.headline
    if found is None:
        return
    places = short_places([(line.file, line.line) for line in found.lines])
    rows: list[Row] = []
    for place, line in zip(places, found.lines, strict=True):
        is_predicted = line.time_kind == "predicted"
        time = units.duration(line.self_ns / max(found.steps, 1), predicted=is_predicted)
        about = "≈" if is_predicted else ""
        share = f"{about}{units.share(line.self_ns, found.device_time_ns)}"
        is_exact = line.attribution == "exact"
        rows.append((place, time, share if is_exact else f"{share}, {line.attribution}"))
    print_group(console, "Lines with most device time, a step", rows)
