"""Collectives: the operations, and what the cores that carry them out did for them."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.tables import Category

OPERATIONS: Final = "CcOp"
CC_CORES: Final = "CcInstruction"

_TIMES: Final = ("start_ts", "end_ts", "duration_ns")
_DETAILS: Final = ("algorithm", "dtype", "num_elements", "replica_group")


def add_collectives(tables: Tables, core: CoreRows) -> None:
    """Add both tables.

    Operations are work. What the CC-Cores did for them, which includes waiting, is shown beside
    them, and is work only where a profile has no operations.

    Args:
        tables: The profile's tables.
        core: Where the rows go.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    for batch in tables.batches(
        OPERATIONS,
        (*_TIMES, "operation", "op_id", "stream_index", "input_size", "output_size", *_DETAILS),
    ):
        # What the tool's algorithm bandwidth is of: the larger of the two.
        moved = np.maximum(batch.integers("input_size"), batch.integers("output_size"))
        core.add(
            core.spans_of(batch),
            Category.ENGINE_WORK,
            track=_tracks(batch, core, "stream_index", "collectives"),
            name=core.names.codes(batch, "operation"),
            unnamed="collective",
            work={"operands": _details(batch, core), "moved_bytes": np.maximum(moved, -1)},
            ids={OPERATIONS: batch.integers("op_id", NO_TIME)},
        )
    category = Category.OTHER if OPERATIONS in tables else Category.ENGINE_WORK
    for batch in tables.batches(CC_CORES, (*_TIMES, "core_idx", "description")):
        core.add(
            core.spans_of(batch),
            category,
            track=_tracks(batch, core, "core_idx", "CC-Core"),
            name=core.names.codes(batch, "description"),
            unnamed="collective",
        )


def _tracks(batch: Batch, core: CoreRows, column: str, kind: str) -> Integers:
    def track(number: str, physical_core: int) -> int:
        return core.lanes.collective(f"{kind} {number}".strip(), physical_core)

    return core.lanes.of_rows(batch, column, track)


def _details(batch: Batch, core: CoreRows) -> Integers:
    """How an operation was done, as a text; -1 where nothing of it is known."""
    columns = [batch.texts(name) for name in _DETAILS]
    texts = [
        " ".join(f"{name}={text}" for name, text in zip(_DETAILS, row, strict=True) if text)
        for row in zip(*columns, strict=True)
    ]
    return core.operands.of(np.arange(len(texts)), texts)
