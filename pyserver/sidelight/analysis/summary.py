"""All that is said of a whole profile, section by section."""

from __future__ import annotations

from sidelight.analysis.flame.folds import FlameGraphs, flame_graphs
from sidelight.analysis.kpis.performance import Performance, performance_of
from sidelight.analysis.metrics.figures import Summary
from sidelight.analysis.metrics.summary import summarize
from sidelight.analysis.roofline.chart import RooflineChart, roofline_chart
from sidelight.analysis.tables.every import Tables, tables_of
from sidelight.profile.model import Profile


class ProfileSummary(Summary, frozen=True, kw_only=True):
    """What ``sidelight summary`` prints, and the panel draws.

    Attributes:
        performance: What steps and tokens take, and what the key figures mean.
        roofline: Where operators, lines and modules lie; None where no work is known.
        flame: Device time by who caused it.
        tables: Operators, lines, modules, kernels and tensors.
    """

    performance: Performance
    roofline: RooflineChart | None
    flame: FlameGraphs
    tables: Tables


def profile_summary(profile: Profile) -> ProfileSummary:
    """Work out a profile's summary.

    Args:
        profile: An attributed profile.
    """
    figures, roofline = summarize(profile), roofline_chart(profile)
    return ProfileSummary(
        metrics=figures.metrics,
        kpis=figures.kpis,
        quality=figures.quality,
        performance=performance_of(profile, figures.metrics),
        roofline=roofline,
        flame=flame_graphs(profile),
        tables=tables_of(profile, roofline),
    )
