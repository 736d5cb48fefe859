"""Gives the rows that stand for a place in the source, lines and functions, their frame."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from sidelight.ingest.user_code import function_place, is_user_code
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.manifest import SourceFile
from sidelight.profile.tables import FRAME_COLUMNS, Category, Table

# Ten digits are beyond every label that there can be; more would only take time.
_LINE_NAME: Final = re.compile(r"sidelight:(\d{1,10})\d*")

Frame = tuple[int, int, int]
"""Index of a file, 1-based line, string id of the function: a row of the frame table."""


@dataclass(frozen=True)
class SourceLines:
    """The places that a capture's line rows speak of.

    Attributes:
        files: The files that ran.
        frames: (index into ``files``, 1-based line, qualified name) of each place.
        labels: (index into ``frames``, 1 if execution entered the statement there) by the number
            that is in a line row's name.
        directories: Where files may be that the trace names by a relative path.
    """

    files: Sequence[SourceFile] = ()
    frames: Sequence[tuple[int, int, str]] = ()
    labels: Sequence[tuple[int, int]] = ()
    directories: Sequence[str] = ()

    def absolute(self, path: str) -> str:
        """The absolute path of a file that exists on this machine; of others, the path as it is."""
        for directory in self.directories:
            candidate = os.path.abspath(os.path.join(directory, path))
            if os.path.isfile(candidate):
                return candidate
        return path


@dataclass
class Places:
    """The rows' columns that speak of the source, and the tables these index.

    Attributes:
        category: The rows' category, with line rows told apart.
        name: The rows' names; a line row's is ``file.py:LINE``.
        frame: The rows' ``frame`` column.
        entry: The rows' ``entry`` column.
        unexplained: Line rows that no label explains.
        level: How fine lines are known.
        files: The source files.
        frames: The frame table.
    """

    category: npt.NDArray[np.int8]
    name: npt.NDArray[np.int32]
    frame: npt.NDArray[np.int32]
    entry: npt.NDArray[np.int8]
    unexplained: npt.NDArray[np.bool_] = field(init=False)
    level: Literal["line", "function", "none"] = "none"
    files: list[SourceFile] = field(default_factory=list[SourceFile])
    frames: Table = field(default_factory=lambda: Table.empty(FRAME_COLUMNS))


def find_places(
    name: npt.NDArray[np.int32],
    category: npt.NDArray[np.int8],
    names: Vocabulary[str],
    source: SourceLines,
) -> Places:
    """Find the places of line rows, or of the user's functions where there are none.

    A profile has lines of one level only: function rows of a capture with lines have no frame.

    Args:
        name: The rows' names, as codes.
        category: The rows' categories.
        names: What the codes mean. What the tables need is added.
        source: What line rows mean.
    """
    places = Places(
        np.array(category),
        np.array(name),
        frame=np.full(len(name), -1, np.int32),
        entry=np.zeros(len(name), np.int8),
        files=list(source.files),
    )
    frames = [(file, line, names.code(function)) for file, line, function in source.frames]
    _place_lines(places, names, frames, source)
    if places.level == "none":
        _place_functions(places, names, frames, source)
    if frames:
        columns = zip(FRAME_COLUMNS, zip(*frames, strict=True), strict=True)
        places.frames = Table.of(FRAME_COLUMNS, dict(columns))
    return places


def _place_lines(
    places: Places, names: Vocabulary[str], frames: list[Frame], source: SourceLines
) -> None:
    operators = places.category == Category.OPERATOR
    label_of = np.full(len(names), -1, np.int64)
    is_line_name = np.zeros(len(names), np.bool_)
    for code, text in enumerate(names.values()):
        if text.startswith("sidelight:") and (match := _LINE_NAME.fullmatch(text)):
            is_line_name[code] = True
            number = int(match[1])
            label_of[code] = number if number < len(source.labels) else -1
    lines = operators & is_line_name[places.name]
    known = lines & (label_of[places.name] >= 0)
    places.unexplained = lines & ~known
    if not known.any():
        return
    labels = np.array(source.labels, np.int32)
    frame_names = np.fromiter(
        (
            names.code(f"{PurePath(source.files[file].path).name}:{line}")
            for file, line, _ in frames
        ),
        np.int32,
        len(frames),
    )
    row_labels = labels[label_of[places.name[known]]]
    places.category[known] = Category.LINE
    places.frame[known] = row_labels[:, 0]
    places.entry[known] = row_labels[:, 1]
    places.name[known] = frame_names[row_labels[:, 0]]
    places.level = "line"


def _place_functions(
    places: Places, names: Vocabulary[str], frames: list[Frame], source: SourceLines
) -> None:
    functions = places.category == Category.FUNCTION
    texts = names.values()
    file_codes = Vocabulary(file.path for file in places.files)
    absolute = cache(source.absolute)
    frame_codes = Vocabulary(frames)
    frame_of = np.full(len(texts), -1, np.int32)
    for code in map(int, np.unique(places.name[functions])):
        place = function_place(texts[code])
        if place is not None and is_user_code(place.path):
            file = file_codes.code(absolute(place.path))
            frame = (file, place.line, names.code(place.function))
            frame_of[code] = frame_codes.code(frame)
    places.frame[functions] = frame_of[places.name[functions]]
    places.entry[functions] = places.frame[functions] >= 0
    if not (places.frame >= 0).any():
        return
    frames[:] = frame_codes.values()
    places.files += [SourceFile(path) for path in file_codes.values()[len(places.files) :]]
    places.level = "function"
