"""What a timeline draws: a profile's events, and after them the regions of its modules.

A region is drawn by a number behind those of the events, on a track behind those of the profile.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sidelight.analysis.timelines.busy import BusyTime
from sidelight.analysis.timelines.drawn import Placed
from sidelight.analysis.timelines.drawn_types import TimelineTrack
from sidelight.analysis.timelines.lanes import lane_depths
from sidelight.analysis.timelines.regions import Regions
from sidelight.analysis.timelines.told_types import AreaTrack
from sidelight.analysis.timelines.tracks import overview_of_tracks, track_of_regions
from sidelight.profile.model import Profile


class TimelineRows:
    """The rows of a timeline.

    Args:
        profile: An attributed profile.

    Attributes:
        of_events: Where the events are.
        regions: The regions.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.of_events: Placed = Placed.of(profile.events)
        self.regions: Regions = Regions(profile)

    @cached_property
    def placed(self) -> Placed:
        """Where all of them are."""
        return self.of_events.followed_by(self._of_regions) if len(self.regions) else self.of_events

    @cached_property
    def _of_regions(self) -> Placed:
        regions = self.regions
        track = self.first_region_track + np.searchsorted(regions.lanes, regions.lane)
        depth = lane_depths(track, regions.start_ns, regions.end_ns)
        return Placed(track, depth, regions.start_ns, regions.end_ns)

    @property
    def first_region_track(self) -> int:
        """The first track that regions are on; the profile's own come before it."""
        return len(self._profile.tracks)

    def region(self, row: int) -> int | None:
        """The number of a row among the regions; None for an event, and for what is no row."""
        region = row - len(self._profile.events)
        return region if 0 <= region < len(self.regions) else None

    def regions_within(self, track: int, from_ns: int, to_ns: int) -> AreaTrack:
        """How many regions of a track of regions touch a stretch, and how long any lasts in it.

        Args:
            track: The track, by number.
            from_ns: Start of the stretch.
            to_ns: Its end.
        """
        regions = self.regions
        own = regions.lane == regions.lanes[track - self.first_region_track]
        own &= regions.start_ns < to_ns
        own &= (regions.end_ns > from_ns) | (regions.start_ns >= from_ns)
        busy = BusyTime(regions.start_ns[own], regions.end_ns[own])
        return AreaTrack(track, int(own.sum()), busy.within(from_ns, to_ns))

    def tracks(self) -> list[TimelineTrack]:
        """The tracks that have rows, in the order to draw them: regions over what they are of."""
        profile, found = self._profile, list[TimelineTrack]()
        above = {lane: number for number, lane in enumerate(self.regions.lanes)}
        for track in overview_of_tracks(profile, self.of_events.end_ns, self.of_events.depth):
            if track.track in above:
                number = self.first_region_track + above[track.track]
                found.append(track_of_regions(number, track, self._of_regions))
            found.append(track)
        return found
