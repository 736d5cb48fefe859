"""Everything known about one region of the timeline."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.steps import step_of
from sidelight.analysis.timelines.overview import REGION_NAME
from sidelight.analysis.timelines.regions import Regions
from sidelight.analysis.timelines.told_types import Details, Fact, TimelinePlace
from sidelight.profile import units
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


class RegionDetails:
    """Answers what is known about regions.

    Args:
        profile: An attributed profile.
        regions: Its regions.
        source_lines: Its lines.
    """

    def __init__(self, profile: Profile, regions: Regions, source_lines: SourceLines) -> None:
        self._profile = profile
        self._regions = regions
        self._source_lines = source_lines

    def of(self, region: int, *, event: int, track: int) -> Details:
        """Everything known about one region.

        Args:
            region: Its number among the regions.
            event: The number that it is drawn by.
            track: The number of the track that it is drawn on.
        """
        regions = self._regions
        start_ns = int(regions.start_ns[region])
        duration_ns = int(regions.end_ns[region]) - start_ns
        step = int(step_of(self._profile.steps, regions.start_ns[region : region + 1])[0])
        rows = int(regions.rows[region])
        device_ns = int(regions.device_ns[region]) if rows else None
        places = [TimelinePlace(*place) for place in self._chain(int(regions.call[region]))]
        return Details(
            event=event,
            name=regions.name(region),
            category=REGION_NAME,
            track=track,
            start_ns=start_ns,
            duration_ns=duration_ns,
            duration_text=self._duration(duration_ns),
            start_text=self._duration(start_ns),
            device_time_ns=device_ns,
            device_time_text=None if device_ns is None else self._duration(device_ns),
            backward=bool(regions.backward[region]),
            step=step + 1 if step >= 0 else None,
            places=places,
            owners=min(len(places), 1),
            unattributed_time_text=None,
            shapes=[],
            facts=self._facts(region, rows),
        )

    def _facts(self, region: int, rows: int) -> list[Fact]:
        calls, call = self._regions.calls, int(self._regions.call[region])
        path: list[str] = []
        while call >= 0:
            path.append(calls.names[call])
            call = int(calls.caller[call])
        facts = [Fact("Called in", " / ".join(path[:0:-1]))] if len(path) > 1 else []
        if rows:
            facts.append(Fact("Rows of device time", f"{rows:,}"))
        return facts

    def _chain(self, call: int) -> list[tuple[str, int]]:
        """The lines that called it, innermost first."""
        profile, calls = self._profile, self._regions.calls
        if calls.event[call] >= 0:
            stack = int(profile.events["stack"][calls.event[call]])
        else:
            line = self._line_around(call)
            stack = int(profile.events["stack"][line]) if line >= 0 else -1
        return self._source_lines.chain(stack)

    def _line_around(self, call: int) -> int:
        """The innermost row of a line around a call, -1 for none."""
        events, calls = self._profile.events, self._regions.calls
        begin, end = np.searchsorted(events["track"], (calls.track[call], calls.track[call] + 1))
        rows: IntColumn = begin + np.flatnonzero(events["category"][begin:end] == Category.LINE)
        start_ns, end_ns = calls.start_ns[call], calls.end_ns[call]
        rows = rows[events["start_ns"][rows] <= start_ns]
        rows = rows[events["start_ns"][rows] + events["duration_ns"][rows] >= end_ns]
        # Lines nest, so that of those around it the last to begin is the innermost.
        return int(rows[-1]) if len(rows) else -1

    def _duration(self, duration_ns: int) -> str:
        is_predicted = self._profile.manifest.time_kind != "measured"
        return units.duration(duration_ns, predicted=is_predicted)
