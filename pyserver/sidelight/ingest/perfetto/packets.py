"""Takes a trace apart into its packets, as many as can be read."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from sidelight.ingest.binaries.wire import (
    LENGTH_DELIMITED,
    Value,
    WireError,
    fields,
    members,
    varint,
)
from sidelight.ingest.byte_source import ByteSource
from sidelight.ingest.repair.findings import Finding, Findings

Packet = dict[int, Value]
"""The fields of a packet, by number. None that is read is there twice."""

PACKET_KEY: Final = 1 << 3 | LENGTH_DELIMITED
"""How each packet begins: a trace is one message, and all that is in it is packets."""

_WINDOW_BYTES: Final = 4 << 20
_LARGEST_PACKET_BYTES: Final = 16 << 20
_LONGEST_KEY_BYTES: Final = 20
"""A field's key and its length, each a varint of at most ten bytes."""

_MOST_PACKETS: Final = 100_000_000
"""A packet of two bytes is a packet, and a compressed file can hold a thousand times its size."""

_DEFLATED, _ZSTD = 50, 133


class TooLargeError(ValueError):
    """The trace holds more than there is room for."""


class Packets:
    """The packets of a trace, those in compressed packets too, in the order of the file.

    Args:
        source: The trace.
        findings: Told of packets that cannot be read; behind a place where not even the next
            packet's beginning can be told, of one for all that follow.

    Attributes:
        unknown_compression: Packets of packets that are compressed in a way that is not read.
    """

    def __init__(self, source: ByteSource, findings: Findings) -> None:
        self._source = source
        self._findings = findings
        self.unknown_compression = 0
        self._left = _MOST_PACKETS

    def __iter__(self) -> Iterator[Packet]:
        """The packets.

        Raises:
            TooLargeError: There are more than any recording has.
        """
        buffer, at = b"", 0
        while True:
            span = self._next(buffer, at)
            if span is not None and span[1] - span[0] > _LARGEST_PACKET_BYTES:
                self._findings.add(Finding.DAMAGED_EVENTS)
                return
            if span is None or span[1] > len(buffer):
                chunk = self._source.read(_WINDOW_BYTES)
                if not chunk:
                    if at < len(buffer):
                        self._findings.once(Finding.CUT_OFF)
                    return
                buffer, at = buffer[at:] + chunk, 0
                continue
            start, at = span
            yield from self._parsed(buffer[start:at])

    def _next(self, buffer: bytes, at: int) -> tuple[int, int] | None:
        """Where the packet that begins at a place starts and ends; None where too little is known.

        The end of what cannot be a packet is beyond all limits.
        """
        try:
            key, start = varint(buffer, at)
            length, start = varint(buffer, start)
        except WireError:
            return None if len(buffer) - at < _LONGEST_KEY_BYTES else _beyond(at)
        return (start, start + length) if key == PACKET_KEY else _beyond(at)

    def _parsed(self, packet: bytes, *, nested: bool = False) -> Iterator[Packet]:
        self._left -= 1
        if self._left < 0:
            raise TooLargeError
        try:
            parsed = members(packet)
        except WireError:
            self._findings.add(Finding.DAMAGED_EVENTS)
            return
        yield parsed
        if _ZSTD in parsed:
            self.unknown_compression += 1
        deflated = parsed.get(_DEFLATED)
        if isinstance(deflated, bytes) and not nested:
            yield from self._unpacked(deflated)

    def _unpacked(self, deflated: bytes) -> Iterator[Packet]:
        try:
            trace = zlib.decompressobj().decompress(deflated, _LARGEST_PACKET_BYTES)
            for number, packet in fields(trace):
                if number == PACKET_KEY >> 3 and isinstance(packet, bytes):
                    yield from self._parsed(packet, nested=True)
        except (zlib.error, WireError):
            self._findings.add(Finding.DAMAGED_EVENTS)


def _beyond(at: int) -> tuple[int, int]:
    return at, at + _LARGEST_PACKET_BYTES + 1
