"""The line that most of something's device time is of."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.grouping import IntKey, grouped_sums
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.parts import Parts, parts_in_pieces
from sidelight.analysis.tables.table import Row, number, text
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import place_name

MAIN_LINE_COLUMNS: Final = (
    text("main_line", "mostly on", "The line with most of its own device time."),
    text("file", "file", "The path of that line's file."),
    number("line", "number", "", "That line's number, from 1 on."),
)


def main_lines(profile: Profile, key: IntColumn) -> dict[int, Row]:
    """By key, the cells of ``MAIN_LINE_COLUMNS``; nothing for a key without device time on lines.

    Args:
        profile: An attributed profile.
        key: What each event counts under.
    """
    events, frames = profile.events, profile.frames
    counted = np.flatnonzero(counted_rows(events) & (events["step"] >= 0))

    def piece(parts: Parts) -> tuple[list[IntKey], list[IntColumn]]:
        parts = parts.on_lines()
        frame = profile.stacks["frame"][parts.stack]
        return [key[parts.row], frames["file"][frame], frames["line"][frame]], [parts.device_ns]

    keys, sums = grouped_sums(map(piece, parts_in_pieces(profile, counted)))
    longest: dict[int, tuple[int, int, int]] = {}
    found: list[tuple[int, ...]] = list(
        zip(*(column.tolist() for column in (*keys, *sums)), strict=True)
    )
    for of_key, file, line, device_ns in found:
        if device_ns > longest.get(of_key, (0,))[0]:
            longest[of_key] = (device_ns, file, line)
    return {
        of_key: _cells(profile.files[file].path, line)
        for of_key, (_, file, line) in longest.items()
    }


def no_line() -> Row:
    """The cells where no line is known."""
    return {column.name: None for column in MAIN_LINE_COLUMNS}


def _cells(path: str, line: int) -> Row:
    return {"main_line": place_name(path, line), "file": path, "line": line}
