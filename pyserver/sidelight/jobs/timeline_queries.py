"""The timeline of one stored profile, answered by a process that holds its tables."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.analysis.timelines.drawn_types import (
    MOST_SPANS,
    ColourBy,
    CounterWindows,
    TimelineOverview,
    Utilisation,
    Window,
)
from sidelight.analysis.timelines.kept import KeptTimeline
from sidelight.analysis.timelines.told_types import Area, Details, Direction, Find, LineSpan, Match
from sidelight.jobs.first_look import keep_first_look, kept_first_look
from sidelight.jobs.queries import Queries
from sidelight.profile.stored_profile import StoredProfile

if TYPE_CHECKING:
    from sidelight.analysis.timelines.index import TimelineIndex
    from sidelight.profile.model import Profile


class _Answers:
    """The questions, in the child."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @cached_property
    def _profile(self) -> Profile:
        return StoredProfile(self._directory).load()

    @cached_property
    def _index(self) -> TimelineIndex:
        from sidelight.analysis.timelines.index import TimelineIndex

        return TimelineIndex(self._profile)

    @cached_property
    def _kept(self) -> KeptTimeline | None:
        stored = StoredProfile(self._directory)
        return kept_first_look(stored) or keep_first_look(stored, self._profile)

    def timeline(self) -> TimelineOverview:
        manifest = StoredProfile(self._directory).manifest
        return self._kept.overview_of(manifest) if self._kept else self._index.overview(manifest)

    def window(
        self, from_ns: int, to_ns: int, width: int, find: Find | None, colour_by: ColourBy
    ) -> Window:
        if self._kept and find is None and colour_by == "category":
            kept = self._kept.window(from_ns, to_ns, width, MOST_SPANS)
            if kept:
                return kept
        return self._index.window(from_ns, to_ns, width, find, colour_by)

    def area(self, from_ns: int, to_ns: int, tracks: list[int]) -> Area:
        return self._index.area(from_ns, to_ns, tracks)

    def match(
        self, find: Find, event: int | None, at_ns: int, direction: Direction
    ) -> Match | None:
        return self._index.match(find, event, at_ns, direction)

    def utilisation(
        self, from_ns: int, to_ns: int, width: int, groups: list[list[int]]
    ) -> Utilisation:
        return self._index.utilisation(from_ns, to_ns, width, groups)

    def counters(self, from_ns: int, to_ns: int, width: int) -> CounterWindows:
        return self._index.counters(from_ns, to_ns, width)

    def event(self, event: int) -> Details:
        return self._index.event(event)

    def line(self, file: str, line: int) -> LineSpan | None:
        return self._index.line(file, line)


class TimelineQueries(Queries):
    """Asks what is in a profile's timeline."""

    answers = _Answers
    doing = "reading the timeline of"

    def timeline(self) -> TimelineOverview:
        """What a timeline needs before it asks for windows."""
        return self._ask("timeline")

    def window(
        self,
        from_ns: int,
        to_ns: int,
        width: int,
        find: Find | None = None,
        colour_by: ColourBy = "category",
    ) -> Window:
        """What lies in, or reaches into, a part of the timeline, as drawn in ``width`` pixels.

        ``find`` shows what it finds alone; ``colour_by`` is what the spans' ``key`` tells.
        """
        return self._ask("window", from_ns, to_ns, width, find, colour_by)

    def event(self, event: int) -> Details:
        """Everything known about one event.

        Raises:
            UnreadableInputError: ``no_such_event``, beside what all methods raise.
        """
        return self._ask("event", event)

    def line(self, file: str, line: int) -> LineSpan | None:
        """Where a line's device time lies; None if it has none."""
        return self._ask("line", file, line)

    def area(
        self,
        from_ns: int,
        to_ns: int,
        tracks: list[int],
    ) -> Area:
        """What lies in a stretch of time on some tracks, summed up; of no tracks, on all."""
        return self._ask("area", from_ns, to_ns, tracks)

    def match(
        self,
        find: Find,
        event: int | None,
        at_ns: int,
        direction: Direction,
    ) -> Match | None:
        """The event found before or after another, or a time; None where nothing is found."""
        return self._ask("match", find, event, at_ns, direction)

    def utilisation(
        self,
        from_ns: int,
        to_ns: int,
        width: int,
        groups: list[list[int]],
    ) -> Utilisation:
        """How busy groups of tracks are, pixel by pixel."""
        return self._ask("utilisation", from_ns, to_ns, width, groups)

    def counters(self, from_ns: int, to_ns: int, width: int) -> CounterWindows:
        """Quantities over time, pixel by pixel."""
        return self._ask("counters", from_ns, to_ns, width)
