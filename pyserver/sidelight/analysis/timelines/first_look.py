"""What is kept of a large timeline, made without an index: in little time, and in little room."""

from __future__ import annotations

from sidelight.analysis.timelines.counters import Counters
from sidelight.analysis.timelines.drawn import DrawnWindow
from sidelight.analysis.timelines.drawn_types import MOST_SPANS
from sidelight.analysis.timelines.encoded import WindowEncoder
from sidelight.analysis.timelines.kept import NARROWEST_PX, KeptTimeline, KeptWindow
from sidelight.analysis.timelines.overview import timeline_overview
from sidelight.analysis.timelines.rows import TimelineRows
from sidelight.analysis.timelines.stretches import finest_level, stretch
from sidelight.analysis.timelines.whole_spans import WholeSpans, whole_spans
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import StoredManifest


def first_look(profile: Profile, manifest: StoredManifest) -> KeptTimeline:
    """What a page first asks for: what an index would answer, to be kept.

    Args:
        profile: An attributed profile.
        manifest: As it is stored.
    """
    rows = TimelineRows(profile)
    overview = timeline_overview(
        profile,
        manifest,
        rows.tracks(),
        Counters(profile).overview,
    )
    from_ns, to_ns = stretch(overview.start_ns, overview.end_ns + 1)
    finest = finest_level(from_ns, to_ns, MOST_SPANS, MOST_SPANS)
    spans, level = whole_spans(rows.placed, finest=finest, most=MOST_SPANS)
    windows: list[KeptWindow] = []
    # Where nothing is merged, there are so few events that they need not be kept.
    if (spans.merged > 1).any():
        encoder = WindowEncoder(profile, rows.regions)
        coarsest = finest_level(from_ns, to_ns, NARROWEST_PX, MOST_SPANS)
        for kept_level in range(level, max(level, coarsest) + 1):
            drawn = _drawn(spans.at(kept_level), from_ns, to_ns, 1 << kept_level)
            windows.append(KeptWindow(kept_level, encoder.window(drawn, "category")))
    return KeptTimeline(overview, windows)


def _drawn(spans: WholeSpans, from_ns: int, to_ns: int, bin_ns: int) -> DrawnWindow:
    return DrawnWindow(
        from_ns,
        to_ns,
        bin_ns,
        spans.event,
        {
            "start_ns": spans.start_ns,
            "duration_ns": spans.end_ns - spans.start_ns,
            "busy_ns": spans.busy_ns,
            "merged": spans.merged,
            "track": spans.track,
            "depth": spans.depth,
        },
    )
