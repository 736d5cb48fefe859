"""The collectives with most time, in a line each."""

from __future__ import annotations

from typing import Final

from rich.console import Console

from sidelight.analysis.collectives.report import CollectiveGroup
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.printable import printable
from sidelight.cli.summary_groups import print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest

_MOST: Final = 5


def render_collectives(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print how long the longest collectives take.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    found = summary.collectives
    if found is None:
        return
    is_predicted = found.time_kind != "measured"
    rows = [
        (
            printable(_name(group)),
            units.duration(group.median_ns, predicted=is_predicted),
            _spread(group, is_predicted=is_predicted),
        )
        for group in found.groups[:_MOST]
    ]
    where = " on the host" if found.where == "host" else ""
    print_group(console, f"Collectives{where}, median time", rows)


def _name(group: CollectiveGroup) -> str:
    size = "" if group.size_bytes is None else f" of {units.size(group.size_bytes)}"
    ranks = "" if group.ranks is None else f", {group.ranks} ranks"
    return f"{group.kind}{size}{ranks}"


def _spread(group: CollectiveGroup, *, is_predicted: bool) -> str:
    if group.count == 1:
        return "once"
    shortest, longest = (
        units.duration(each, predicted=is_predicted) for each in (group.min_ns, group.max_ns)
    )
    times = f"{group.count:,} times, {shortest} to {longest}"
    if not group.outliers:
        return times
    return f"{times}, {group.outliers:,} {'outlier' if group.outliers == 1 else 'outliers'}"
