"""The wire format of protocol buffers, as far as traces are written in it."""

from __future__ import annotations

import struct

_VARINT, _FIXED64, _BYTES = 0, 1, 2
_ALL_BITS = (1 << 64) - 1


def varint(number: int) -> bytes:
    """A whole number; a negative one as its 64 bits."""
    number &= _ALL_BITS
    if number < 0x80:
        return bytes((number,))
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number_field(field: int, number: int) -> bytes:
    """A field that holds a whole number."""
    return varint(field << 3 | _VARINT) + varint(number)


def bytes_field(field: int, content: bytes) -> bytes:
    """A field that holds a message, or bytes."""
    return varint(field << 3 | _BYTES) + varint(len(content)) + content


def text_field(field: int, text: str) -> bytes:
    """A field that holds text; what is no Unicode becomes ``?``."""
    return bytes_field(field, text.encode("utf-8", "replace"))


def fixed64_field(field: int, number: int) -> bytes:
    """A field that holds 64 bits."""
    return varint(field << 3 | _FIXED64) + struct.pack("<Q", number)


def double_field(field: int, number: float) -> bytes:
    """A field that holds a floating-point number."""
    return varint(field << 3 | _FIXED64) + struct.pack("<d", number)
