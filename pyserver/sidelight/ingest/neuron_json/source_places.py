"""The source lines that the compiler noted for an instruction, as nodes of the calling contexts."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.neuron_json.values import LONGEST_TEXT
from sidelight.ingest.vocabulary import Vocabulary

_PLACE: Final = re.compile(r"(?P<file>.+?):(?P<line>[1-9]\d{0,8})(?::\d+)?", re.DOTALL)


class SourcePlaces:
    """Gives instructions their places, and each different set of places a code.

    An instruction that the compiler fused of several has several places, none of which is the one.

    Args:
        builder: Where the places go.
        source: Where files may be that are named by relative paths.
    """

    def __init__(self, builder: ProfileBuilder, source: SourceLines) -> None:
        self._builder = builder
        self._source = source
        self._codes: Vocabulary[tuple[int, ...]] = Vocabulary([()])
        self._code_by_text: dict[str, int] = {}

    def code(self, kernel: Any, compiled: Any) -> int:
        """The code of an instruction's places; 0 where it has none.

        Args:
            kernel: ``nki_source_location``: the lines of a kernel.
            compiled: ``bir_debug_info_source_location``: the lines that the compiler noted, of any
                kind of file. They count where the first are absent.
        """
        return self._code(kernel) or self._code(compiled)

    def all_nodes(self) -> list[tuple[int, ...]]:
        """The nodes that each code means."""
        return self._codes.values()

    def _code(self, value: Any) -> int:
        if not value:
            return 0
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        text = text[:LONGEST_TEXT]
        known = self._code_by_text.get(text)
        if known is None:
            nodes = [self._node(place) for place in _texts(text)]
            # The same line twice, as of a loop that was unrolled, is one line.
            known = self._codes.code(tuple(dict.fromkeys(n for n in nodes if n is not None)))
            self._code_by_text[text] = known
        return known

    def _node(self, place: str) -> int | None:
        match = _PLACE.fullmatch(place.strip())
        if match is None:
            return None
        frame = self._builder.frame(self._source.absolute(match["file"]), int(match["line"]), "")
        return self._builder.stacks.code((-1, frame))


def _texts(text: str) -> list[str]:
    """The places in a text: one, or a list of them, as JSON or in other brackets."""
    if not text.startswith("["):
        return [text]
    try:
        return msgspec.json.decode(text, type=list[str])
    except msgspec.DecodeError:
        return [place.strip(" '\"") for place in text.strip("[] ").split(",")]
