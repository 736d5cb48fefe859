"""Lanes on which events lie side by side or within one another, as trace formats want them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sidelight.export.source import Indexes
from sidelight.profile.model import Profile


@dataclass(frozen=True)
class Lanes:
    """The lanes of a profile's tracks.

    Attributes:
        track: The track of each lane; those of one track follow one another.
        of_event: The lane of each event.
    """

    track: list[int]
    of_event: Indexes

    def names(self, profile: Profile) -> list[str]:
        """What each lane is called: as its track, with a number from the second on."""
        names: list[str] = []
        number = 0
        for lane, track in enumerate(self.track):
            number = number + 1 if lane and self.track[lane - 1] == track else 1
            name = profile.tracks[track].name
            names.append(name if number == 1 else f"{name} ({number})")
        return names


def lanes_of(profile: Profile) -> Lanes:
    """Divide tracks into lanes. Most need one: several, where events overlap in part.

    An event goes to the first lane on which all that has begun before it has ended, or goes on for
    longer than it.
    """
    events = profile.events
    start_ns = events["start_ns"]
    end_ns = start_ns + events["duration_ns"]
    first_rows = np.flatnonzero(np.diff(events["track"], prepend=-1)).tolist()
    of_event = np.zeros(len(events), np.int32)
    tracks: list[int] = []
    for first, stop in pairwise([*first_rows, len(events)]):
        lanes, count = _lanes_of_track(start_ns[first:stop].tolist(), end_ns[first:stop].tolist())
        of_event[first:stop] = np.array(lanes, np.int32) + len(tracks)
        tracks += [int(events["track"][first])] * count
    return Lanes(tracks, of_event)


def _lanes_of_track(starts_ns: list[int], ends_ns: list[int]) -> tuple[list[int], int]:
    """The lane of each event, and how many there are.

    Args:
        starts_ns: Starts, ascending, of equal ones the longest event's first.
        ends_ns: The events' ends.
    """
    open_ends: list[list[int]] = []  # by lane, the innermost last
    lanes: list[int] = []
    for start_ns, end_ns in zip(starts_ns, ends_ns, strict=True):
        for lane, ends in enumerate(open_ends):  # noqa: B007  # where it stops is the answer
            while ends and ends[-1] <= start_ns:
                ends.pop()
            if not ends or ends[-1] >= end_ns:
                break
        else:
            lane = len(open_ends)
            ends = list[int]()
            open_ends.append(ends)
        ends.append(end_ns)
        lanes.append(lane)
    return lanes, len(open_ends)
