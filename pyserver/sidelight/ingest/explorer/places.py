"""Places in the source, as the tables name them."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

import msgspec

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import without_cut_end
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.user_code import is_user_code

_MOST_PLACES: Final = 256
"""Places of one instruction that count. Fusion joins some; thousands would be a damaged file."""

_LAST_LINE: Final = 10**9

_PLACE: Final = re.compile(r"\s*(?P<file>\S.*?):(?P<line>[1-9]\d{0,8})(?::\d+)?\s*", re.DOTALL)
_BETWEEN: Final = re.compile(r"(?<=\d)[\"']?\s*[,;|\n]\s*[\"']?(?=\S)")
"""What stands between two places: it follows a line number, so a comma in a path is none."""


class Place(NamedTuple):
    """A file and a line of it.

    Attributes:
        file: The path, as the profile has it.
        line: 1-based.
    """

    file: str
    line: int


def places_in(text: str) -> list[Place]:
    """The places that a text names: ``file.py:42``, several of them, or a list of them.

    What is no place is left out, and so is a column after the line.
    """
    found: list[Place] = []
    for part in _parts(text):
        match = _PLACE.fullmatch(part)
        if match is not None:
            found.append(Place(match["file"], int(match["line"])))
    return list(dict.fromkeys(found))[:_MOST_PLACES]


def _parts(text: str) -> list[str]:
    text = without_cut_end(text, ",").strip()
    if text.startswith("["):
        try:
            return msgspec.json.decode(text, type=list[str])
        except msgspec.DecodeError:
            text = text.strip("[]")
    return _BETWEEN.split(text.strip("\"'"))


def is_same(one: str, other: str) -> bool:
    """Whether two paths may be of one file: one of them may lack directories at its beginning."""
    one, other = one.replace("\\", "/"), other.replace("\\", "/")
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


class PlacedFrame(NamedTuple):
    """A place among the profile's frames.

    Attributes:
        frame: Its id.
        is_users: Whether the file is the user's own, rather than a library's.
    """

    frame: int
    is_users: bool


class PlaceFrames:
    """Gives places their frames.

    Args:
        builder: Where the frames go.
        source: Where files may be that have a relative path.
    """

    def __init__(self, builder: ProfileBuilder, source: SourceLines) -> None:
        self._builder = builder
        self._absolute = cache(source.absolute)
        self._is_users = cache(_is_users)

    def frame(self, place: Place, function: str) -> PlacedFrame | None:
        """The frame of a place; None where it is none."""
        if not place.file or not 1 <= place.line <= _LAST_LINE:
            return None
        frame = self._builder.frame(self._absolute(place.file), place.line, function)
        return PlacedFrame(frame, self._is_users(place.file))


def _is_users(path: str) -> bool:
    # A bare name says nothing of a library, though one may have a file that is called so.
    return is_user_code(path) if re.search(r"[/\\<]", path) else True
