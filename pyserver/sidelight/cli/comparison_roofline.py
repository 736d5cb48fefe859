"""How much faster the lines that changed most could be at their roofs, before and now."""

from __future__ import annotations

from typing import Final

from rich.console import Console

from sidelight.analysis.roofline.change import RooflineChange, RooflinePair
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units

_MOST_LINES: Final = 3


def render_roofline_change(console: Console, change: RooflineChange) -> None:
    """Print it of all of the work and of a few lines on both sides; nothing where one has no roof.

    Args:
        console: Where to; its width is respected.
        change: From base to new.
    """
    if change.base.core is None or change.new.core is None:
        return
    changed = [pair for pair in change.lines if pair.device_ns and pair.device_ns.difference]
    lines = [row for pair in changed if (row := _row(pair))]
    whole = _row(change.whole) if change.whole else None
    rows = [*([whole] if whole else []), *lines[:_MOST_LINES]]
    print_group(console, printable(f"At the roofline of {change.new.core}, faster by"), rows)
    for remark in change.remarks if rows else ():
        print_paragraph(console, printable(remark), "dim")


def _row(pair: RooflinePair) -> Row | None:
    before, now = (_faster(dot) for dot in (pair.base, pair.new))
    if pair.base is None or pair.new is None or not before or not now:
        return None
    was, now_at = pair.base.intensity, pair.new.intensity
    work = f"{_to([units.ratio(was), units.ratio(now_at)])} FLOP/byte" if was and now_at else ""
    bounds = [dot.bound for dot in (pair.base, pair.new) if dot.bound is not None]
    bound = f"{_to(bounds)}-bound" if bounds else ""
    return (
        printable(pair.new.name),
        _to([before, now]),
        ", ".join(text for text in (bound, work) if text),
    )


def _faster(dot: RooflineDot | None) -> str:
    if dot is None or dot.times_faster_at_roof is None:
        return ""
    faster = units.ratio(dot.times_faster_at_roof, predicted=dot.rate_kind == "predicted")
    return f"{faster}x"


def _to(texts: list[str]) -> str:
    """A text of both sides, once where they agree."""
    return " to ".join(dict.fromkeys(texts))
