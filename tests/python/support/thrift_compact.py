"""Reads and writes Thrift's compact protocol, in which Parquet has its metadata, without a schema.

Written from the protocol's description (apache/thrift, ``doc/specs/thrift-compact-protocol.md``);
it shares nothing with what reads Parquet.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
INTEGERS = (BYTE, I16, I32, I64)


@dataclass
class Value:
    """A value with its type.

    Attributes:
        kind: One of the protocol's types.
        content: An int, float or bytes; the elements of a list; or a struct's fields by number.
        of: The type of a list's elements.
    """

    kind: int
    content: int | float | bytes | list[Value] | dict[int, Value]
    of: int = STRUCT

    def __getitem__(self, key: int) -> Value:
        """A list's element, or a struct's field."""
        assert isinstance(self.content, (list, dict))
        return self.content[key]

    @property
    def number(self) -> int:
        """The content of an integer."""
        assert isinstance(self.content, int)
        return self.content


class Reader:
    """Reads from bytes.

    Args:
        data: The bytes.
        place: Where it begins.

    Attributes:
        place: Where what was read so far ends.
    """

    def __init__(self, data: bytes, place: int = 0) -> None:
        self._data, self.place = data, place

    def value(self, kind: int = STRUCT) -> Value:
        """The value of a type that comes next."""
        if kind in (TRUE, FALSE):
            return Value(kind, 0)
        if kind == BYTE:
            return Value(kind, struct.unpack("b", self._take(1))[0])
        if kind in INTEGERS:
            number = self._varint()
            return Value(kind, (number >> 1) ^ -(number & 1))
        if kind == DOUBLE:
            return Value(kind, struct.unpack("<d", self._take(8))[0])
        if kind == BINARY:
            return Value(kind, self._take(self._varint()))
        if kind in (LIST, SET):
            head = self._take(1)[0]
            count = head >> 4 if head >> 4 != 15 else self._varint()
            of = head & 15
            return Value(kind, [self._element(of) for _ in range(count)], of)
        assert kind == STRUCT, kind
        fields: dict[int, Value] = {}
        number = 0
        while head := self._take(1)[0]:
            delta, field_kind = head >> 4, head & 15
            number = number + delta if delta else self.value(I16).number
            fields[number] = self.value(field_kind)
        return Value(kind, fields)

    def _element(self, of: int) -> Value:
        """Truth values of a list have a byte each, those of a struct are in their type."""
        return Value(self._take(1)[0], 0) if of in (TRUE, FALSE) else self.value(of)

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._take(1)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def _take(self, size: int) -> bytes:
        self.place += size
        return self._data[self.place - size : self.place]


def written(value: Value) -> bytes:
    """The bytes of a value."""
    content = value.content
    if value.kind in (TRUE, FALSE):
        return b""
    if value.kind == BYTE:
        return struct.pack("b", content)
    if value.kind in INTEGERS:
        assert isinstance(content, int)
        return varint((content << 1) ^ (content >> 63))
    if value.kind == DOUBLE:
        return struct.pack("<d", content)
    if isinstance(content, bytes):
        return varint(len(content)) + content
    if isinstance(content, list):
        long = len(content) >= 15
        head = bytes([(15 if long else len(content)) << 4 | value.of])
        head += varint(len(content)) if long else b""
        if value.of in (TRUE, FALSE):
            return head + bytes(each.kind for each in content)
        return head + b"".join(map(written, content))
    assert isinstance(content, dict)
    parts: list[bytes] = []
    before = 0
    for number, field in content.items():
        assert 0 < number - before < 16
        parts.append(bytes([(number - before) << 4 | field.kind]) + written(field))
        before = number
    return b"".join(parts) + b"\0"


def varint(number: int) -> bytes:
    """A number in groups of seven bits, as 64 bits hold it."""
    number &= (1 << 64) - 1
    parts: list[int] = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def leaves(value: Value, path: str = "") -> Iterator[tuple[str, Value]]:
    """The integers below a value, each with its path."""
    if value.kind in INTEGERS:
        yield path, value
    elif isinstance(value.content, list):
        for number, each in enumerate(value.content):
            yield from leaves(each, f"{path}[{number}]")
    elif isinstance(value.content, dict):
        for number, each in value.content.items():
            yield from leaves(each, f"{path}.{number}")
