"""Gathers the track events of a trace: beginnings and ends of slices, instants, and counters."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from sidelight.ingest.binaries.wire import fields, number, signed, text
from sidelight.ingest.categories import UNKNOWN, meaning_of
from sidelight.ingest.executions import EXECUTION
from sidelight.ingest.perfetto.annotations import (
    EXECUTION_KEYS,
    ID_NAMES,
    Annotations,
    annotation,
)
from sidelight.ingest.perfetto.clocks import Clocks
from sidelight.ingest.perfetto.descriptors import MOST_TRACKS, Descriptors, double
from sidelight.ingest.perfetto.packets import Packet, TooLargeError
from sidelight.ingest.perfetto.sequences import CATEGORIES, NAMES, Sequence, Sequences
from sidelight.ingest.vocabulary import Vocabulary

BEGIN, END, INSTANT = 1, 2, 3
_COUNTER: Final = 4

TIME_LIMIT_NS: Final = 1 << 62
"""Readings of clocks beyond this, 146 years, are no times."""

_MOST_EVENTS: Final = 10_000_000
_MOST_EXECUTIONS: Final = 1_000_000
_MOST_CATEGORIES: Final = 16
"""How many of one event are looked at."""

_ID_LIMIT: Final = 1 << 62

# Fields of a packet.
_SNAPSHOT, _TIMESTAMP, _SEQUENCE, _EVENT, _TEXTS, _FLAGS = 6, 8, 10, 11, 12, 13
_CLEARED, _CLOCK, _DEFAULTS, _DESCRIPTOR = 41, 58, 59, 60
_FLAG_CLEARED: Final = 1

# Fields of a track event.
_CATEGORY_NUMBER, _ANNOTATION, _TYPE, _NAME_NUMBER, _TRACK = 3, 4, 9, 10, 11
_CATEGORY, _NAME, _VALUE, _DOUBLE_VALUE = 22, 23, 30, 44


@dataclass(frozen=True)
class Values:
    """A counter's values, in the order of the file.

    Attributes:
        clock: Codes of the clocks.
        at_ns: Readings of them.
        value: The values.
    """

    clock: array[int]
    at_ns: array[int]
    value: array[float]


class TrackEvents:
    """Reads packets, and keeps what track events say, in the order of the file.

    Attributes:
        clocks: The trace's clocks.
        descriptors: Its tracks.
        names: Names of slices.
        categories: What slices say they are: the one that means something, else the first.
        tracks: Uuids of tracks.
        kind: BEGIN, END or INSTANT of each event.
        track: Code of its track.
        clock: Code of the clock it was timed by.
        at_ns: What that clock showed.
        name: Code of its name; of ends, nothing.
        category: Code of its category; likewise.
        id_event: Indices of events that have one of the ids in ``ID_NAMES``.
        id_name: Which of them.
        id_value: The id.
        executions: Annotations of the events that begin an execution, by the events' index.
        values: The counters' values, by the code of their track.
        untimed: Events without a time, or with one that is none.
        other: Packets of data sources that are not read.
    """

    def __init__(self) -> None:
        self.clocks = Clocks()
        self.descriptors = Descriptors()
        self.names: Vocabulary[str] = Vocabulary()
        self.categories: Vocabulary[str] = Vocabulary()
        self.tracks: Vocabulary[int] = Vocabulary()
        self.kind = array("b")
        self.track = array("i")
        self.clock = array("i")
        self.at_ns = array("q")
        self.name = array("i")
        self.category = array("i")
        self.id_event = array("i")
        self.id_name = array("b")
        self.id_value = array("q")
        self.executions: dict[int, Annotations] = {}
        self.values: defaultdict[int, Values] = defaultdict(
            lambda: Values(array("i"), array("q"), array("d"))
        )
        self.untimed = 0
        self.other = 0
        self._sequences = Sequences()
        self._value_count = 0

    def add(self, packet: Packet) -> None:
        """Read a packet.

        Raises:
            WireError: It is damaged.
            TooLargeError: There is no room for more events, tracks or sequences.
        """
        sequence_number = number(packet.get(_SEQUENCE))
        sequence = self._sequences.of(sequence_number)
        if number(packet.get(_FLAGS)) & _FLAG_CLEARED or number(packet.get(_CLEARED)):
            sequence.clear()
        if isinstance(defaults := packet.get(_DEFAULTS), bytes):
            sequence.take_defaults(defaults)
        if isinstance(texts := packet.get(_TEXTS), bytes):
            sequence.take_texts(texts)
        if isinstance(event := packet.get(_EVENT), bytes):
            timestamp = packet.get(_TIMESTAMP)
            if not isinstance(timestamp, int):
                self.untimed += 1
                return
            clock_id = number(packet.get(_CLOCK)) or sequence.clock_id
            clock, at_ns = self.clocks.read(sequence_number, clock_id, timestamp)
            if at_ns >= TIME_LIMIT_NS:
                self.untimed += 1
                return
            self._add_event(event, sequence, clock, at_ns)
        elif isinstance(descriptor := packet.get(_DESCRIPTOR), bytes):
            self.descriptors.add(descriptor)
        elif isinstance(snapshot := packet.get(_SNAPSHOT), bytes):
            self.clocks.add_snapshot(snapshot, sequence_number)
        elif _TIMESTAMP in packet:
            self.other += 1

    def _add_event(self, event: bytes, sequence: Sequence, clock: int, at_ns: int) -> None:
        kind, track, name = 0, sequence.track, ""
        value: float | None = None
        categories: list[str] = []
        annotations: list[bytes] = []
        for field, found in fields(event):
            if field == _TYPE:
                kind = number(found)
            elif field == _TRACK:
                track = number(found)
            elif field == _NAME:
                name = text(found)
            elif field == _NAME_NUMBER:
                name = sequence.text(NAMES, found)
            elif field == _ANNOTATION:
                if isinstance(found, bytes):
                    annotations.append(found)
            elif field == _CATEGORY:
                categories.append(text(found))
            elif field == _CATEGORY_NUMBER:
                categories.append(sequence.text(CATEGORIES, found))
            elif field == _VALUE:
                value = signed(number(found))
            elif field == _DOUBLE_VALUE:
                value = double(number(found))
        if kind == _COUNTER and value is not None:
            self._add_value(track, clock, at_ns, value)
            return
        if kind not in (BEGIN, END, INSTANT):
            self.other += 1
            return
        row = len(self.kind)
        if row == _MOST_EVENTS:
            raise TooLargeError
        category, means_something = _category(categories)
        if kind == BEGIN:
            if name == EXECUTION:
                self._add_execution(row, annotations, sequence)
            elif means_something:
                self._add_ids(row, annotations, sequence)
        self.kind.append(kind)
        self.track.append(self._track_code(track))
        self.clock.append(clock)
        self.at_ns.append(at_ns)
        self.name.append(self.names.code(name))
        self.category.append(self.categories.code(category))

    def _add_execution(self, row: int, annotations: list[bytes], sequence: Sequence) -> None:
        if len(self.executions) == _MOST_EXECUTIONS:
            raise TooLargeError
        told = (annotation(each, sequence) for each in annotations)
        self.executions[row] = {name: value for name, value in told if name in EXECUTION_KEYS}

    def _add_ids(self, row: int, annotations: list[bytes], sequence: Sequence) -> None:
        # All of them first: one that is damaged must leave nothing of the others behind.
        for name, value in [annotation(each, sequence) for each in annotations]:
            if name in ID_NAMES and isinstance(value, int) and 0 <= value < _ID_LIMIT:
                self.id_event.append(row)
                self.id_name.append(ID_NAMES.index(name))
                self.id_value.append(value)

    def _add_value(self, track: int, clock: int, at_ns: int, value: float) -> None:
        if self._value_count == _MOST_EVENTS:
            raise TooLargeError
        self._value_count += 1
        values = self.values[self._track_code(track)]
        values.clock.append(clock)
        values.at_ns.append(at_ns)
        values.value.append(value)

    def _track_code(self, uuid: int) -> int:
        if len(self.tracks) > MOST_TRACKS:
            raise TooLargeError
        return self.tracks.code(uuid)


def _category(categories: list[str]) -> tuple[str, bool]:
    """The category that means something in torch's traces, else the first; and whether it does."""
    for category in categories[:_MOST_CATEGORIES]:
        if meaning_of(category) is not UNKNOWN:
            return category, True
    return next(iter(categories), ""), False
