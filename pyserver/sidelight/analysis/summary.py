"""All that is said of a whole profile, section by section."""

from __future__ import annotations

from sidelight.analysis.flame.folds import FlameGraphs, flame_graphs
from sidelight.analysis.metrics.figures import Summary
from sidelight.analysis.metrics.summary import summarize
from sidelight.analysis.roofline.chart import RooflineChart, roofline_chart
from sidelight.profile.model import Profile


class ProfileSummary(Summary, frozen=True, kw_only=True):
    """What ``sidelight summary`` prints, and the panel draws.

    Attributes:
        roofline: Where operators, lines and modules lie; None where no work is known.
        flame: Device time by who caused it.
    """

    roofline: RooflineChart | None
    flame: FlameGraphs


def profile_summary(profile: Profile) -> ProfileSummary:
    """Work out a profile's summary.

    Args:
        profile: An attributed profile.
    """
    figures = summarize(profile)
    return ProfileSummary(
        metrics=figures.metrics,
        kpis=figures.kpis,
        quality=figures.quality,
        roofline=roofline_chart(profile),
        flame=flame_graphs(profile),
    )
