"""The timeline of a profile: an overview, and any part of it at any resolution."""

from __future__ import annotations

import base64
from typing import Final

import numpy as np

from sidelight.analysis.event_details import EventDetails, category_name, line_name
from sidelight.analysis.headline import headline
from sidelight.analysis.lanes import MOST_DEPTHS, lane_depths
from sidelight.analysis.line_executions import LineExecutions
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.shown_rows import shown_categories, shown_name
from sidelight.analysis.source_lines import SourceLines
from sidelight.analysis.spans import LaneSpans, Spans
from sidelight.analysis.timeline_types import (
    SPAN_COLUMNS,
    Details,
    LineSpan,
    TimelineOverview,
    TimelineStep,
    TimelineTrack,
    Window,
)
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.tables import Category

MOST_SPANS: Final = 20_000
"""A window has no more, unless it has more lanes than that."""

_LITTLE_ENDIAN = {
    "float64": "<f8",
    "int32": "<i4",
    "uint32": "<u4",
    "uint16": "<u2",
    "uint8": "<u1",
}

_LONGEST_NAME = 200
"""Names of spans are cut to this: those of C++ kernels can be pages long."""

_MOST_TRACKS = 65_536
"""As many as a span's track can tell apart."""

_FARTHEST_NS = 1 << 60


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
        depth = lane_depths(track, start_ns, end_ns)
        self._tracks = _overview_of_tracks(profile, end_ns, depth)
        lane = track * MOST_DEPTHS + depth
        drawn = np.flatnonzero((depth < MOST_DEPTHS) & (track < _MOST_TRACKS))
        self._event = drawn[np.argsort(lane[drawn], kind="stable")]
        """The event of each row in lanes."""
        lane = lane[self._event]
        lane_starts = np.flatnonzero(np.diff(lane, prepend=-1))
        self._lane_track, self._lane_depth = np.divmod(lane[lane_starts], MOST_DEPTHS)
        self._spans = LaneSpans(lane_starts, start_ns[self._event], end_ns[self._event])
        self._label = _labels(profile)
        self._category = shown_categories(profile)
        source_lines = SourceLines(profile)
        self._details = EventDetails(profile, source_lines)
        self._executions = LineExecutions(profile, source_lines)

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

    def window(self, from_ns: int, to_ns: int, width: int) -> Window:
        """What lies in, or reaches into, a part of the timeline.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            width: In how many pixels it is drawn. Events narrower than one are merged, and wider
                ones too where there would be more than ``MOST_SPANS``.
        """
        from_ns = min(max(from_ns, -_FARTHEST_NS), _FARTHEST_NS)
        to_ns = min(max(to_ns, from_ns + 1), _FARTHEST_NS + 1)
        pixel_ns = (to_ns - from_ns) // min(max(width, 1), MOST_SPANS)
        # The largest power of two that is no longer than a pixel; of none, NOTHING_MERGED.
        finest = pixel_ns.bit_length() - 1
        spans, level = self._spans.window(from_ns, to_ns, finest=finest, most=MOST_SPANS)
        labels, names = np.unique(self._label[self._event[spans.row]], return_inverse=True)
        return Window(
            from_ns=from_ns,
            to_ns=to_ns,
            bin_ns=1 << level if (spans.merged > 1).any() else 0,
            count=len(spans),
            names=[self._name(int(label)) for label in labels],
            spans=self._encoded(spans, names),
        )

    def event(self, event: int) -> Details:
        """Everything known about one event.

        Raises:
            UnreadableInputError: ``no_such_event``.
        """
        return self._details.of(event)

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

    def _encoded(self, spans: Spans, names: IntColumn) -> str:
        event = self._event[spans.row]
        columns = {
            "start_ns": spans.start_ns,
            "duration_ns": spans.end_ns - spans.start_ns,
            "busy_ns": spans.busy_ns,
            "event": event,
            "merged": spans.merged,
            "name": names,
            "track": self._lane_track[spans.lane],
            "depth": self._lane_depth[spans.lane],
            "category": self._category[event],
        }
        content = b"".join(
            columns[name].astype(_LITTLE_ENDIAN[kind]).tobytes() for name, kind in SPAN_COLUMNS
        )
        return base64.b64encode(content).decode("ascii")


def _overview_of_tracks(
    profile: Profile, end_ns: IntColumn, depth: IntColumn
) -> list[TimelineTrack]:
    """The tracks that have events: devices, then the host's threads, those with most first."""
    track = profile.events["track"]
    if not len(track):
        return []
    first = np.flatnonzero(np.diff(track, prepend=-1))
    count = np.diff(first, append=len(track))
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
            depth=min(int(deepest) + 1, MOST_DEPTHS),
            start_ns=int(profile.events["start_ns"][row]),
            end_ns=int(end),
        )
        found.append(((is_host, -int(rows) if is_host else number), overview))
    return [overview for _, overview in sorted(found, key=lambda pair: pair[0])]


def _labels(profile: Profile) -> IntColumn:
    """A number for what stands on each event: its string's, or above those its frame's."""
    events = profile.events
    is_line = (events["category"] == Category.LINE) & (events["frame"] >= 0)
    return np.where(is_line, len(profile.strings) + events["frame"], events["name"])
