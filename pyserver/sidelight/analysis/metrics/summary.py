"""The headline figures of a profile, each from the best source there is."""

from __future__ import annotations

import math
from typing import Final

from sidelight.analysis.lines import line_report
from sidelight.analysis.metrics.figures import NAMES, Figures, Metric, Source, Summary
from sidelight.analysis.metrics.predicted import predicted_figures
from sidelight.analysis.metrics.rows import figures_of_rows
from sidelight.analysis.report import LineReport
from sidelight.profile.model import Profile

_VENDOR_FIRST: Final = frozenset(
    {
        "hbm_read_bytes",
        "hbm_write_bytes",
        "mbu_estimated_percent",
        "mm_arithmetic_intensity",
    }
)
"""What only a few rows speak of, none of them a transfer: where the file has a sum, it counts."""

_REPORTED: Final = (
    "device_time_ns",
    "device_busy_ns",
    "span_ns",
    "recorded_ns",
    "attributed_ns",
    "unattributed_ns",
)
"""What the per-line report says of the whole."""


def summarize(profile: Profile, report: LineReport | None = None) -> Summary:
    """Work out a profile's headline figures.

    Args:
        profile: An attributed profile.
        report: Its per-line report, where that is at hand.
    """
    rows, vendor = figures_of_rows(profile), profile.manifest.vendor_metrics
    predicted = predicted_figures(profile)
    names = (*NAMES, *(name for name in (*rows, *vendor, *predicted) if name not in NAMES))
    metrics = {name: _best(name, rows, vendor, predicted) for name in dict.fromkeys(names)}
    metrics.update(_of_report(profile, report))
    return Summary(
        metrics=metrics,
        kpis={
            f"{kpi.part}.{kpi.name}" if kpi.part else kpi.name: _finite(kpi.value)
            for kpi in profile.manifest.kpis
        },
        quality=profile.manifest.quality,
    )


def _best(name: str, rows: Figures, vendor: Figures, predicted: Figures) -> Metric:
    sources: list[tuple[Source, Figures]] = [
        ("rows", rows),
        ("vendor", vendor),
        ("predicted", predicted),
    ]
    if name in _VENDOR_FIRST:
        sources.insert(0, ("vendor", vendor))
    for source, figures in sources:
        value = _finite(figures.get(name))
        if value is not None:
            return Metric(value, source)
    return Metric(None, "rows")


def _finite(value: float | None) -> float | None:
    """A value that documents can hold."""
    return value if value is not None and math.isfinite(value) else None


def _of_report(profile: Profile, report: LineReport | None) -> dict[str, Metric]:
    if not len(profile.events):  # a report of figures: its times are not known, rather than none
        return {name: Metric(None, "rows") for name in _REPORTED}
    report = report or line_report(profile, "")
    source: Source = "predicted" if report.time_kind == "predicted" else "rows"
    found = {name: Metric(getattr(report, name), source) for name in _REPORTED}
    if report.predicted_ns is not None:
        found["predicted_ns"] = Metric(report.predicted_ns, "predicted")
    return found
