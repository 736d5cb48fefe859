"""All that is said of a whole profile, section by section."""

from __future__ import annotations

from sidelight.analysis.collectives.report import Collectives, collectives_of
from sidelight.analysis.flame.folds import FlameGraphs, flame_graphs
from sidelight.analysis.idle.causes import IdleTime
from sidelight.analysis.idle.report import idle_time
from sidelight.analysis.kpis.performance import Performance, performance_of
from sidelight.analysis.lines import line_report
from sidelight.analysis.memory.use import MemoryUse, memory_use
from sidelight.analysis.metrics.figures import Summary
from sidelight.analysis.metrics.summary import summarize
from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.roofline.chart import RooflineChart, roofline_chart
from sidelight.analysis.splits.core_use import CoreUse, core_use
from sidelight.analysis.step_time.breakdown import StepTime, step_time
from sidelight.analysis.step_time.headline import Headline, headline_of
from sidelight.analysis.tables.every import Tables, tables_of
from sidelight.profile.model import Profile


class Overview(Summary, frozen=True, kw_only=True):
    """What is said of a profile as a whole.

    Attributes:
        headline: What matters most; None where no event was recorded.
        step_time: What the steps' time went to; None where they took none.
        idle: Why the device had nothing to do; None where no device time is known.
        collectives: How long collectives take; None where there are none.
        memory: What memory held; None where nothing is known of it.
        performance: What steps and tokens take, and what the key figures mean.
        core: What the core's arithmetic, bandwidth, engines and DMA were used for.
        roofline: Where operators, lines and modules lie; None where no work is known.
        flame: Device time by who caused it.
    """

    headline: Headline | None
    step_time: StepTime | None
    idle: IdleTime | None
    collectives: Collectives | None
    memory: MemoryUse | None
    performance: Performance
    core: CoreUse
    roofline: RooflineChart | None
    flame: FlameGraphs


class ProfileSummary(Overview, frozen=True, kw_only=True):
    """What ``sidelight summary --json`` prints.

    Attributes:
        tables: Operators, lines, modules, kernels and tensors.
    """

    tables: Tables


def profile_summary(profile: Profile) -> ProfileSummary:
    """Work out a profile's summary.

    Args:
        profile: An attributed profile.
    """
    report, modules = line_report(profile, ""), Modules(profile)
    figures, roofline = summarize(profile, report), roofline_chart(profile, modules)
    time, idle = step_time(profile), idle_time(profile)
    return ProfileSummary(
        metrics=figures.metrics,
        kpis=figures.kpis,
        quality=figures.quality,
        headline=headline_of(report, time, idle) if len(profile.events) else None,
        step_time=time,
        idle=idle,
        collectives=collectives_of(profile),
        memory=memory_use(profile),
        performance=performance_of(profile, figures.metrics),
        core=core_use(profile, figures.metrics),
        roofline=roofline,
        flame=flame_graphs(profile, modules),
        tables=tables_of(profile, roofline, report, modules),
    )


def overview_of(summary: ProfileSummary) -> Overview:
    """A summary without its tables, which may be long."""
    return Overview(**{name: getattr(summary, name) for name in Overview.__struct_fields__})
