"""What the device's memory held at its peak."""

from __future__ import annotations

from typing import Final

from rich.console import Console

from sidelight.analysis.memory.use import MemoryPeak
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.places import short_places
from sidelight.cli.printable import printable
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest

_MOST_PARTS: Final = 5

_SOURCES: Final = {
    "samples": "as it was sampled",
    "tensors": "the sizes of the program's tensors",
    "program": "as the profile says of its program",
}


def render_memory(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print how much the device's memory held, and what for.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    peak = summary.memory.device if summary.memory else None
    if peak is None:
        return
    about = "≈" if peak.kind == "predicted" else ""
    rows: list[Row] = [("at its peak", about + units.size(peak.peak_bytes), _where(peak))]
    if peak.capacity_bytes is not None:
        share = f"{about}{units.share(peak.peak_bytes, peak.capacity_bytes)} of it"
        if peak.peak_bytes > peak.capacity_bytes:
            share = "less than the peak"
        rows.append(
            ("capacity", units.size(peak.capacity_bytes), f"{share}; {peak.capacity_source}")
        )
    else:
        rows.append(("capacity", "not known", peak.capacity_source))
    rows += [
        (printable(part.name), about + units.size(part.size_bytes), "")
        for part in peak.parts[:_MOST_PARTS]
        if part.size_bytes
    ]
    print_group(console, "Device memory", rows)


def _where(peak: MemoryPeak) -> str:
    """How it is known, and where the program was."""
    source, moment = _SOURCES[peak.source], peak.moment
    if moment is None or moment.file is None or moment.line is None:
        return source
    (place,) = short_places([(moment.file, moment.line)])
    return f"{source}, at {place}"
