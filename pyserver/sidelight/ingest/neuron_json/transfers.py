"""The ``dma`` list of a device profile: packets that DMA queues moved."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

import msgspec
import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.values import (
    LONGEST_TEXT,
    NO_TIME,
    Number,
    RowDecoder,
    whole_numbers,
)
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.time_policy import good_times
from sidelight.ingest.trace_events import Int64s
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
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
        unnamed: Rows that do not say what they moved.

    Args:
        builder: Where the texts go.
        findings: Told what was repaired.
    """

    def __init__(self, builder: ProfileBuilder, findings: Findings) -> None:
        self._decoder = RowDecoder(Transfer, findings)
        self.lanes: Vocabulary[tuple[str, str]] = Vocabulary()
        self.bad_times = 0
        self.unnamed = 0
        self._strings = builder.strings
        self._windows: list[dict[str, Column]] = []

    def add(self, text: bytes) -> None:
        """Add some of the rows.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows = self._decoder.rows(text)
        length = len(rows)

        def numbers(name: str, absent: int = -1) -> Int64s:
            return whole_numbers(lambda: map(attrgetter(name), rows), length, absent)

        columns: dict[str, Column] = {
            "start": numbers("timestamp", NO_TIME),
            "duration": numbers("duration"),
            "moved_bytes": numbers("transfer_size"),
            "lane": self.lanes.codes(((row.subgraph, str(row.dma_queue)) for row in rows), length),
            "name": self._strings.codes(map(_name, rows), length),
            "operands": self._strings.codes((row.subgroup[:LONGEST_TEXT] for row in rows), length),
        }
        is_good = good_times(columns["start"], columns["duration"])
        self.bad_times += int((~is_good).sum())
        self.unnamed += sum(row.variable in _UNKNOWN for row in rows)
        self._windows.append({name: column[is_good] for name, column in columns.items()})

    def columns(self) -> dict[str, Column]:
        """All rows, in the order of the file.

        Columns: ``lane``, ``name``, ``start`` and ``duration`` (ns), ``operands`` (string id),
        ``moved_bytes``.
        """
        if not self._windows:
            self.add(b"[]")
        return {
            name: np.concatenate([window[name] for window in self._windows])
            for name in self._windows[0]
        }


def _name(row: Transfer) -> str:
    if row.variable not in _UNKNOWN:
        return row.variable[:LONGEST_TEXT]
    return (row.op or f"{row.queue_type.replace('_', ' ')} DMA".strip())[:LONGEST_TEXT]
