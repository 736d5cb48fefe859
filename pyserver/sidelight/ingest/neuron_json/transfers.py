"""The ``dma`` list of a device profile: packets that DMA queues moved."""

from __future__ import annotations

from typing import Final

import msgspec

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.row_windows import RowWindows
from sidelight.ingest.neuron_json.values import (
    LONGEST_TEXT,
    NO_TIME,
    Number,
    RowDecoder,
    numbers_of,
)
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.tables import Column

_UNKNOWN: Final = ("", "unknown")


class Transfer(msgspec.Struct, gc=False):
    """A row of ``dma``. Times are nanoseconds by the file's clock."""

    timestamp: Number = NO_TIME
    duration: Number = -1
    subgraph: str = ""
    subgroup: str = ""
    dma_queue: Number = ""
    queue_type: str = ""
    variable: str = ""
    op: str = ""
    transfer_size: Number = -1


class Transfers:
    """Gathers transfers, window by window.

    Attributes:
        lanes: (subgraph, queue's number): what the ``lane`` column indexes.
        windows: The rows, and how many have no times that can be.
        unnamed: Rows that do not say what they moved.

    Args:
        builder: Where the texts go.
        findings: Told what was repaired.
    """

    def __init__(self, builder: ProfileBuilder, findings: Findings) -> None:
        self._decoder = RowDecoder(Transfer, findings)
        self.lanes: Vocabulary[tuple[str, str]] = Vocabulary()
        self.unnamed = 0
        self._strings = builder.strings
        self.windows = RowWindows()

    def add(self, text: bytes) -> None:
        """Add some of the rows.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows = self._decoder.rows(text)
        length = len(rows)
        columns: dict[str, Column] = {
            "start_ns": numbers_of(rows, "timestamp", NO_TIME),
            "duration_ns": numbers_of(rows, "duration"),
            "moved_bytes": numbers_of(rows, "transfer_size"),
            "lane": self.lanes.codes(((row.subgraph, str(row.dma_queue)) for row in rows), length),
            "name": self._strings.codes(map(_name, rows), length),
            "operands": self._strings.codes((row.subgroup[:LONGEST_TEXT] for row in rows), length),
        }
        self.unnamed += sum(row.variable in _UNKNOWN for row in rows)
        self.windows.add(columns)

    def columns(self) -> dict[str, Column]:
        """All rows, in the order of the file.

        Columns: ``lane``, ``name``, ``start_ns``, ``duration_ns``, ``operands`` (string id),
        ``moved_bytes``.
        """
        if not self.windows:
            self.add(b"[]")
        return self.windows.joined()


def _name(row: Transfer) -> str:
    if row.variable not in _UNKNOWN:
        return row.variable[:LONGEST_TEXT]
    return (row.op or f"{row.queue_type.replace('_', ' ')} DMA".strip())[:LONGEST_TEXT]
