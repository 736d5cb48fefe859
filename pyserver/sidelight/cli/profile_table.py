"""The list of stored profiles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.text import display_path, fit, left, right
from sidelight.profile import units
from sidelight.profile.store import StoredProfile
from sidelight.profile.stored_manifest import StoredManifest

_GAP = "  "
_NARROWEST_NAME = 8


def render_profile_table(console: Console, profiles: Sequence[StoredProfile], store: Path) -> None:
    """Print stored profiles, in the order given, and what they hold together.

    Args:
        console: Where to; its width is respected.
        profiles: The profiles.
        store: The store's directory.
    """
    where = display_path(str(store))
    if not profiles:
        print_paragraph(
            console, f"No profiles in {where} yet. Make one: sidelight profile train.py"
        )
        return
    sizes = [profile.size_bytes() for profile in profiles]
    rows = [("name", "created", "time a step", "id", "device", "size")]
    rows += [_cells(*both) for both in zip(profiles, sizes, strict=True)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    # What does not fit is left out from the right; the name gives way last.
    while len(widths) > 2 and _total(widths) > console.width - max(0, _NARROWEST_NAME - widths[0]):
        if _total(widths) - widths[0] + _NARROWEST_NAME <= console.width:
            break
        widths.pop()
    widths[0] = max(min(widths[0], console.width - (_total(widths) - widths[0])), 1)
    for number, row in enumerate(rows):
        cells = [fit(cell, width) for cell, width in zip(row, widths, strict=False)]
        aligned = [
            right(cell, width) if column in (2, 5) else left(cell, width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        text = Text(_GAP.join(aligned).rstrip(), "" if number else "dim")
        console.print(text, soft_wrap=True)
    count = "1 profile" if len(profiles) == 1 else f"{len(profiles):,} profiles"
    console.print(Text(f"{count}, {units.size(sum(sizes))} in {where}", "dim"), soft_wrap=True)


def _cells(profile: StoredProfile, size_bytes: int) -> tuple[str, str, str, str, str, str]:
    manifest = profile.manifest
    name = manifest.name if manifest.rank is None else f"{manifest.name}#{manifest.rank}"
    created = datetime.fromisoformat(manifest.created.replace("Z", "+00:00")).astimezone()
    return (
        printable(name),
        f"{created:%Y-%m-%d %H:%M}",
        _step_time(manifest),
        profile.id,
        printable(manifest.device),
        units.size(size_bytes),
    )


def _step_time(manifest: StoredManifest) -> str:
    """Device time of a step; empty where it is not known."""
    time_ns = manifest.device_time_ns
    if not time_ns:
        return "" if time_ns is None else "none"
    predicted = manifest.time_kind != "measured"
    return units.duration(time_ns / max(manifest.steps, 1), predicted=predicted)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)
