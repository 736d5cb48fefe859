"""Events in the lanes that they are drawn in, and what a window of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.analysis.timelines.lanes import MOST_DEPTHS, lane_depths
from sidelight.analysis.timelines.spans import LaneSpans
from sidelight.analysis.timelines.stretches import finest_level, stretch
from sidelight.profile.tables import Table

_MOST_TRACKS: Final = 65_536
"""As many as a span's track can tell apart."""

Columns = dict[str, IntColumn]


def has_lane(track: IntColumn, depth: IntColumn) -> Mask:
    """Which events are drawn at all, by their track and their depth in it."""
    return (depth < MOST_DEPTHS) & (track < _MOST_TRACKS)


@dataclass(frozen=True)
class DrawnWindow:
    """The spans of a stretch of time.

    Attributes:
        bin_ns: Events shorter than this were merged with neighbours; 0 where nothing was merged.
        event: Each span's event, of a merged one its longest.
        columns: What else is known of each: its time, how many events it is, and its lane.
    """

    from_ns: int
    to_ns: int
    bin_ns: int
    event: IntColumn
    columns: Columns


class DrawnEvents:
    """Events by lane and start.

    Args:
        track: Track of each event of a profile, in its order.
        depth: Depth of each in its track.
        start_ns: Start of each.
        end_ns: End of each.
        is_wanted: Which of them are drawn, if there is a lane for them.
    """

    def __init__(
        self,
        track: IntColumn,
        depth: IntColumn,
        start_ns: IntColumn,
        end_ns: IntColumn,
        is_wanted: Mask | None = None,
    ) -> None:
        is_drawn = has_lane(track, depth)
        drawn = np.flatnonzero(is_drawn if is_wanted is None else is_drawn & is_wanted)
        lane = track[drawn] * MOST_DEPTHS + depth[drawn]
        order = np.argsort(lane, kind="stable")
        self.event = drawn[order]
        """The event of each row in lanes."""
        lane = lane[order]
        begins_lane = np.ones(len(lane), np.bool_)
        begins_lane[1:] = lane[1:] != lane[:-1]
        lane_starts = np.flatnonzero(begins_lane)
        self._lane_track, self._lane_depth = np.divmod(lane[lane_starts], MOST_DEPTHS)
        self._spans = LaneSpans(lane_starts, start_ns[self.event], end_ns[self.event])

    def window(self, from_ns: int, to_ns: int, width: int, most: int) -> DrawnWindow:
        """What lies in, or reaches into, a stretch of time.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            width: In how many pixels it is drawn. Events narrower than one are merged, and wider
                ones too where there would be more than ``most``.
            most: How many spans are enough; each lane may have one in any case.
        """
        from_ns, to_ns = stretch(from_ns, to_ns)
        # Where there is none, NOTHING_MERGED.
        finest = finest_level(from_ns, to_ns, width, most)
        spans, level = self._spans.window(from_ns, to_ns, finest=finest, most=most)
        return DrawnWindow(
            from_ns,
            to_ns,
            1 << level if (spans.merged > 1).any() else 0,
            self.event[spans.row],
            {
                "start_ns": spans.start_ns,
                "duration_ns": spans.end_ns - spans.start_ns,
                "busy_ns": spans.busy_ns,
                "merged": spans.merged,
                "track": self._lane_track[spans.lane],
                "depth": self._lane_depth[spans.lane],
            },
        )


@dataclass(frozen=True)
class Placed:
    """Where every event of a profile is.

    Attributes:
        track: Track of each event.
        depth: Its depth in it.
        start_ns: Its start.
        end_ns: Its end.
    """

    track: IntColumn
    depth: IntColumn
    start_ns: IntColumn
    end_ns: IntColumn

    @classmethod
    def of(cls, events: Table) -> Placed:
        """Where the events of a profile are.

        Args:
            events: By track and start, the longest first.
        """
        track = events["track"].astype(np.int64)
        start_ns = events["start_ns"]
        end_ns = start_ns + events["duration_ns"]
        return cls(track, lane_depths(track, start_ns, end_ns), start_ns, end_ns)

    def followed_by(self, others: Placed) -> Placed:
        """These events, and then others on later tracks."""
        return Placed(
            np.concatenate((self.track, others.track)),
            np.concatenate((self.depth, others.depth)),
            np.concatenate((self.start_ns, others.start_ns)),
            np.concatenate((self.end_ns, others.end_ns)),
        )

    def drawn(self, is_wanted: Mask | None = None) -> DrawnEvents:
        """Them, or those of them that are wanted, in lanes."""
        return DrawnEvents(self.track, self.depth, self.start_ns, self.end_ns, is_wanted)
