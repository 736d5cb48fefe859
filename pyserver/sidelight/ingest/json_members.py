"""Takes a JSON object apart into its members, long lists a window at a time.

Profilers write objects of many lists, in any order, any of which can take up most of the file. So
each list is cut between elements every few megabytes, as ``json_windows`` cuts the one list of a
trace, and what nobody wants is passed over unparsed. The time grows linearly with the document's
length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sidelight.ingest.json_brackets import BracketCounter
from sidelight.ingest.json_windows import (
    LIMIT_BYTES,
    WINDOW_BYTES,
    ByteSource,
    TooLongError,
    TruncatedError,
)
from sidelight.profile.errors import UnreadableInputError

_BEGINNING: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_TEXT: Final = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
# What follows has to be there already, so that nothing is taken that may go on.
_NAME: Final = re.compile(rb"[\s,]*(" + _TEXT + rb")\s*:\s*(?=\S)", re.DOTALL)
_END: Final = re.compile(rb"[\s,]*\}")
_STRING: Final = re.compile(_TEXT, re.DOTALL)
_SCALAR: Final = re.compile(rb"[^\s,\[\]{}\"]+(?=[\s,}])")
_NAME_LIMIT_BYTES: Final = 1 << 16
_FIRST_LOOK_BYTES: Final = 256
_FURTHER_LOOKS: Final = 16
"""A look is that many times as far as the one before: so that small values, of which there can be
very many, are counted through without a look at the rest of the window."""


class Piece(NamedTuple):
    """A member of an object, or a part of one.

    Attributes:
        name: The member's name. A long list comes as several pieces of one name.
        text: Its value as JSON; of a list, some of its elements as a list. Empty for a member that
            was not wanted.
        opening: The first byte of its value, which tells its kind.
    """

    name: str
    text: bytes
    opening: bytes


class JsonMembers:
    """The members of the outermost object of a JSON document, in their order.

    Args:
        source: The document.
        window_bytes: How much is read at a time.
        limit_bytes: How long an element of a list, or a value that is no list, may be.

    Attributes:
        is_followed: Whether anything comes after the object. Known once the pieces are read.
    """

    def __init__(
        self,
        source: ByteSource,
        window_bytes: int = WINDOW_BYTES,
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        self.is_followed = False
        self._source = source
        self._window_bytes = window_bytes
        self._limit_bytes = limit_bytes
        self._text = b""
        self._at = 0

    def pieces(self, is_wanted: Callable[[str], bool]) -> Iterator[Piece]:
        """Go through the members.

        Args:
            is_wanted: Whether a member of this name is to be read. One that is not comes once, and
                without its value.

        Raises:
            TruncatedError: The document ends early. What is whole has come before.
            TooLongError: A value, or an element of a list, is too long.
            msgspec.DecodeError: The document is no object, or broken.
        """
        while self._take(_BEGINNING) is None:
            self._seek("it does not begin with an object")
        while self._take(_END) is None:
            if (named := self._take(_NAME)) is None:
                self._seek("a member has no name")
                continue
            name = str(msgspec.json.decode(named.group(1), type=str))
            opening = self._text[self._at : self._at + 1]
            wanted = is_wanted(name)
            if not wanted:
                yield Piece(name, b"", opening)
            for text in self._value(opening):
                if wanted:
                    yield Piece(name, text, opening)
        self.is_followed = bool(self._text[self._at :].strip() or self._source.read(4096).strip())

    def _take(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _seek(self, fault: str) -> None:
        """Read on, unless what stands there cannot become a name."""
        rest = self._text[self._at :].lstrip(b", \t\r\n\xef\xbb\xbf")
        if len(rest) > _NAME_LIMIT_BYTES or (rest and not rest.startswith(b'"')):
            raise msgspec.DecodeError(fault)
        self._read_on()

    def _read_on(self) -> None:
        """Let go of what was taken, and read more."""
        self._text, self._at = self._text[self._at :], 0
        if len(self._text) > self._limit_bytes:
            raise TooLongError("a value in it")
        # Twice as much each time, so that no byte is copied more than a few times.
        chunk = self._source.read(max(self._window_bytes, len(self._text)))
        if not chunk:
            raise TruncatedError
        self._text += chunk

    def _value(self, opening: bytes) -> Iterator[bytes]:
        if opening == b"[":
            self._at += 1
            yield from self._elements()
        elif opening == b"{":
            self._at += 1
            yield self._nested()
        elif opening in b"]},:":
            raise msgspec.DecodeError("a member has no value")
        else:
            while (match := self._take(_STRING if opening == b'"' else _SCALAR)) is None:
                self._read_on()
            yield match.group()

    def _look(self) -> BracketCounter:
        """Count from here to the end of the value, or of what was read."""
        counter = BracketCounter()
        reach = _FIRST_LOOK_BYTES
        while counter.array_end is None and self._at + reach < len(self._text):
            counter.count(self._text[self._at : self._at + reach])
            reach *= _FURTHER_LOOKS
        if counter.array_end is None:
            self._text, self._at = self._text[self._at :], 0
            counter.count(self._text)
        return counter

    def _nested(self) -> bytes:
        counter = self._look()
        while counter.array_end is None:
            self._read_on()
            counter.count(self._text)
        start, self._at = self._at, self._at + counter.array_end + 1
        return b"{" + self._text[start : self._at]

    def _elements(self) -> Iterator[bytes]:
        while True:
            counter = self._look()
            while counter.array_end is None and counter.last_comma is None:
                try:
                    self._read_on()
                except TruncatedError:
                    if last := _whole(self._text):
                        yield last
                    raise
                counter.count(self._text)
            is_last = counter.array_end is not None
            length = (counter.array_end if is_last else counter.last_comma) or 0
            start, self._at = self._at, self._at + length + 1
            yield b"".join((b"[", memoryview(self._text)[start : start + length], b"]"))
            if is_last:
                return


def _whole(rest: bytes) -> bytes | None:
    """The element at the end of a list that was cut off behind it; None if it was cut itself."""
    text = b"[" + rest + b"]"
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None
    return text


@contextmanager
def explained(path: Path, what: str) -> Generator[None]:
    """Turn what the parser has to say about a file into a plain sentence.

    Args:
        path: The file.
        what: What it should be, as a message names it, with its article.

    Raises:
        UnreadableInputError: ``too_long`` or ``broken_json``.
    """
    try:
        yield
    except TooLongError as error:
        raise UnreadableInputError(
            "too_long",
            f"{path} cannot be read: {error} is longer than in any recording of a profiler. "
            "Record it again.",
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableInputError(
            "broken_json", f"{path} is not {what}: {error}. Copy or record it again."
        ) from error
