"""Finds where the elements of a JSON array end, by counting brackets: always right, but slower."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

_ESCAPE: Final = re.compile(rb"\\.", re.DOTALL)
_QUOTE: Final = ord('"')
_COMMA: Final = ord(",")
_DEPTH_CHANGE: Final = np.zeros(256, np.int8)
_DEPTH_CHANGE[list(b"[{")] = 1
_DEPTH_CHANGE[list(b"]}")] = -1
_IS_STRUCTURE: Final = _DEPTH_CHANGE != 0
_IS_STRUCTURE[_COMMA] = True


class BracketCounter:
    """Counts through the text of an array, from between two elements on, as it arrives.

    Attributes:
        last_comma: The place of the last comma between two elements, None as long as there is none.
        array_end: The place of the bracket that closes the array, None as long as it is not there.
    """

    def __init__(self) -> None:
        self.last_comma: int | None = None
        self.array_end: int | None = None
        self._counted = 0
        self._depth = 0
        self._in_string = False

    def count(self, buffer: bytes | bytearray) -> None:
        """Go on to the end of what there is of the text.

        Args:
            buffer: The text from its start: what was counted already, and more.
        """
        new = bytes(memoryview(buffer)[self._counted :])
        if b"\\" in new:
            new = _ESCAPE.sub(b"__", new)
            if new.endswith(b"\\"):  # what it escapes has yet to arrive
                new = new[:-1]
        text = np.frombuffer(new, np.uint8)
        quotes = np.flatnonzero(text == _QUOTE)
        places = np.flatnonzero(_IS_STRUCTURE[text])
        places = places[(np.searchsorted(quotes, places) + self._in_string) % 2 == 0]
        depths = self._depth + np.cumsum(_DEPTH_CHANGE[text[places]], dtype=np.int64)
        closings = np.flatnonzero(depths < 0)
        if len(closings):
            self.array_end = self._counted + int(places[closings[0]])
            places, depths = places[: closings[0]], depths[: closings[0]]
        commas = places[(depths == 0) & (text[places] == _COMMA)]
        if len(commas):
            self.last_comma = self._counted + int(commas[-1])
        if len(depths):
            self._depth = int(depths[-1])
        self._in_string ^= len(quotes) % 2 == 1
        self._counted += len(new)
