"""Whether the figures that a file brings along are those of its own rows."""

from __future__ import annotations

from typing import Final

from sidelight.analysis.metrics.figures import ENGINES, Figures
from sidelight.profile.quality import QualityNote

VENDOR_FIGURE_DIFFERS: Final = "vendor_figure_differs"

_EXACT: Final = (0.0, 0.0)
_RATIO: Final = (1e-4, 0.0)
_ACTIVE_NS: Final = 10.0
_TIME: Final = (5e-3, _ACTIVE_NS * 1e-9)

_TOLERANCES: Final = {
    "hardware_flops": _EXACT,
    "transpose_flops": _EXACT,
    "hbm_read_bytes": _EXACT,
    "hbm_write_bytes": _EXACT,
    "total_time": (0.0, 1e-9),
    "hfu_estimated_percent": _RATIO,
    "mfu_inst_estimated_percent": _RATIO,
    "mfu_estimated_percent": _RATIO,
    "mbu_estimated_percent": _RATIO,
    "mm_arithmetic_intensity": _RATIO,
    "peak_flops_bandwidth_ratio": _RATIO,
    **{
        f"{name}_active_time": _TIME
        for name in (*(f"{engine}_engine" for engine in ENGINES), "dma", "cc_op", "total")
    },
}
"""How far two ways to the same figure may lie apart: relative, and absolute in its unit. Files hold
whole nanoseconds where the tool reckoned with fractions of them."""

_MOST_NAMED: Final = 6


def notes_on_figures(of_vendor: Figures, of_rows: Figures) -> list[QualityNote]:
    """A note on the figures of a file's summary that its rows contradict, if there are any.

    Args:
        of_vendor: The file's summary.
        of_rows: What its rows give.
    """
    found: list[str] = []
    total_time = of_rows.get("total_time")
    for name, (relative, absolute) in _with_parts(total_time).items():
        ours, theirs = of_rows.get(name), of_vendor.get(name)
        if ours is None or theirs is None:
            continue
        if not abs(ours - theirs) <= max(relative * abs(ours), absolute):
            found.append(f"{name} is {theirs:.9g} there and {ours:.9g} by the rows")
    if not found:
        return []
    more = f", and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return [
        QualityNote(
            VENDOR_FIGURE_DIFFERS,
            "warning",
            f"The file's own summary does not fit its rows: {'; '.join(found[:_MOST_NAMED])}{more}."
            " Figures shown as the vendor's may be wrong too. Process the NTFF again.",
            len(found),
        )
    ]


def _with_parts(total_time: float | None) -> dict[str, tuple[float, float]]:
    """The tolerances, with those of active times as parts of the whole."""
    tolerances = dict(_TOLERANCES)
    if total_time:
        for name, (relative, absolute) in _TOLERANCES.items():
            if name.endswith("_active_time"):
                tolerances[f"{name}_percent"] = (relative, absolute / total_time)
    return tolerances
