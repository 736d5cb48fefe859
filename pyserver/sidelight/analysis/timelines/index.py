"""The timeline of a profile: an overview, and any part of it at any resolution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import msgspec

from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.timelines.area import AreaSummaries
from sidelight.analysis.timelines.counters import Counters
from sidelight.analysis.timelines.details import EventDetails
from sidelight.analysis.timelines.drawn_types import (
    MOST_SPANS,
    ColourBy,
    CounterWindows,
    TimelineOverview,
    Utilisation,
    Window,
)
from sidelight.analysis.timelines.encoded import WindowEncoder
from sidelight.analysis.timelines.facts import EventFacts
from sidelight.analysis.timelines.line_executions import LineExecutions
from sidelight.analysis.timelines.links import EventLinks
from sidelight.analysis.timelines.matches import Finder
from sidelight.analysis.timelines.overview import timeline_overview
from sidelight.analysis.timelines.region_details import RegionDetails
from sidelight.analysis.timelines.rows import TimelineRows
from sidelight.analysis.timelines.stretches import stretch
from sidelight.analysis.timelines.told_types import (
    Area,
    AreaTrack,
    Details,
    Direction,
    Find,
    LineSpan,
    Match,
)
from sidelight.analysis.timelines.utilisation import GroupsOfTracks
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import StoredManifest

MOST_FOUND_SPANS: Final = 4_000
"""Spans of a window of what was found, which is drawn over that of all (``MOST_SPANS``): together
they are fewer than the 20,000 that a frame may have."""


class TimelineIndex:
    """What answers a timeline's questions.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        rows = TimelineRows(profile)
        self._rows = rows
        self._tracks = rows.tracks()
        self._drawn = rows.placed.drawn()
        self._encoder = WindowEncoder(profile, rows.regions)
        source_lines = SourceLines(profile)
        self._details = EventDetails(profile, source_lines)
        self._of_regions = RegionDetails(profile, rows.regions, source_lines)
        self._executions = LineExecutions(profile, source_lines)

    @cached_property
    def _areas(self) -> AreaSummaries:
        return AreaSummaries(self._profile)

    @cached_property
    def _counters(self) -> Counters:
        return Counters(self._profile)

    @cached_property
    def _groups(self) -> GroupsOfTracks:
        placed = self._rows.of_events
        return GroupsOfTracks(placed.track, placed.start_ns, placed.end_ns)

    @cached_property
    def _finder(self) -> Finder:
        encoder = self._encoder
        return Finder(self._rows.placed, encoder.label, encoder.name, self._executions.of_line)

    @cached_property
    def _links(self) -> EventLinks:
        encoder = self._encoder
        return EventLinks(
            self._profile,
            self._rows.of_events,
            lambda event: encoder.name(int(encoder.label[event])),
        )

    @cached_property
    def _facts(self) -> EventFacts:
        return EventFacts(self._profile)

    def overview(self, manifest: StoredManifest) -> TimelineOverview:
        """What a timeline needs before it asks for windows.

        Args:
            manifest: The profile's, as it is by now: it may have been renamed.
        """
        return timeline_overview(self._profile, manifest, self._tracks, self._counters.overview)

    def window(
        self,
        from_ns: int,
        to_ns: int,
        width: int,
        find: Find | None = None,
        colour_by: ColourBy = "category",
    ) -> Window:
        """What lies in, or reaches into, a part of the timeline.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            width: In how many pixels it is drawn. Events narrower than one are merged, and wider
                ones too where there would be more than ``MOST_SPANS``.
            find: What to show alone, to be drawn over the rest; None shows everything.
            colour_by: What ``key`` tells of each span.
        """
        drawn = self._drawn if find is None else self._finder.matches(find).drawn
        most = MOST_SPANS if find is None else MOST_FOUND_SPANS
        return self._encoder.window(drawn.window(from_ns, to_ns, width, most), colour_by)

    def event(self, event: int) -> Details:
        """Everything known about one event.

        Raises:
            UnreadableInputError: ``no_such_event``.
        """
        region = self._rows.region(event)
        if region is not None:
            track = int(self._rows.placed.track[event])
            return self._of_regions.of(region, event=event, track=track)
        details = self._details.of(event)
        causes, effects = self._links.causes(event), self._links.effects(event)
        return msgspec.structs.replace(
            details,
            causes=causes,
            effects=effects,
            chain=self._links.chain(causes, effects),
            facts=self._facts.of(event),
        )

    def area(self, from_ns: int, to_ns: int, tracks: Sequence[int]) -> Area:
        """What lies in an area, summed up.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            tracks: Its tracks, by number; none means all.
        """
        return self._areas.of(from_ns, to_ns, tracks)

    def regions(self, track: int, from_ns: int, to_ns: int) -> AreaTrack:
        """How many regions of a track of regions touch a stretch, and how long any lasts in it.

        Args:
            track: The track, by number.
            from_ns: Start of the stretch.
            to_ns: Its end.
        """
        return self._rows.regions_within(track, *stretch(from_ns, to_ns))

    def match(
        self, find: Find, event: int | None, at_ns: int, direction: Direction
    ) -> Match | None:
        """The event with a text, or of a line, that comes before or after a place.

        Args:
            find: What is looked for.
            event: The place, if it is one of those found.
            at_ns: The place, if it is not.
            direction: Which way to go.

        Returns:
            None where nothing is found.
        """
        return self._finder.matches(find).step(event, at_ns, direction)

    def utilisation(
        self, from_ns: int, to_ns: int, width: int, groups: Sequence[Sequence[int]]
    ) -> Utilisation:
        """How busy groups of tracks are, pixel by pixel.

        Args:
            from_ns: Start of a stretch of time.
            to_ns: Its end.
            width: In how many pixels it is drawn.
            groups: The tracks of each, by number.
        """
        return self._groups.utilisation(from_ns, to_ns, width, groups)

    def counters(self, from_ns: int, to_ns: int, width: int) -> CounterWindows:
        """Quantities over time, pixel by pixel.

        Args:
            from_ns: Start of a stretch of time.
            to_ns: Its end.
            width: In how many pixels it is drawn.
        """
        return self._counters.windows(from_ns, to_ns, width)

    def line(self, file: str, line: int) -> LineSpan | None:
        """Where a line's device time lies.

        Args:
            file: As the profile has it.
            line: 1-based.

        Returns:
            None if it has none.
        """
        return self._executions.find(file, line)
