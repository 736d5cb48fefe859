"""Reads protocol buffers by field number, where no library or no definition of them is at hand.

A message is a run of fields: a varint that holds the field's number and its wire type, then the
value (https://protobuf.dev/programming-guides/encoding/).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

VARINT: Final = 0
FIXED64: Final = 1
LENGTH_DELIMITED: Final = 2
FIXED32: Final = 5

NUMBERS_END: Final = 1000
"""Fields that mean anything here have numbers below this."""

_LONGEST_VARINT_BITS: Final = 63
"""Where the last of ten groups of seven bits begins; there is no eleventh."""

_UINT64: Final = (1 << 64) - 1

Value = int | bytes
"""Varints and fixed-width fields as unsigned integers; everything else as bytes."""


class WireError(ValueError):
    """The bytes are no whole message."""


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message, in the order in which they are written.

    Args:
        message: The whole message.

    Yields:
        Numbers of fields and their values, as they are stored: a nested message is its bytes.

    Raises:
        WireError: The message ends inside a field, or holds something that is no field.
    """
    at, end = 0, len(message)
    while at < end:
        key = message[at]
        at += 1
        if key > 0x7F:
            key, at = varint(message, at - 1)
        wire_type = key & 7
        if key < 8:
            raise WireError("a field with the number 0")
        if wire_type == VARINT:
            if at < end and message[at] < 0x80:
                value: Value = message[at]
                at += 1
            else:
                value, at = varint(message, at)
        elif wire_type == LENGTH_DELIMITED:
            if at < end and message[at] < 0x80:
                length = message[at]
                at += 1
            else:
                length, at = varint(message, at)
            if length > end - at:
                raise WireError("a field that is longer than its message")
            value = message[at : at + length]
            at += length
        elif wire_type in (FIXED64, FIXED32):
            length = 8 if wire_type == FIXED64 else 4
            if length > end - at:
                raise WireError("a field that is longer than its message")
            value = int.from_bytes(message[at : at + length], "little")
            at += length
        else:
            raise WireError(f"a field of the unknown wire type {wire_type}")
        yield key >> 3, value


def members(message: bytes) -> dict[int, Value]:
    """The fields of a message by number; of several values the last, as protocol buffers say.

    Numbers that no definition has are left out, so that the result is small whatever the message.

    Raises:
        WireError: As :func:`fields`.
    """
    return {number: value for number, value in fields(message) if number < NUMBERS_END}


def varint(message: bytes, at: int) -> tuple[int, int]:
    """The varint at a place, and the place after it.

    Raises:
        WireError: The message ends inside it, or it has more than 64 bits.
    """
    value = shift = 0
    try:
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & _UINT64, at
            if shift == _LONGEST_VARINT_BITS:
                raise WireError("a number of more than 64 bits")
            shift += 7
    except IndexError:
        raise WireError("a number that is longer than its message") from None


def signed(value: int) -> int:
    """A varint as the signed 64-bit number that it stands for."""
    return value - (1 << 64) if value >> 63 else value


def messages(message: bytes, wanted: int) -> list[bytes]:
    """The values of a field that holds text, bytes or messages; those of other types are left out.

    Raises:
        WireError: As :func:`fields`.
    """
    return [
        value for found, value in fields(message) if found == wanted and isinstance(value, bytes)
    ]


def number(value: Value | None) -> int:
    """A field that holds a number; 0, which is what is not written, where it is none or text."""
    return value if isinstance(value, int) else 0


def text(value: Value | None) -> str:
    """A field that holds text, empty where there is none."""
    return value.decode(errors="replace") if isinstance(value, bytes) else ""
