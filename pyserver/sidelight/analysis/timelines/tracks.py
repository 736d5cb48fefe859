"""What a timeline needs to know of its tracks."""

from __future__ import annotations

import msgspec
import numpy as np

from sidelight.analysis.engine_busy import ENGINE_NAMES
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.timelines.drawn import Placed
from sidelight.analysis.timelines.drawn_types import TimelineTrack
from sidelight.analysis.timelines.lanes import MOST_DEPTHS, track_bounds
from sidelight.profile.model import Profile


def overview_of_tracks(
    profile: Profile, end_ns: IntColumn, depth: IntColumn
) -> list[TimelineTrack]:
    """The tracks that have events: devices, then the host's threads, those with most first.

    Args:
        profile: An attributed profile.
        end_ns: End of each event.
        depth: Depth of each in its track.
    """
    track = profile.events["track"]
    if not len(track):
        return []
    *first, rows_in_all = track_bounds(track)
    count = np.diff(first, append=rows_in_all)
    ends, depths = np.maximum.reduceat(end_ns, first), np.maximum.reduceat(depth, first)
    found: list[tuple[tuple[bool, int], TimelineTrack]] = []
    for row, rows, end, deepest in zip(first, count, ends, depths, strict=True):
        number = int(track[row])
        lane = profile.tracks[number]
        is_host = lane.kind == "host"
        overview = TimelineTrack(
            track=number,
            kind=lane.kind,
            name=lane.name,
            process=lane.pid,
            thread=lane.tid,
            engine=ENGINE_NAMES[lane.engine] if lane.engine else None,
            depth=min(int(deepest) + 1, MOST_DEPTHS),
            start_ns=int(profile.events["start_ns"][row]),
            end_ns=int(end),
        )
        found.append(((is_host, -int(rows) if is_host else number), overview))
    return [overview for _, overview in sorted(found, key=lambda pair: pair[0])]


def track_of_regions(number: int, over: TimelineTrack, placed: Placed) -> TimelineTrack:
    """The track of the regions over another.

    Args:
        number: What spans call it by.
        over: The track they lie over.
        placed: Where all regions are.
    """
    own = placed.track == number
    return msgspec.structs.replace(
        over,
        track=number,
        name=f"modules of {over.name}",
        engine=None,
        depth=min(int(placed.depth[own].max()) + 1, MOST_DEPTHS),
        start_ns=int(placed.start_ns[own].min()),
        end_ns=int(placed.end_ns[own].max()),
        regions_of=over.track,
    )
