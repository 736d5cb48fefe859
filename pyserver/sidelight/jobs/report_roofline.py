"""What a profile's report says of its roofline."""

from __future__ import annotations

from collections.abc import Iterator

from sidelight.analysis.roofline.chart import RooflineChart, RooflineLevel
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.export.html.document import (
    Block,
    Column,
    ComputeRoof,
    Dot,
    MemoryRoof,
    RooflineChart as Drawing,
    Table,
)
from sidelight.profile import units

_MOST_ROWS = 500

_MEMORY = "HBM"
"""What the bytes of an intensity are moved from and to."""


def roofline_blocks(chart: RooflineChart | None) -> Iterator[Block]:
    """Lines, or else operators, under their roofs, and how much faster each could be there.

    Args:
        chart: The profile's; None where no work is known.
    """
    if chart is None:
        return
    level, what = _level(chart)
    dots = [dot for dot in level.dots if _is_on_chart(dot)]
    if dots:
        yield Drawing(
            f"{what} under the roofline{f' of {chart.roofs.core}' if chart.roofs else ''}: a dot's "
            "area is its device time; hollow dots are predicted.",
            _compute_roofs(chart),
            [
                MemoryRoof(roof.memory, roof.bytes_per_s)
                for roof in (chart.roofs.memory if chart.roofs else [])
                if roof.memory == _MEMORY
            ],
            [
                Dot(
                    _dot_label(dot),
                    dot.intensity or 0,
                    dot.achieved_flops_per_s or 0,
                    dot.device_ns / max(chart.device_ns, 1),
                    dot.rate_kind != "measured",
                )
                for dot in dots
            ],
        )
    rows = [_faster(dot) for dot in level.dots if dot.times_faster_at_roof is not None]
    if rows:
        yield Table(
            "How many times as fast at the roof",
            [Column("what"), Column("faster", is_number=True), Column("bound by")],
            rows[:_MOST_ROWS],
        )


def _compute_roofs(chart: RooflineChart) -> list[ComputeRoof]:
    """Peaks, those of dtypes with the same one together."""
    dtypes: dict[float, list[str]] = {}
    for roof in chart.roofs.compute if chart.roofs else []:
        dtypes.setdefault(roof.flops_per_s, []).append(roof.dtype)
    return [ComputeRoof(", ".join(names), rate) for rate, names in dtypes.items()]


def _level(chart: RooflineChart) -> tuple[RooflineLevel, str]:
    """Lines where any is under the roof, else operators."""
    lines = any(_is_on_chart(dot) for dot in chart.lines.dots)
    return (chart.lines, "Lines") if lines else (chart.operators, "Operators")


def _is_on_chart(dot: RooflineDot) -> bool:
    return bool(dot.intensity and dot.achieved_flops_per_s)


def _dot_label(dot: RooflineDot) -> str:
    is_predicted = dot.rate_kind != "measured"
    rate = units.flops(round(dot.achieved_flops_per_s or 0))
    return (
        f"{dot.name}: {units.ratio(dot.intensity or 0)} FLOP/byte, "
        f"{'≈' if is_predicted else ''}{rate}/s"
    )


def _faster(dot: RooflineDot) -> list[str]:
    is_predicted = dot.rate_kind != "measured"
    faster = units.ratio(dot.times_faster_at_roof or 0, predicted=is_predicted)
    return [dot.name, f"{faster}×", dot.bound or ""]
