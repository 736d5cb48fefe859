"""The timeline of a profile: an overview, and any part of it at any resolution."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec
import numpy as np

from sidelight.analysis.headline import headline
from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.timelines.area import AreaSummaries
from sidelight.analysis.timelines.colour_keys import ColourKeys
from sidelight.analysis.timelines.counters import Counters
from sidelight.analysis.timelines.details import EventDetails
from sidelight.analysis.timelines.drawn import Placed
from sidelight.analysis.timelines.drawn_types import (
    MOST_SPANS,
    SPAN_COLUMNS,
    ColourBy,
    CounterWindows,
    TimelineOverview,
    TimelineStep,
    Utilisation,
    Window,
)
from sidelight.analysis.timelines.facts import EventFacts
from sidelight.analysis.timelines.kept import NARROWEST_PX, KeptTimeline, KeptWindow
from sidelight.analysis.timelines.lanes import lane_depths
from sidelight.analysis.timelines.line_executions import LineExecutions
from sidelight.analysis.timelines.links import EventLinks
from sidelight.analysis.timelines.matches import Finder
from sidelight.analysis.timelines.stretches import finest_level
from sidelight.analysis.timelines.told_types import Area, Details, Direction, Find, LineSpan, Match
from sidelight.analysis.timelines.tracks import overview_of_tracks
from sidelight.analysis.timelines.utilisation import GroupsOfTracks
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import category_name, line_name, shown_categories, shown_name
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.tables import Category

MOST_FOUND_SPANS: Final = 4_000
"""The same of a window of what was found, which is drawn over it: a frame has less than 20,000."""

_LITTLE_ENDIAN = {
    "float64": "<f8",
    "int32": "<i4",
    "uint32": "<u4",
    "uint16": "<u2",
    "uint8": "<u1",
}

_LONGEST_NAME = 200
"""Names of spans are cut to this: those of C++ kernels can be pages long."""


class TimelineIndex:
    """What answers a timeline's questions.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        events = profile.events
        track = events["track"].astype(np.int64)
        start_ns = events["start_ns"]
        end_ns = start_ns + events["duration_ns"]
        placed = Placed(track, lane_depths(track, start_ns, end_ns), start_ns, end_ns)
        self._placed = placed
        self._tracks = overview_of_tracks(profile, end_ns, placed.depth)
        self._drawn = placed.drawn()
        self._label = _labels(profile)
        self._category = shown_categories(profile)
        source_lines = SourceLines(profile)
        self._details = EventDetails(profile, source_lines)
        self._executions = LineExecutions(profile, source_lines)

    @cached_property
    def _areas(self) -> AreaSummaries:
        return AreaSummaries(self._profile)

    @cached_property
    def _counters(self) -> Counters:
        return Counters(self._profile)

    @cached_property
    def _groups(self) -> GroupsOfTracks:
        placed = self._placed
        return GroupsOfTracks(placed.track, placed.start_ns, placed.end_ns)

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._placed, self._label, self._name, self._executions.of_line)

    @cached_property
    def _links(self) -> EventLinks:
        return EventLinks(
            self._profile, self._placed, lambda event: self._name(int(self._label[event]))
        )

    @cached_property
    def _facts(self) -> EventFacts:
        return EventFacts(self._profile)

    @cached_property
    def _colour_keys(self) -> ColourKeys:
        return ColourKeys(self._profile)

    def overview(self, manifest: StoredManifest) -> TimelineOverview:
        """What a timeline needs before it asks for windows.

        Args:
            manifest: The profile's, as it is by now: it may have been renamed.
        """
        steps = self._profile.steps
        return TimelineOverview(
            name=manifest.name,
            headline=headline(manifest),
            device=manifest.device,
            time_kind=manifest.time_kind,
            start_ns=min((track.start_ns for track in self._tracks), default=0),
            end_ns=max((track.end_ns for track in self._tracks), default=0),
            tracks=self._tracks,
            counters=self._counters.overview,
            steps=[
                TimelineStep(number, int(start), int(end))
                for number, (start, end) in enumerate(
                    zip(steps["start_ns"], steps["end_ns"], strict=True), 1
                )
            ],
            categories=[category_name(category) for category in Category],
            events=len(self._profile.events),
            quality=manifest.quality,
        )

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
        window = drawn.window(from_ns, to_ns, width, most)
        labels, names = np.unique(self._label[window.event], return_inverse=True)
        key, keys = self._colour_keys.of(window.event, colour_by)
        columns: dict[str, Indexes] = {
            **window.columns,
            "event": window.event,
            "name": names,
            "key": key,
            "category": self._category[window.event],
        }
        return Window(
            from_ns=window.from_ns,
            to_ns=window.to_ns,
            bin_ns=window.bin_ns,
            count=len(window.event),
            names=[self._name(int(label)) for label in labels],
            keys=keys,
            spans=_encoded(columns),
        )

    def kept(self, manifest: StoredManifest) -> KeptTimeline:
        """What a page first asks for, to be kept.

        Args:
            manifest: The profile's.
        """
        overview = self.overview(manifest)
        from_ns, to_ns = overview.start_ns, overview.end_ns + 1
        window = self.window(from_ns, to_ns, MOST_SPANS)
        coarsest = finest_level(from_ns, to_ns, NARROWEST_PX, MOST_SPANS)
        windows: list[KeptWindow] = []
        # Where nothing is merged, there are so few events that they need not be kept.
        if window.bin_ns:
            level = window.bin_ns.bit_length() - 1
            windows.append(KeptWindow(level, window))
            for coarser in range(level + 1, coarsest + 1):
                pixels = (to_ns - from_ns) >> coarser
                windows.append(KeptWindow(coarser, self.window(from_ns, to_ns, pixels)))
        return KeptTimeline(overview, windows)

    def event(self, event: int) -> Details:
        """Everything known about one event.

        Raises:
            UnreadableInputError: ``no_such_event``.
        """
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

    def _name(self, label: int) -> str:
        strings = self._profile.strings
        is_line = label >= len(strings)
        name = (
            line_name(self._profile, label - len(strings))
            if is_line
            else shown_name(strings[label])
        )
        return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _encoded(columns: Mapping[str, Indexes]) -> str:
    content = b"".join(
        columns[name].astype(_LITTLE_ENDIAN[kind]).tobytes() for name, kind in SPAN_COLUMNS
    )
    return base64.b64encode(content).decode("ascii")


def _labels(profile: Profile) -> IntColumn:
    """A number for what stands on each event: its string's, or above those its frame's."""
    events = profile.events
    is_line = (events["category"] == Category.LINE) & (events["frame"] >= 0)
    return np.where(is_line, len(profile.strings) + events["frame"], events["name"])
