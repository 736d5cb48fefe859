"""Cuts a long JSON array into windows of whole elements, without parsing it.

A trace is one array of up to gigabytes in a small object. Parsing it at once takes many times its
size in memory; so it is cut between two events every few megabytes, and each piece is an array of
its own. Nothing is assumed about white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec
import numpy as np

WINDOW_BYTES: Final = 4 << 20
"""Large enough for cuts to cost nothing, small enough for the parsed events to stay in cache."""

HEADER_LIMIT_BYTES: Final = 64 << 20
"""How far the events may begin from the start of the document."""

Decoded = TypeVar("Decoded")


class ByteSource(Protocol):
    """What windows are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """The next ``size`` bytes, or all that are left; fewer only at the end."""
        ...


class TruncatedError(ValueError):
    """The document ends before its array does."""


class NoArrayError(ValueError):
    """The document holds no array of that name."""


class ArrayWindows:
    """The elements of one array in a JSON document, a window at a time.

    Args:
        source: The document.
        key: The name of the array in the outermost object. A document that is nothing but an
            array is taken as that array.
        window_bytes: How much is read at a time.

    Raises:
        NoArrayError: The document has no such array.
    """

    def __init__(self, source: ByteSource, key: str, window_bytes: int = WINDOW_BYTES) -> None:
        self._source = source
        self._window_bytes = window_bytes
        self._head, self._ahead = _split_header(source, key)
        self._tail = b""

    @property
    def envelope(self) -> bytes:
        """The document with its array emptied. Complete once the windows have been read."""
        return self._head + self._tail

    def decoded(self, decode: Callable[[bytes], Decoded]) -> Iterator[Decoded]:
        """Decode the elements, window by window.

        A cut that is found fast may lie inside an element, between two objects that are nested
        in it. Such a cut leaves a bracket open, so the decoder refuses the window; only then are
        the brackets counted.

        Args:
            decode: Parses a JSON array.

        Raises:
            TruncatedError: The document ends before the array does.
            msgspec.DecodeError: ``decode`` refused the elements.
        """
        buffer = self._ahead
        self._ahead = b""
        while chunk := self._source.read(self._window_bytes):
            buffer += chunk
            comma = _find_cut(buffer)
            if comma is None:
                continue
            try:
                window = decode(_array_of(buffer, comma))
            except msgspec.DecodeError:
                extent = count_brackets(buffer)
                if extent.array_end is not None:
                    break
                if extent.last_comma is None:
                    continue
                comma = extent.last_comma
                window = decode(_array_of(buffer, comma))
            yield window
            buffer = buffer[comma + 1 :]
        array_end = count_brackets(buffer).array_end
        if array_end is None:
            raise TruncatedError
        yield decode(_array_of(buffer, array_end))
        self._tail = buffer[array_end:] + self._source.read()


def _array_of(buffer: bytes, end: int) -> bytes:
    """The elements before ``end`` as a JSON array, with a single copy."""
    return b"".join((b"[", memoryview(buffer)[:end], b"]"))


def _split_header(source: ByteSource, key: str) -> tuple[bytes, bytes]:
    """The document up to and with the array's bracket, and what was read beyond it."""
    # Inside a string the quotes would be escaped, so this matches the key itself.
    opening = re.compile(rb'\s*\[|.*?"%b"\s*:\s*\[' % re.escape(key.encode()), re.DOTALL)
    buffer = b""
    while len(buffer) < HEADER_LIMIT_BYTES:
        chunk = source.read(max(1 << 16, len(buffer)))
        if not chunk:
            break
        buffer += chunk
        if match := opening.match(buffer):
            return buffer[: match.end()], buffer[match.end() :]
    raise NoArrayError


# The quote ends any string that the text before it might be in, and a letter cannot follow the end
# of a string: so this matches outside strings only.
_BETWEEN_OBJECTS: Final = re.compile(rb'\}\s*(,)\s*\{\s*"\w')


def _find_cut(buffer: bytes) -> int | None:
    """The place of the last comma between two objects, of whatever depth; None if there is none."""
    reach = 1 << 14
    while True:
        start = max(0, len(buffer) - reach)
        commas = [match.start(1) for match in _BETWEEN_OBJECTS.finditer(buffer, start)]
        if commas:
            return commas[-1]
        if start == 0:
            return None
        reach *= 4


class Extent(NamedTuple):
    """What counting brackets finds in the text of an array, from between two elements on.

    Attributes:
        last_comma: The place of the last comma between two elements.
        array_end: The place of the bracket that closes the array.
    """

    last_comma: int | None
    array_end: int | None


_ESCAPE: Final = re.compile(rb"\\.", re.DOTALL)
_DEPTH_CHANGE: Final = np.zeros(256, np.int8)
_DEPTH_CHANGE[list(b"[{")] = 1
_DEPTH_CHANGE[list(b"]}")] = -1
_IS_STRUCTURE: Final = _DEPTH_CHANGE != 0
_IS_STRUCTURE[ord(",")] = True


def count_brackets(buffer: bytes) -> Extent:
    """Find where elements end by counting brackets outside strings: always right, but slower."""
    text = np.frombuffer(_ESCAPE.sub(b"__", buffer) if b"\\" in buffer else buffer, np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    places = np.flatnonzero(_IS_STRUCTURE[text])
    places = places[np.searchsorted(quotes, places) % 2 == 0]
    depths = np.cumsum(_DEPTH_CHANGE[text[places]], dtype=np.int64)
    closings = np.flatnonzero(depths < 0)
    if len(closings):
        places, depths = places[: closings[0] + 1], depths[: closings[0] + 1]
    commas = places[(depths == 0) & (text[places] == ord(","))]
    return Extent(
        last_comma=int(commas[-1]) if len(commas) else None,
        array_end=int(places[-1]) if len(closings) else None,
    )
