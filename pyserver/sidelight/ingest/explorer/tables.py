"""Reads the tables of a Neuron Explorer profile: a few columns at a time, whatever its version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sidelight.ingest.byte_source import Progress
from sidelight.ingest.explorer import arrow
from sidelight.ingest.explorer.columns import Batch, Joined
from sidelight.ingest.explorer.known_columns import Units, nanoseconds_of, present_columns
from sidelight.ingest.explorer.known_tables import KNOWN_TABLES
from sidelight.ingest.explorer.table_files import sizes_bytes, table_files
from sidelight.ingest.notes import unknown_parts
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.quality import QualityNote

BATCH_ROWS: Final = 65_536

MOST_ROWS: Final = 16_000_000
"""Rows of all tables of events together. Read, attributed and stored, each takes 270 bytes at the
peak (``bench/device_profile_bench.py``), so that this many are held in 4.6 GB."""


class Tables:
    """The tables in one folder.

    Attributes:
        folder: Where they are.
        units: The units of their columns, as far as the profile says; set once these are known.

    Args:
        folder: A directory with tables.
        progress: Told the part of all files that is done with.
        most_rows: How many rows may be read in all.

    Raises:
        UnreadableInputError: ``not_readable``: the folder cannot be listed.
    """

    def __init__(
        self, folder: Path, progress: Progress | None = None, most_rows: int = MOST_ROWS
    ) -> None:
        self.folder = folder
        self.units: Units = {}
        self._files = table_files(folder)
        self._sizes = sizes_bytes(self._files)
        self._progress = progress
        self._rows_left = self._most_rows = most_rows
        self._bytes_done = 0
        self._broken: dict[Path, str] = {}
        self._renamed: dict[tuple[str, str], str] = {}
        self._miscounted: Counter[Path] = Counter()

    def __contains__(self, name: str) -> bool:
        return name in self._files

    @property
    def names(self) -> list[str]:
        """The tables there are, sorted."""
        return list(self._files)

    @property
    def files(self) -> list[Path]:
        """Their files."""
        return list(self._sizes)

    def batches(self, name: str, columns: Sequence[str]) -> Iterator[Batch]:
        """Read a table piece by piece.

        What a damaged file holds before the damage is given; then its next part goes on.

        Args:
            name: The table. One that is not there has no rows.
            columns: The columns wanted, as the published schema calls them.

        Raises:
            UnreadableInputError: ``too_many_rows``: there are more rows than can be held.
        """
        for path in self._files.get(name, ()):
            pieces = self._pieces(name, path, columns)
            done = 0.0
            # Only what pyarrow does is watched: an error of whoever uses a batch is their own.
            while True:
                try:
                    batch, done = next(pieces, (None, 1.0))
                except arrow.faults() as error:
                    self._broken[path] = _first_line(error)
                    break
                if batch is None:
                    break
                yield batch
                self._report(done * self._sizes[path])
            self._bytes_done += self._sizes[path]
            self._report(0.0)

    def read(self, name: str, columns: Sequence[str]) -> Batch:
        """Read a table whole: one of those that are small.

        Raises:
            UnreadableInputError: As for :meth:`batches`.
        """
        return Joined(list(self.batches(name, columns)))

    def columns(self, name: str) -> list[str]:
        """The columns that a table has, of whichever type, by its own names."""
        found: dict[str, None] = {}
        for path in self._files.get(name, ()):
            try:
                with path.open("rb") as source:
                    found.update(dict.fromkeys(arrow.open_file(source).schema_arrow.names))
            except arrow.faults() as error:
                self._broken[path] = _first_line(error)
        return list(found)

    def lacking(self, name: str, columns: Sequence[str]) -> list[str]:
        """Which of some columns a table does not have under any name; none of an absent table."""
        if name not in self:
            return []
        found = present_columns(columns, self.columns(name))
        return [column for column in columns if column not in found]

    def notes(self) -> list[QualityNote]:
        """What was odd about the files that were read so far, and which nobody knows."""
        unknown = [name for name in self._files if name not in KNOWN_TABLES]
        notes = [unknown_parts("tables", unknown)] if unknown else []
        if self._broken:
            names = _listed([path.name for path in self._broken])
            notes.append(
                QualityNote(
                    "broken_table",
                    "warning",
                    f"{names} is damaged ({next(iter(self._broken.values()))}): what it holds "
                    "beyond that point is missing here. Copy the profile again, or make its "
                    "tables anew with neuron-explorer view.",
                    len(self._broken),
                )
            )
        if self._renamed:
            names = _listed(
                [f"{table}.{new} for {old}" for (table, old), new in self._renamed.items()]
            )
            notes.append(
                QualityNote(
                    "renamed_columns",
                    "info",
                    f"Columns were told by names like those that are known: {names}. Their values "
                    "are used as if they were these; compare a few with Neuron Explorer.",
                    len(self._renamed),
                )
            )
        if self._miscounted:
            notes.append(
                QualityNote(
                    "wrong_row_count",
                    "warning",
                    f"{_listed([path.name for path in self._miscounted])} says that it holds "
                    "another number of rows than it does: the rows that are there are used. "
                    "Check that it was copied whole.",
                    len(self._miscounted),
                )
            )
        return notes

    def error_if_broken(self) -> None:
        """Say that nothing could be read because of damage, if there was any.

        Raises:
            UnreadableInputError: ``broken_table``.
        """
        for path, reason in self._broken.items():
            raise UnreadableInputError(
                "broken_table",
                f"{path} is damaged ({reason}). Copy it again, or make the tables anew with "
                "neuron-explorer view.",
            )

    def _pieces(
        self, name: str, path: Path, columns: Sequence[str]
    ) -> Iterator[tuple[Batch, float]]:
        """The batches of a file, and what part of it is read after each."""
        with path.open("rb") as source:
            file = arrow.open_file(source)
            found = present_columns(columns, file.schema_arrow.names)
            for wanted, actual in found.items():
                if wanted != actual:
                    self._renamed[name, wanted] = actual
            nanoseconds = {
                wanted: nanoseconds_of(self.units.get((name, actual), ""))
                for wanted, actual in found.items()
            }
            # What the file says of its rows is no promise: they are counted as they come.
            expected, rows = file.metadata.num_rows, 0
            at_a_time = arrow.batch_rows(file, BATCH_ROWS, self._sizes[path])
            for piece in file.iter_batches(
                at_a_time, columns=list(found.values()), use_threads=False
            ):
                arrow.check_indexes(piece)
                rows += piece.num_rows
                self._count(piece.num_rows)
                batch = Batch(_picked(piece, found), piece.num_rows, nanoseconds)
                yield batch, min(1.0, rows / expected) if expected > 0 else 0.0
            if rows != expected:
                self._miscounted[path] += 1

    def _count(self, rows: int) -> None:
        self._rows_left -= rows
        if self._rows_left < 0:
            raise UnreadableInputError(
                "too_many_rows",
                f"{self.folder} holds more than {self._most_rows:,} rows, which is more than can "
                "be held. Profile fewer executions, or make its tables anew with neuron-explorer "
                "view --ignore-dma-trace.",
            )

    def _report(self, more_bytes: float) -> None:
        total = sum(self._sizes.values())
        if self._progress is not None and total:
            self._progress(min(1.0, (self._bytes_done + more_bytes) / total))


def _picked(piece: Any, found: Mapping[str, str]) -> dict[str, Any]:
    """The arrays by their wanted names; of columns that are called alike, the first."""
    names: list[str] = piece.schema.names
    return {wanted: piece.column(names.index(actual)) for wanted, actual in found.items()}


def _listed(names: Sequence[str], most: int = 4) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _first_line(error: Exception) -> str:
    text = str(error).splitlines()
    return (text[0].rstrip(".") if text else type(error).__name__)[:200]
