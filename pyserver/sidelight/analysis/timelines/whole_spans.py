"""The spans of a whole timeline, without an index of it: gathered track by track, in one pass.

They are those that an index gives (:mod:`sidelight.analysis.timelines.spans`), which takes longer
to make, and several times the room: here it is that of a track beside those of a window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.timelines.drawn import Placed, has_lane
from sidelight.analysis.timelines.lanes import track_bounds
from sidelight.analysis.timelines.spans import (
    ALWAYS_PARTED,
    COARSEST_LEVEL,
    parted_below_level,
)

_ROOM: Final = 4
"""So many times the spans that are enough are gathered before they are merged."""


@dataclass(frozen=True)
class WholeSpans:
    """Spans, by lane and start.

    Attributes:
        parted_below: The first level at which each is one with the span before it.
        track: Whose lane it is in.
        depth: Which of the track's lanes.
        start_ns: Start of its first event.
        end_ns: End of its last.
        busy_ns: Its events' durations, summed.
        merged: How many events those are.
        event: Its longest event, the first of those that are equally long.
        longest_ns: How long that is.
    """

    parted_below: npt.NDArray[np.uint8]
    track: IntColumn
    depth: IntColumn
    start_ns: IntColumn
    end_ns: IntColumn
    busy_ns: IntColumn
    merged: IntColumn
    event: IntColumn
    longest_ns: IntColumn

    def __len__(self) -> int:
        return len(self.event)

    def at(self, level: int) -> WholeSpans:
        """The spans of a level, which is no finer than that of these."""
        begins = np.flatnonzero(self.parted_below > level)
        if len(begins) == len(self):
            return self
        lasts = np.append(begins[1:], len(self)) - 1
        longest_ns = np.maximum.reduceat(self.longest_ns, begins)
        is_longest = self.longest_ns == np.repeat(longest_ns, lasts - begins + 1)
        candidates = np.flatnonzero(is_longest)
        first_longest = candidates[np.searchsorted(candidates, begins)]
        return WholeSpans(
            self.parted_below[begins],
            self.track[begins],
            self.depth[begins],
            self.start_ns[begins],
            self.end_ns[lasts],
            np.add.reduceat(self.busy_ns, begins),
            np.add.reduceat(self.merged, begins),
            self.event[first_longest],
            longest_ns,
        )


def whole_spans(placed: Placed, *, finest: int, most: int) -> tuple[WholeSpans, int]:
    """The spans of all events that are in a lane.

    Args:
        placed: Where the events are, by track and start.
        finest: The level to use if there are not too many spans then.
        most: How many are too many; each lane may have one in any case.

    Returns:
        The spans, and the level they are at.
    """
    level = finest
    gathered = [_rows_of_track(placed, 0, 0)]
    count = 0
    for first, stop in pairwise(track_bounds(placed.track)):
        spans = _rows_of_track(placed, first, stop).at(level)
        gathered.append(spans)
        count += len(spans)
        if count > _ROOM * most:
            level = _fine_enough(gathered, level, most)
            gathered = [_joined(gathered).at(level)]
            count = len(gathered[0])
    # What is too much of some tracks is too much of all: it was never made coarser than it must be.
    level = _fine_enough(gathered, level, most)
    return _joined(gathered).at(level), level


def _fine_enough(gathered: Sequence[WholeSpans], finest: int, most: int) -> int:
    """The finest level, from one on, at which there are no more than so many spans."""
    parted = np.concatenate([spans.parted_below for spans in gathered])
    counts = np.cumsum(np.bincount(parted, minlength=COARSEST_LEVEL + 2)[::-1])[::-1]
    level = finest
    while level < COARSEST_LEVEL and counts[level + 1] > most:
        level += 1
    return level


def _joined(gathered: Sequence[WholeSpans]) -> WholeSpans:
    columns = [field.name for field in fields(WholeSpans)]
    return WholeSpans(
        *(np.concatenate([getattr(spans, name) for spans in gathered]) for name in columns)
    )


def _rows_of_track(placed: Placed, first: int, stop: int) -> WholeSpans:
    """Each event of a track by itself, lane by lane."""
    track, depth = placed.track[first:stop], placed.depth[first:stop]
    order = np.flatnonzero(has_lane(track, depth))
    if depth.any():
        order = order[np.argsort(depth[order], kind="stable")]
    event = first + order
    depth = depth[order]
    start_ns, end_ns = placed.start_ns[event], placed.end_ns[event]
    duration_ns = end_ns - start_ns
    parted_below = parted_below_level(start_ns, duration_ns)
    parted_below[np.diff(depth, prepend=-1) > 0] = ALWAYS_PARTED
    return WholeSpans(
        parted_below,
        track[order].astype(np.int64),
        depth,
        start_ns,
        end_ns,
        duration_ns,
        np.ones(len(event), np.int64),
        event,
        duration_ns,
    )
