"""CSV: one row an event of the recorded steps, for spreadsheets and data frames (RFC 4180)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import IO, Final

import numpy as np

from sidelight.export.rows import ShownRows
from sidelight.export.source import Progress, Source, Written, pieces
from sidelight.profile.shown_rows import CATEGORY_NAMES, shown_categories
from sidelight.profile.tables import Category, Column

COLUMNS: Final = ("track", "name", "start_ns", "duration_ns", "file", "line", "kind")

_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
"""What spreadsheets take for a formula, and what became of such a text already."""


def harmless(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would run it as a formula.

    A text that begins so with apostrophes before it gets one more, so that taking one away again
    from all such texts gives what they were.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def write_csv(file: IO[bytes], source: Source, progress: Progress) -> Written:
    """Write the events of the recorded steps, in the order of the tracks and of their starts.

    Args:
        file: Where to.
        source: What.
        progress: Told the part done.

    Raises:
        OSError: It cannot be written.
    """
    profile, events = source.profile, source.profile.events
    shown = ShownRows(profile)
    rows = np.flatnonzero((events["step"] >= 0) & source.in_time)
    tracks = [harmless(track.name) for track in profile.tracks]
    names = list(map(harmless, shown.names))
    places: list[tuple[str, str]] = [(harmless(path), str(line)) for path, line in shown.places]
    places.append(("", ""))  # index -1, no line, finds it
    label = "predicted " if source.is_predicted else ""
    kinds = [label + CATEGORY_NAMES[category] for category in Category]
    category = shown_categories(profile)

    def row_of(
        track: int, name: int, start_ns: int, duration_ns: int, frame: int, kind: int
    ) -> tuple[str | int, ...]:
        return tracks[track], names[name], start_ns, duration_ns, *places[frame], kinds[kind]

    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    try:
        writer = csv.writer(text)
        writer.writerow(COLUMNS)
        for some in pieces(rows, progress):
            columns: Sequence[Column] = (
                events["track"][some],
                shown.labels(some),
                events["start_ns"][some],
                events["duration_ns"][some],
                shown.frames(some),
                category[some],
            )
            writer.writerows(map(row_of, *(column.tolist() for column in columns)))
        text.flush()
    finally:
        text.detach()  # the file is the caller's to close
    return Written(len(rows))
