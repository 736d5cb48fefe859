"""Tells Perfetto's traces from other protocol buffers, which begin much alike."""

from __future__ import annotations

from typing import Final

from sidelight.ingest.binaries.wire import NUMBERS_END, Value, WireError, fields, varint
from sidelight.ingest.perfetto.packets import PACKET_KEY

HEAD_BYTES: Final = 64 << 10
_MOST_PACKETS: Final = 32

_TIMESTAMP, _EVENT = 8, 11
_MESSAGES: Final = frozenset({6, 33, 60, 89})
"""Snapshot, configuration, track, and the trace's uuid."""

_MARKER: Final = 36
_MARK: Final = bytes.fromhex("82477a76b28d42ba81dc33326d57a079")
"""What Perfetto's service writes every few seconds, in a packet of its own."""

_DEFLATED: Final = 50
_ZLIB: Final = b"\x78"


def begins_with_packets(head: bytes) -> bool:
    """Whether this is how a trace begins: with packets, one of which has what only theirs have.

    Args:
        head: The file's first ``HEAD_BYTES``.
    """
    at = 0
    for _ in range(_MOST_PACKETS):
        try:
            key, at = varint(head, at)
            length, at = varint(head, at)
            if key != PACKET_KEY or at + length > len(head):
                return False
            packet = list(fields(head[at : at + length]))
        except WireError:
            return False
        if any(number >= NUMBERS_END for number, _ in packet):
            return False
        if _is_telling(dict(packet)):
            return True
        at += length
    return False


def _is_telling(packet: dict[int, Value]) -> bool:
    deflated = packet.get(_DEFLATED)
    return (
        packet.get(_MARKER) == _MARK
        or (isinstance(deflated, bytes) and deflated.startswith(_ZLIB))
        or (isinstance(packet.get(_TIMESTAMP), int) and _is_message(packet.get(_EVENT)))
        or any(_is_message(packet.get(number)) for number in _MESSAGES)
    )


def _is_message(value: Value | None) -> bool:
    """Whether a field holds a message with something in it."""
    if not isinstance(value, bytes) or not value:
        return False
    try:
        return all(number < NUMBERS_END for number, _ in fields(value))
    except WireError:
        return False
