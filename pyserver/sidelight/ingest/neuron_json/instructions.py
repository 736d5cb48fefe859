"""The ``instruction`` list of a device profile: what the engines did, and what they waited for.

**What is active.** Found out from the profiles of profiler 2.28 that are public: the tool's
``<engine>_active_time`` is the union over time, over all physical cores of the logical one, of all
rows of the engine but those of opcode ``EVENT_SEMAPHORE``, whose time is the waiting.
(``EVENT_SEMAPHORE_RANGE_CLEAR`` is work, and so are ``DRAIN`` and ``NOTIFY``.) ``active_time``
holds the same intervals, core by core, merged. ``total_active_time`` is the union of these and of
all DMA rows; ``dma_active_time`` that of the DMA rows. As the file's times are cut to whole
nanoseconds, unions of its rows are up to 0.4 % less than the tool's figures.

**Work.** FLOPs are 2 × ``elements``, which MATMUL rows alone have and which counts the array's rows
and columns. ``hbm_read_bytes`` and ``hbm_write_bytes`` of all rows add up to the tool's own sums.

**Waits.** ``evt_wait_time`` is how long the instruction was ready before its semaphores let it
start, while the one before it may still have run. Where it had nothing to wait for, the field keeps
what an earlier instruction left; so it is believed only as far back as the row before began.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec
import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.engines import is_wait
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.neuron_json.row_windows import RowWindows
from sidelight.ingest.neuron_json.source_places import SourcePlaces
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

_NO_LAYER: Final = "Unknown"
OPERANDS_LIMIT_BYTES: Final = 128 << 20
"""How much text of operands is kept: what people look at one by one."""


class Instruction(msgspec.Struct, gc=False):
    """A row of ``instruction``. Times are nanoseconds by the file's clock."""

    timestamp: Number = NO_TIME
    duration: Number = -1
    subgraph: str = ""
    subgroup: str = ""
    opcode: str = ""
    operands: str = ""
    instruction_type: str = ""
    elements: Number = -1
    hbm_read_bytes: Number = -1
    hbm_write_bytes: Number = -1
    evt_wait_time: Number = -1
    hlo_name: str = ""
    layer: str = ""
    nki_source_location: Any = None
    bir_debug_info_source_location: Any = None


_NUMBERS: Final = ("elements", "hbm_read_bytes", "hbm_write_bytes", "evt_wait_time")


class Instructions:
    """Gathers instructions, window by window.

    Attributes:
        lanes: (subgraph, engine as the file calls it): what the ``lane`` column indexes.
        operators: (subgraph, HLO or layer) that instructions are of: what ``operator`` indexes.
        places: Their source lines: what ``places`` indexes.
        windows: The rows, and how many have no times that can be.
        operands_left_out: Rows without their operands, as there are too many.

    Args:
        builder: Where the texts go.
        source: Where files may be that rows name by relative paths.
        findings: Told what was repaired.
    """

    def __init__(self, builder: ProfileBuilder, source: SourceLines, findings: Findings) -> None:
        self._decoder = RowDecoder(Instruction, findings)
        self.lanes: Vocabulary[tuple[str, str]] = Vocabulary()
        self.operators: Vocabulary[tuple[str, str]] = Vocabulary()
        self.places = SourcePlaces(builder, source)
        self.operands_left_out = 0
        self._strings = builder.strings
        self.windows = RowWindows()
        self._operand_bytes = 0

    def add(self, text: bytes) -> None:
        """Add some of the rows.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows = self._decoder.rows(text)
        length = len(rows)
        columns: dict[str, Column] = {name: numbers_of(rows, name) for name in _NUMBERS}
        columns["start_ns"] = numbers_of(rows, "timestamp", NO_TIME)
        columns["duration_ns"] = numbers_of(rows, "duration")
        columns["lane"] = self.lanes.codes(map(attrgetter("subgraph", "subgroup"), rows), length)
        columns["name"] = self._strings.codes(
            (row.opcode[:LONGEST_TEXT] or "instruction" for row in rows), length
        )
        columns["is_wait"] = np.fromiter((is_wait(row.opcode) for row in rows), bool, length)
        columns["is_transpose"] = np.fromiter(
            (row.instruction_type == "TRANSPOSE" for row in rows), bool, length
        )
        columns["operands"] = self._operands(rows)
        columns["operator"] = np.fromiter(map(self._operator, rows), np.int64, length)
        columns["places"] = self._places(rows)
        self.windows.add(columns)

    def columns(self) -> dict[str, Column]:
        """All rows, in the order of the file.

        Columns: ``lane``, ``name``, ``start_ns``, ``duration_ns``, ``is_wait``, ``operands``
        (string id), ``wait_ns``, ``flops``, ``transpose_flops``, ``hbm_read_bytes``,
        ``hbm_write_bytes``, ``operator`` (-1 = none), ``places`` (0 = none).
        """
        if not self.windows:
            self.add(b"[]")
        rows = self.windows.joined()
        elements, is_transpose = rows.pop("elements"), rows.pop("is_transpose")
        # Beyond this, no array computes: and two of them would not fit into 64 bits.
        has_flops = (elements >= 0) & (elements < 1 << 61)
        rows["flops"] = np.where(has_flops, 2 * elements, -1)
        rows["transpose_flops"] = np.where(has_flops, 2 * elements * is_transpose, -1)
        rows["wait_ns"] = _believable(
            rows.pop("evt_wait_time"), rows["lane"], rows["start_ns"], rows["duration_ns"]
        )
        return rows

    def _operands(self, rows: Sequence[Instruction]) -> Column:
        texts = [row.operands[:LONGEST_TEXT].strip() for row in rows]
        self._operand_bytes += sum(map(len, texts))
        if self._operand_bytes > OPERANDS_LIMIT_BYTES:
            self.operands_left_out += len(rows)
            return np.full(len(rows), -1)
        has_any = np.fromiter(map(bool, texts), bool, len(rows))
        return np.where(has_any, self._strings.codes(texts, len(rows)), -1)

    def _operator(self, row: Instruction) -> int:
        name = row.hlo_name or (row.layer if row.layer != _NO_LAYER else "")
        return self.operators.code((row.subgraph, name)) if name else -1

    def _places(self, rows: Sequence[Instruction]) -> Column:
        kernel = [row.nki_source_location for row in rows]
        compiled = [row.bir_debug_info_source_location for row in rows]
        if not any(kernel) and not any(compiled):
            return np.zeros(len(rows), np.int64)
        return np.fromiter(map(self.places.code, kernel, compiled), np.int64, len(rows))


def _believable(wait_ns: Column, lane: Column, start_ns: Column, duration_ns: Column) -> Column:
    """The waits that do not go back beyond the start of the row before; -1 for others."""
    order = np.lexsort((-duration_ns, start_ns, lane))
    ready_for_ns = np.full(len(order), -1)
    follows = np.diff(lane[order]) == 0
    ready_for_ns[order[1:]] = np.where(follows, np.diff(start_ns[order]), -1)
    return np.where(wait_ns <= ready_for_ns, wait_ns, -1)
