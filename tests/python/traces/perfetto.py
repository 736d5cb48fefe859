"""Perfetto traces for tests, written by Perfetto's own classes."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from pathlib import Path

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    DebugAnnotation,
    Trace,
    TracePacket,
    TrackEvent,
)

SEQUENCE = 1


def track(
    uuid: int,
    name: str = "",
    *,
    parent: int | None = None,
    process: tuple[int, str] | None = None,
    thread: tuple[int, int, str] | None = None,
) -> TracePacket:
    """A track: of a process (pid, name), a thread (pid, tid, name), or of neither."""
    packet = TracePacket()
    described = packet.track_descriptor
    described.uuid = uuid
    if name:
        described.name = name
    if parent is not None:
        described.parent_uuid = parent
    if process is not None:
        described.process.pid, described.process.process_name = process
    if thread is not None:
        described.thread.pid, described.thread.tid, described.thread.thread_name = thread
    return packet


def event(
    kind: TrackEvent.Type,
    at: int,
    uuid: int | None = None,
    name: str = "",
    *,
    category: str = "",
    sequence: int = SEQUENCE,
    **annotations: int | str,
) -> TracePacket:
    """A track event; annotations by name, with ``_`` for spaces."""
    packet = TracePacket(timestamp=at, trusted_packet_sequence_id=sequence)
    packet.track_event.type = kind
    if uuid is not None:
        packet.track_event.track_uuid = uuid
    if name:
        packet.track_event.name = name
    if category:
        packet.track_event.categories.append(category)
    packet.track_event.debug_annotations.extend(annotated(annotations))
    return packet


def annotated(annotations: Mapping[str, int | str]) -> Iterable[DebugAnnotation]:
    for name, value in annotations.items():
        annotation = DebugAnnotation(name=name.replace("__", " "))
        if isinstance(value, str):
            annotation.string_value = value
        else:
            annotation.int_value = value
        yield annotation


def slice_of(
    uuid: int,
    start: int,
    end: int,
    name: str,
    *,
    category: str = "",
    sequence: int = SEQUENCE,
    **annotations: int | str,
) -> list[TracePacket]:
    """Beginning and end of a slice."""
    return [
        event(
            TrackEvent.TYPE_SLICE_BEGIN,
            start,
            uuid,
            name,
            category=category,
            sequence=sequence,
            **annotations,
        ),
        event(TrackEvent.TYPE_SLICE_END, end, uuid, sequence=sequence),
    ]


def counter(uuid: int, at: int, value: float) -> TracePacket:
    """A value of a counter."""
    packet = event(TrackEvent.TYPE_COUNTER, at, uuid)
    if isinstance(value, int):
        packet.track_event.counter_value = value
    else:
        packet.track_event.double_counter_value = value
    return packet


def clocks(*readings: tuple[int, int], sequence: int = SEQUENCE) -> TracePacket:
    """A snapshot: ids of clocks and what they show."""
    packet = TracePacket(trusted_packet_sequence_id=sequence)
    for clock_id, timestamp in readings:
        packet.clock_snapshot.clocks.add(clock_id=clock_id, timestamp=timestamp)
    return packet


def bytes_of(packets: Iterable[TracePacket]) -> bytes:
    return Trace(packet=list(packets)).SerializeToString()


def write(path: Path, packets: Iterable[TracePacket]) -> Path:
    """Write a trace; gzipped where the name says so."""
    trace = bytes_of(packets)
    path.write_bytes(gzip.compress(trace) if path.suffix == ".gz" else trace)
    return path
