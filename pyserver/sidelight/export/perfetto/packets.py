"""The packets of a trace: tracks, clocks, and events on tracks."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from sidelight.export.perfetto.wire import (
    bytes_field,
    double_field,
    fixed64_field,
    number_field,
    text_field,
)

_PACKET: Final = 1  # of Trace

# Fields of a TracePacket.
_CLOCKS, _TIMESTAMP, _SEQUENCE, _EVENT, _INTERNED, _FLAGS, _TRACK = 6, 8, 10, 11, 12, 13, 60
_CLEARED, _NEEDS_STATE = 1, 2

# Fields of a TrackEvent.
_CATEGORY, _ANNOTATION, _TYPE, _NAME, _EVENT_TRACK, _PLACE = 3, 4, 9, 10, 11, 34
_OWN_NAME, _DOUBLE_VALUE, _FLOW, _ENDING_FLOW = 23, 44, 47, 48

# Fields of a TrackDescriptor, and of what is in it.
_UUID, _TRACK_NAME, _PROCESS, _THREAD, _PARENT, _COUNTER = 1, 2, 3, 4, 5, 8
_PID, _PROCESS_NAME = 1, 6
_THREAD_PID, _TID, _THREAD_NAME = 1, 2, 5
_UNIT, _UNIT_NAME = 3, 6
_BYTES: Final = 3

_REALTIME, _BOOTTIME = 1, 6
_OUR_SEQUENCE: Final = 1


class EventType(IntEnum):
    """What a track event is."""

    BEGIN = 1
    END = 2
    COUNTER = 4


def clocks_packet(start_unix_ns: int) -> bytes:
    """What the time since 1970 is where the trace's own clock shows zero; it comes first."""
    readings = ((_BOOTTIME, 0), (_REALTIME, start_unix_ns))
    clocks = b"".join(
        bytes_field(1, number_field(1, clock) + number_field(2, at_ns)) for clock, at_ns in readings
    )
    sequence = number_field(_SEQUENCE, _OUR_SEQUENCE) + number_field(_FLAGS, _CLEARED)
    return bytes_field(_PACKET, bytes_field(_CLOCKS, clocks) + sequence)


def process_packet(uuid: int, pid: int, name: str) -> bytes:
    """A process, which holds tracks of threads."""
    process = number_field(_PID, pid) + text_field(_PROCESS_NAME, name)
    return _track_packet(number_field(_UUID, uuid) + bytes_field(_PROCESS, process))


def thread_packet(uuid: int, process_uuid: int, pid: int, tid: int, name: str) -> bytes:
    """The track of a thread."""
    thread = number_field(_THREAD_PID, pid) + number_field(_TID, tid)
    thread += text_field(_THREAD_NAME, name)
    parent = number_field(_PARENT, process_uuid)
    return _track_packet(number_field(_UUID, uuid) + parent + bytes_field(_THREAD, thread))


def track_packet(uuid: int, name: str, parent: int | None = None) -> bytes:
    """Any other track."""
    described = number_field(_UUID, uuid) + text_field(_TRACK_NAME, name)
    return _track_packet(described + (b"" if parent is None else number_field(_PARENT, parent)))


def counter_packet(uuid: int, name: str, unit: str, parent: int) -> bytes:
    """The track of a quantity over time."""
    counter = number_field(_UNIT, _BYTES) if unit == "bytes" else text_field(_UNIT_NAME, unit)
    described = number_field(_UUID, uuid) + text_field(_TRACK_NAME, name)
    return _track_packet(described + number_field(_PARENT, parent) + bytes_field(_COUNTER, counter))


def begin_packet(at_ns: int, event: bytes, interned: bytes = b"") -> bytes:
    """The beginning of a slice: what is in ``event``, with what it names for the first time."""
    packet = number_field(_TIMESTAMP, at_ns) + _NAMES_BY_NUMBER + bytes_field(_EVENT, event)
    return bytes_field(_PACKET, packet + (bytes_field(_INTERNED, interned) if interned else b""))


def ending(uuid: int) -> bytes:
    """The part of a packet that every end of a slice has on a track."""
    event = number_field(_TYPE, EventType.END) + number_field(_EVENT_TRACK, uuid)
    return _NAMES_BY_NUMBER + bytes_field(_EVENT, event)


def end_packet(at_ns: int, end: bytes) -> bytes:
    """The end of the slice that began last on a track, as :func:`ending` has it."""
    return bytes_field(_PACKET, number_field(_TIMESTAMP, at_ns) + end)


def value_packet(at_ns: int, uuid: int, value: float) -> bytes:
    """A value of a quantity."""
    event = number_field(_TYPE, EventType.COUNTER) + number_field(_EVENT_TRACK, uuid)
    event += double_field(_DOUBLE_VALUE, value)
    packet = number_field(_TIMESTAMP, at_ns) + _NAMES_BY_NUMBER + bytes_field(_EVENT, event)
    return bytes_field(_PACKET, packet)


def beginning(uuid: int, name: int, category: int) -> bytes:
    """The part of a track event that every beginning of a slice has."""
    return (
        number_field(_TYPE, EventType.BEGIN)
        + number_field(_EVENT_TRACK, uuid)
        + number_field(_NAME, name)
        + number_field(_CATEGORY, category)
    )


def named_beginning(uuid: int, name: str) -> bytes:
    """The same of a slice whose name is in it, and whose category is none."""
    event = number_field(_TYPE, EventType.BEGIN) + number_field(_EVENT_TRACK, uuid)
    return event + text_field(_OWN_NAME, name)


def place(number: int) -> bytes:
    """The place in the source that an event is of."""
    return number_field(_PLACE, number)


def flow(number: int, *, ends: bool) -> bytes:
    """An arrow that leaves an event, or that ends at it."""
    return fixed64_field(_ENDING_FLOW if ends else _FLOW, number)


def annotation(name: int, value: int | str) -> bytes:
    """An argument of an event, its name by number."""
    told = text_field(6, value) if isinstance(value, str) else number_field(4, value)
    return bytes_field(_ANNOTATION, number_field(1, name) + told)


_NAMES_BY_NUMBER: Final = number_field(_SEQUENCE, _OUR_SEQUENCE) + number_field(
    _FLAGS, _NEEDS_STATE
)


def _track_packet(described: bytes) -> bytes:
    sequence = number_field(_SEQUENCE, _OUR_SEQUENCE)
    return bytes_field(_PACKET, bytes_field(_TRACK, described) + sequence)
