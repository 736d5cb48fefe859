"""What a timeline needs to know of a profile before it asks for windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sidelight.analysis.headline import headline
from sidelight.analysis.timelines.drawn_types import (
    TimelineCounter,
    TimelineOverview,
    TimelineStep,
    TimelineTrack,
)
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import category_name
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.tables import Category

REGION_CATEGORY: Final = len(Category)
"""The category of regions of modules, behind those of events."""

REGION_NAME: Final = "module"
"""What people call it."""


def timeline_overview(
    profile: Profile,
    manifest: StoredManifest,
    tracks: list[TimelineTrack],
    counters: Sequence[TimelineCounter],
) -> TimelineOverview:
    """What a timeline needs before it asks for windows.

    Args:
        profile: An attributed profile.
        manifest: The profile's, as it is by now: it may have been renamed.
        tracks: Its tracks, in the order to draw them.
        counters: Its quantities over time.
    """
    steps = profile.steps
    return TimelineOverview(
        name=manifest.name,
        headline=headline(manifest),
        device=manifest.device,
        time_kind=manifest.time_kind,
        start_ns=min((track.start_ns for track in tracks), default=0),
        end_ns=max((track.end_ns for track in tracks), default=0),
        tracks=tracks,
        counters=list(counters),
        steps=[
            TimelineStep(number, int(start), int(end))
            for number, (start, end) in enumerate(
                zip(steps["start_ns"], steps["end_ns"], strict=True), 1
            )
        ],
        categories=[*map(category_name, Category), REGION_NAME],
        events=len(profile.events),
        quality=manifest.quality,
    )
