"""Gathers the track events of a trace: beginnings and ends of slices, instants, and counters."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from sidelight.ingest.binaries.wire import Value, fields, signed
from sidelight.ingest.categories import UNKNOWN, meaning_of
from sidelight.ingest.executions import EXECUTION
from sidelight.ingest.perfetto.clocks import Clocks
from sidelight.ingest.perfetto.descriptors import Descriptors, double
from sidelight.ingest.perfetto.packets import Packet, TooLargeError
from sidelight.ingest.perfetto.sequences import (
    ANNOTATION_NAMES,
    ANNOTATION_TEXTS,
    CATEGORIES,
    NAMES,
    Sequence,
    Sequences,
)
from sidelight.ingest.vocabulary import Vocabulary

BEGIN, END, INSTANT = 1, 2, 3
_COUNTER: Final = 4

TIME_LIMIT_NS: Final = 1 << 62
"""Readings of clocks beyond this, 146 years, are no times."""

_MOST_EVENTS: Final = 20_000_000

# Fields of a packet.
_SNAPSHOT, _TIMESTAMP, _SEQUENCE, _EVENT, _TEXTS, _FLAGS = 6, 8, 10, 11, 12, 13
_CLEARED, _CLOCK, _DEFAULTS, _DESCRIPTOR = 41, 58, 59, 60
_FLAG_CLEARED: Final = 1

# Fields of a track event.
_CATEGORY_NUMBER, _ANNOTATION, _TYPE, _NAME_NUMBER, _TRACK = 3, 4, 9, 10, 11
_CATEGORY, _NAME, _VALUE, _DOUBLE_VALUE = 22, 23, 30, 44

# Fields of an annotation.
_ANNOTATION_NAME_NUMBER, _UINT, _INT, _TEXT, _ANNOTATION_NAME, _TEXT_NUMBER = 1, 3, 4, 6, 10, 17

Annotations = dict[str, int | str]
"""Whole numbers and texts that an event is annotated with, by name."""


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
        annotations: Those of events that count as more than something with a duration.
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
        self.annotations: dict[int, Annotations] = {}
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
        found = dict(packet)
        number = _whole(found.get(_SEQUENCE))
        sequence = self._sequences.of(number)
        if _whole(found.get(_FLAGS)) & _FLAG_CLEARED or _whole(found.get(_CLEARED)):
            sequence.clear()
        if isinstance(defaults := found.get(_DEFAULTS), bytes):
            sequence.take_defaults(defaults)
        if isinstance(texts := found.get(_TEXTS), bytes):
            sequence.take_texts(texts)
        if isinstance(snapshot := found.get(_SNAPSHOT), bytes):
            self.clocks.add_snapshot(snapshot, number)
        elif isinstance(descriptor := found.get(_DESCRIPTOR), bytes):
            self.descriptors.add(descriptor)
        elif isinstance(event := found.get(_EVENT), bytes):
            timestamp = found.get(_TIMESTAMP)
            clock_id = found.get(_CLOCK, sequence.clock_id)
            if not isinstance(timestamp, int) or not isinstance(clock_id, int):
                self.untimed += 1
                return
            clock, at_ns = self.clocks.read(number, clock_id, timestamp)
            if at_ns >= TIME_LIMIT_NS:
                self.untimed += 1
                return
            self._add_event(event, sequence, clock, at_ns)
        elif _TIMESTAMP in found:
            self.other += 1

    def _add_event(self, event: bytes, sequence: Sequence, clock: int, at_ns: int) -> None:
        kind, track, name = 0, sequence.track, ""
        value: Value | None = None
        is_double = False
        categories: list[str] = []
        annotations: list[bytes] = []
        for number, found in fields(event):
            if number == _TYPE:
                kind = found
            elif number == _TRACK:
                track = _whole(found)
            elif number == _NAME_NUMBER:
                name = sequence.text(NAMES, found)
            elif number == _NAME and isinstance(found, bytes):
                name = found.decode(errors="replace")
            elif number == _CATEGORY_NUMBER:
                categories.append(sequence.text(CATEGORIES, found))
            elif number == _CATEGORY and isinstance(found, bytes):
                categories.append(found.decode(errors="replace"))
            elif number == _ANNOTATION and isinstance(found, bytes):
                annotations.append(found)
            elif number in (_VALUE, _DOUBLE_VALUE):
                value, is_double = found, number == _DOUBLE_VALUE
        if kind == _COUNTER and isinstance(value, int):
            self._add_value(track, clock, at_ns, double(value) if is_double else signed(value))
            return
        if kind not in (BEGIN, END, INSTANT):
            self.other += 1
            return
        if len(self.kind) == _MOST_EVENTS:
            raise TooLargeError
        category = next((each for each in categories if meaning_of(each) is not UNKNOWN), None)
        if annotations and kind == BEGIN and (category is not None or name == EXECUTION):
            self.annotations[len(self.kind)] = _annotations(annotations, sequence)
        self.kind.append(int(kind))
        self.track.append(self.tracks.code(track))
        self.clock.append(clock)
        self.at_ns.append(at_ns)
        self.name.append(self.names.code(name))
        self.category.append(self.categories.code(category or next(iter(categories), "")))

    def _add_value(self, track: int, clock: int, at_ns: int, value: float) -> None:
        if self._value_count == _MOST_EVENTS:
            raise TooLargeError
        self._value_count += 1
        values = self.values[self.tracks.code(track)]
        values.clock.append(clock)
        values.at_ns.append(at_ns)
        values.value.append(value)


def _annotations(messages: list[bytes], sequence: Sequence) -> Annotations:
    known: Annotations = {}
    for message in messages:
        found = dict(fields(message))
        name = found.get(_ANNOTATION_NAME)
        if isinstance(name, bytes):
            key = name.decode(errors="replace")
        else:
            key = sequence.text(ANNOTATION_NAMES, found.get(_ANNOTATION_NAME_NUMBER, 0))
        for number in (_UINT, _INT, _TEXT, _TEXT_NUMBER):
            value = found.get(number)
            if value is None:
                continue
            if isinstance(value, bytes):
                known[key] = value.decode(errors="replace")
            elif number == _TEXT_NUMBER:
                known[key] = sequence.text(ANNOTATION_TEXTS, value)
            else:
                known[key] = signed(value) if number == _INT else value
    return known


def _whole(value: Value | None) -> int:
    return value if isinstance(value, int) else 0
