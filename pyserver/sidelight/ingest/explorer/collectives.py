"""Collectives: the operations, and what the cores that carry them out did for them."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Batch, Integers
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.spans import spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts
from sidelight.profile.tables import Category, Column

_TIMES: Final = ("start_ts", "end_ts", "duration_ns")
_DETAILS: Final = ("algorithm", "dtype", "num_elements", "replica_group")


class Collectives:
    """Adds the rows of collectives.

    Operations are work. What the CC-Cores did for them, which includes waiting, is shown beside
    them, and is work only where a profile has no operations.

    Args:
        builder: Where they go.
        lanes: The tracks.
        texts: The string table.
        offset_ns: What is added to the file's times.

    Attributes:
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    def __init__(self, builder: ProfileBuilder, lanes: Lanes, texts: Texts, offset_ns: int) -> None:
        self.bad_times = 0
        self._builder = builder
        self._lanes = lanes
        self._texts = texts
        self._offset_ns = offset_ns
        self._unnamed = builder.strings.code("collective")

    def add(self, tables: Tables) -> None:
        """Add both tables.

        Raises:
            UnreadableInputError: There are more rows than can be held.
        """
        operations = 0
        for batch in tables.batches(
            "CcOp", (*_TIMES, "operation", "stream_index", "input_size", "output_size", *_DETAILS)
        ):
            # What the tool's algorithm bandwidth is of: the larger of the two.
            moved = np.maximum(batch.integers("input_size"), batch.integers("output_size"))
            work = {"operands": self._details(batch), "moved_bytes": np.maximum(moved, -1)}
            operations += self._add(batch, "operation", "stream_index", "collectives", work)
        for batch in tables.batches("CcInstruction", (*_TIMES, "core_idx", "description")):
            self._add(batch, "description", "core_idx", "CC-Core", None if operations else {})

    def _add(
        self,
        batch: Batch,
        name_column: str,
        track_column: str,
        track: str,
        work: dict[str, Column] | None,
    ) -> int:
        spans = spans_of(batch)
        self.bad_times += spans.bad
        rows = spans.rows
        name = self._texts.codes(batch, name_column)
        category = Category.OTHER if work is None else Category.ENGINE_WORK
        self._builder.add_rows(
            {
                "track": self._lanes.of_rows(
                    batch,
                    track_column,
                    lambda number, core: self._lanes.collective(f"{track} {number}".strip(), core),
                )[rows],
                "category": np.full(len(rows), category, np.int8),
                "name": np.where(name >= 0, name, self._unnamed)[rows],
                "start_ns": spans.start_ns + self._offset_ns,
                "duration_ns": spans.duration_ns,
            },
            work=None if work is None else {key: column[rows] for key, column in work.items()},
        )
        return len(rows)

    def _details(self, batch: Batch) -> Integers:
        """How an operation was done, as a text; -1 where nothing of it is known."""
        columns = [batch.texts(name) for name in _DETAILS]
        texts = [
            " ".join(f"{name}={text}" for name, text in zip(_DETAILS, row, strict=True) if text)
            for row in zip(*columns, strict=True)
        ]
        return self._texts.of(np.arange(len(texts)), texts)
