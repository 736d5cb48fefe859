"""Cuts a long JSON array into windows of whole elements, without parsing it.

A trace is one array of up to gigabytes in a small object. Parsing it at once takes many times its
size in memory; so it is cut between two events every few megabytes, and each piece is an array of
its own. Nothing is assumed about white space. No byte is looked at more than a few times, whatever
the document: the time taken grows linearly with its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Protocol, TypeVar

import msgspec

from sidelight.ingest.json_brackets import BracketCounter

WINDOW_BYTES: Final = 1 << 19
"""Large enough for cuts to cost nothing, small enough for the parsed events to stay in cache."""

HEADER_LIMIT_BYTES: Final = 64 << 20
"""How far the events may begin from the start of the document."""

LIMIT_BYTES: Final = 256 << 20
"""How long one element may be, and how long the document may go on after the array. Both are held
in memory, and a compressed file can hold a thousand times its size."""

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


class SeveralArraysError(ValueError):
    """What follows the array names another one of the same name."""


class TooLongError(ValueError):
    """An element, or what follows the array, is longer than ``LIMIT_BYTES``."""


class ArrayWindows:
    """The elements of one array in a JSON document, a window at a time.

    Args:
        source: The document.
        key: The name of the array in the outermost object. A document that is nothing but an
            array is taken as that array.
        window_bytes: How much is read at a time.
        limit_bytes: As ``LIMIT_BYTES``.

    Attributes:
        head: The document up to and with the array's bracket.
        is_bare: Whether the document is nothing but the array.
        undecoded: What was read and not decoded yet, from between two elements on. Where decoding
            has failed, it begins with what it failed at.

    Raises:
        NoArrayError: The document has no such array.
    """

    def __init__(
        self,
        source: ByteSource,
        key: str,
        window_bytes: int = WINDOW_BYTES,
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        self._source = source
        self._window_bytes = window_bytes
        self._limit_bytes = limit_bytes
        self._key = _quoted(key)
        self.head, ahead = _split_header(source, key)
        self.undecoded = bytearray(ahead)
        self._tail = b""
        self.is_bare = self.head.lstrip() == b"["

    @property
    def envelope(self) -> bytes:
        """The document with its array emptied. Complete once the windows have been read."""
        return self.head + self._tail

    def begins_with(self, pattern: re.Pattern[bytes]) -> bool:
        """Whether the elements begin like this. Nothing can be decoded any more afterwards."""
        beginnings = _beginnings(self._source, bytes(self.undecoded))
        return any(pattern.match(beginning) for beginning in beginnings)

    def decoded(self, decode: Callable[[bytes], Decoded]) -> Iterator[Decoded]:
        """Decode the elements, window by window.

        A cut that is found fast may lie inside an element, between two objects that are nested
        in it. Such a cut leaves a bracket open, so the decoder refuses the window; only then are
        the brackets counted, until they tell where an element or the array ends.

        Args:
            decode: Parses a JSON array.

        Raises:
            TruncatedError: The document ends before the array does.
            TooLongError: An element, or the rest of the document, is too long.
            SeveralArraysError: The rest of the document names the array once more.
            msgspec.DecodeError: ``decode`` refused the elements.
        """
        buffer = self.undecoded
        counter: BracketCounter | None = None
        while True:
            chunk = self._source.read(self._window_bytes)
            comma = find_cut(chunk, len(chunk)) if counter is None else None
            if comma is not None:
                try:
                    window = decode(_array_of(buffer, memoryview(chunk)[:comma]))
                except msgspec.DecodeError:
                    pass
                except Exception:
                    buffer += chunk
                    raise
                else:
                    yield window
                    buffer[:] = memoryview(chunk)[comma + 1 :]
                    continue
            buffer += chunk
            counter = counter or BracketCounter()
            counter.count(buffer)
            if counter.array_end is not None:
                break
            if not chunk:
                raise TruncatedError
            if counter.last_comma is not None:
                yield decode(_array_of(memoryview(buffer)[: counter.last_comma]))
                del buffer[: counter.last_comma + 1]
                counter = None
            elif len(buffer) > self._limit_bytes:
                raise TooLongError("an event")
        yield decode(_array_of(memoryview(buffer)[: counter.array_end]))
        del buffer[: counter.array_end]
        self._read_tail(buffer)

    def _read_tail(self, tail: bytearray) -> None:
        searched = 0
        while True:
            if tail.find(self._key, max(0, searched - len(self._key))) >= 0:
                raise SeveralArraysError
            searched = len(tail)
            chunk = self._source.read(self._window_bytes)
            if not chunk:
                break
            tail += chunk
            if len(tail) > self._limit_bytes:
                raise TooLongError("what follows its events")
        self._tail = bytes(tail)


def _array_of(*elements: bytearray | memoryview) -> bytes:
    """A JSON array of elements that are in several pieces, with a single copy."""
    return b"".join((b"[", *elements, b"]"))


def _beginnings(source: ByteSource, beginning: bytes = b"") -> Iterator[bytes]:
    """Ever more of a document, as far as its array may begin; each time about twice as much."""
    if beginning:
        yield beginning
    while len(beginning) < HEADER_LIMIT_BYTES:
        chunk = source.read(max(1 << 16, len(beginning)))
        if not chunk:
            return
        beginning += chunk
        yield beginning


_BARE_ARRAY: Final = re.compile(rb"\s*\[")


def _split_header(source: ByteSource, key: str) -> tuple[bytes, bytes]:
    """The document up to and with the array's bracket, and what was read beyond it."""
    # Inside a string the quotes would be escaped, so this finds the key itself.
    named_array = re.compile(rb"%b\s*:\s*\[" % re.escape(_quoted(key)))
    for beginning in _beginnings(source):
        if match := _BARE_ARRAY.match(beginning) or named_array.search(beginning):
            return beginning[: match.end()], beginning[match.end() :]
    raise NoArrayError


def _quoted(key: str) -> bytes:
    return b'"%b"' % key.encode()


# The quote ends any string that the text before it might be in, and a letter cannot follow the end
# of a string: so this matches outside strings only.
_BETWEEN_OBJECTS: Final = re.compile(rb'\}\s*(,)\s*\{\s*"\w')


def find_cut(buffer: bytes | bytearray, end: int) -> int | None:
    """The place of the last comma between two objects, of whatever depth; None if there is none.

    Args:
        buffer: Text from inside an array.
        end: Up to where to look.
    """
    reach = 1 << 14
    while True:
        start = max(0, end - reach)
        commas = [match.start(1) for match in _BETWEEN_OBJECTS.finditer(buffer, start, end)]
        if commas:
            return commas[-1]
        if start == 0:
            return None
        reach *= 4
