"""The slices of a trace, one for each event, in an order in which they nest as they should."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from sidelight.export.arrows import Arrows
from sidelight.export.inputs import inputs_of
from sidelight.export.lanes import Lanes
from sidelight.export.perfetto import packets
from sidelight.export.perfetto.interning import Interning
from sidelight.export.rows import ShownRows
from sidelight.export.source import Indexes, Progress, Source, pieces
from sidelight.export.trace_categories import trace_categories
from sidelight.export.work_arguments import WorkArguments
from sidelight.profile.shown_rows import CATEGORY_NAMES
from sidelight.profile.tables import Category

_IDS = {
    "external_id": "External id",
    "correlation_id": "correlation",
    "sequence_nr": "Sequence number",
}
"""What torch's traces call the ids of events."""


class SlicePackets:
    """Makes the packets of a profile's events.

    Args:
        source: What is exported.
        lanes: Where its events lie.
        tracks: The number of each lane's track.
        arrows: The arrows between them.
    """

    def __init__(self, source: Source, lanes: Lanes, tracks: list[int], arrows: Arrows) -> None:
        profile = self._profile = source.profile
        self._lanes = lanes
        self._tracks = tracks
        self._shown = ShownRows(profile)
        self._work = WorkArguments(profile)
        self._interning = Interning()
        self._is_predicted = source.is_predicted
        # No other reader may take predicted times for a device's own.
        prefix = "predicted " if source.is_predicted else ""
        self._categories = [
            prefix + category for category in trace_categories(profile.manifest.device)
        ]
        self._flows: defaultdict[int, bytes] = defaultdict(bytes)
        pairs = zip(arrows.source.tolist(), arrows.target.tolist(), strict=True)
        for number, (origin, target) in enumerate(pairs, 1):
            self._flows[origin] += packets.flow(number, ends=False)
            self._flows[target] += packets.flow(number, ends=True)
        self._inputs: dict[int, bytes] = {}
        self._known: dict[tuple[int, ...], bytes] = {}
        self._endings = list(map(packets.ending, tracks))

    def all(self, rows: Indexes, progress: Progress) -> Iterator[bytes]:
        """The packets of some events, ascending: lane by lane, each slice's end in its place."""
        lane_of_row = self._lanes.of_event[rows]
        by_lane = rows[np.argsort(lane_of_row, kind="stable")]
        events = self._profile.events
        current = -1
        open_ends: list[int] = []
        for some in pieces(by_lane, progress):
            more = self._more(np.sort(some))
            starts_ns: list[int] = events["start_ns"][some].tolist()
            ends_ns: list[int] = (events["start_ns"][some] + events["duration_ns"][some]).tolist()
            lanes: list[int] = self._lanes.of_event[some].tolist()
            out: list[bytes] = []
            for row, start_ns, end_ns, lane, event in zip(
                some.tolist(), starts_ns, ends_ns, lanes, self._events(some), strict=True
            ):
                if lane != current:
                    out.extend(self._ends(current, open_ends, None))
                    current = lane
                out.extend(self._ends(lane, open_ends, start_ns))
                event += more.get(row, b"")
                out.append(packets.begin_packet(start_ns, event, self._interning.take_new()))
                open_ends.append(end_ns)
            yield b"".join(out)
        yield b"".join(self._ends(current, open_ends, None))

    def _ends(self, lane: int, open_ends: list[int], until_ns: int | None) -> Iterator[bytes]:
        """End what has ended by an instant, or everything."""
        while open_ends and (until_ns is None or open_ends[-1] <= until_ns):
            yield packets.end_packet(open_ends.pop(), self._endings[lane])

    def _events(self, rows: Indexes) -> Iterator[bytes]:
        """What each event's slice begins with, without what few have.

        What it names is numbered as it is made: so they are made one by one.
        """
        events = self._profile.events
        names = ("category", "name", "frame", "signature", *_IDS)
        columns = [events[name][rows].tolist() for name in names]
        columns += [self._shown.frames(rows).tolist(), self._lanes.of_event[rows].tolist()]
        return map(self._event, *columns)

    def _event(
        self,
        category: int,
        name: int,
        frame: int,
        signature: int,
        external_id: int,
        correlation_id: int,
        sequence_nr: int,
        line_frame: int,
        lane: int,
    ) -> bytes:
        # Steps are alike: nearly all events begin as an earlier one did, but for their ids.
        key = (category, name, frame, signature, line_frame, lane)
        event = self._known.get(key)
        if event is None:
            event = self._known[key] = self._beginning(*key)
        ids = (external_id, correlation_id, sequence_nr)
        for id_name, number in zip(_IDS.values(), ids, strict=True):
            if number != -1:
                event += self._annotation(id_name, number)
        return event

    def _beginning(
        self, category: int, name: int, frame: int, signature: int, line_frame: int, lane: int
    ) -> bytes:
        strings, shown, interning = self._profile.strings, self._shown, self._interning
        is_line = category == Category.LINE and frame >= 0
        event = packets.beginning(
            self._tracks[lane],
            interning.names.number(shown.function_names[frame] if is_line else strings[name]),
            interning.categories.number(self._categories[category]),
        )
        event += self._annotation("kind", CATEGORY_NAMES[Category(category)])
        if self._is_predicted:
            event += self._annotation("time_kind", "predicted")
        if signature >= 0:
            event += self._inputs_of(signature)
        if line_frame >= 0:
            file, line = shown.places[line_frame]
            function = strings[int(self._profile.frames["function"][line_frame])]
            event += packets.place(interning.places.number((file, line, function)))
        return event

    def _more(self, rows: Indexes) -> dict[int, bytes]:
        """What few events have: arrows, and what is known of their work."""
        more = {row: self._flows[row] for row in map(int, rows) if row in self._flows}
        for row, members in self._work.members(rows).items():
            annotations = (self._annotation(name, value) for name, value in members.items())
            more[row] = more.get(row, b"") + b"".join(annotations)
        return more

    def _inputs_of(self, signature: int) -> bytes:
        # Names of annotations are numbered once, so that the bytes stay true.
        found = self._inputs.get(signature)
        if found is None:
            inputs = inputs_of(self._profile.strings[signature])
            found = b"".join(self._annotation(key, value) for key, value in inputs.items())
            self._inputs[signature] = found
        return found

    def _annotation(self, name: str, value: int | str) -> bytes:
        return packets.annotation(self._interning.annotations.number(name), value)
