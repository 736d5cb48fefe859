"""The table of instructions: what the engines of a core did, and what they waited for.

``EVENT_SEMAPHORE`` is the instruction whose time is the waiting, as the tool's own active time has
it; it is shown, and is no work. An instruction's ``evt_wait_time_ns`` lies before its start.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Batch, Integers
from sidelight.ingest.explorer.lanes import Lanes, engine_named
from sidelight.ingest.explorer.operators import OPERATOR_COLUMNS, CompiledOperators
from sidelight.ingest.explorer.origins import ORIGIN_COLUMNS, Origins
from sidelight.ingest.explorer.spans import Spans, spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts
from sidelight.profile.tables import Category, Column

WAIT_OPCODE: Final = "EVENT_SEMAPHORE"

INSTRUCTIONS: Final = "Instruction"
_COLUMNS: Final = (
    *("start_ts", "end_ts", "duration_ns", "engine", "pcore_idx", "opcode", "operands"),
    *("evt_wait_time_ns", "hbm_read_bytes", "hbm_write_bytes"),
    *("raw_flops", "flops_transpose", "tensor_instruction_type"),
    *("tensor_elements", "tensor_elements_transpose"),
    *OPERATOR_COLUMNS,
    *ORIGIN_COLUMNS,
)
_MOST_FLOPS: Final = 1 << 60
"""No instruction does more; sums of some stay within 64 bits."""


class Instructions:
    """Adds the rows of instructions.

    Args:
        builder: Where they go.
        lanes: The tracks.
        texts: The string table.
        operators: What they are instructions of.
        origins: Which lines they came from.
        offset_ns: What is added to the file's times.

    Attributes:
        count: Rows of work.
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    def __init__(
        self,
        builder: ProfileBuilder,
        lanes: Lanes,
        texts: Texts,
        operators: CompiledOperators,
        origins: Origins,
        offset_ns: int,
    ) -> None:
        self.count = 0
        self.bad_times = 0
        self._builder = builder
        self._lanes = lanes
        self._texts = texts
        self._operators = operators
        self._origins = origins
        self._offset_ns = offset_ns
        self._unnamed = builder.strings.code("instruction")

    def add(self, tables: Tables) -> None:
        """Add the table.

        Raises:
            UnreadableInputError: There are more rows than can be held.
        """
        for batch in tables.batches(INSTRUCTIONS, _COLUMNS):
            spans = spans_of(batch)
            self.bad_times += spans.bad
            waits = batch.mapped("opcode", _is_wait, 0)[spans.rows] == 1
            self._add_waits(batch, spans.only(waits))
            self._add_work(batch, spans.only(~waits))

    def _add_waits(self, batch: Batch, spans: Spans) -> None:
        if len(spans.rows):
            self._builder.add_rows(self._columns(batch, spans, Category.OTHER))

    def _add_work(self, batch: Batch, spans: Spans) -> None:
        if not len(spans.rows):
            return
        self.count += len(spans.rows)
        columns = self._columns(batch, spans, Category.ENGINE_WORK)
        columns["external_id"] = self._operators.of_rows(batch, spans)
        self._builder.add_rows(
            columns,
            work={
                "operands": self._texts.codes(batch, "operands")[spans.rows],
                "wait_ns": np.maximum(batch.times("evt_wait_time_ns"), -1)[spans.rows],
                **{name: column[spans.rows] for name, column in _flops(batch).items()},
                "hbm_read_bytes": np.maximum(batch.integers("hbm_read_bytes"), -1)[spans.rows],
                "hbm_write_bytes": np.maximum(batch.integers("hbm_write_bytes"), -1)[spans.rows],
            },
            origins=self._origins.of_rows(batch, spans.rows),
        )

    def _columns(self, batch: Batch, spans: Spans, category: Category) -> dict[str, Column]:
        name = self._texts.codes(batch, "opcode")[spans.rows]
        return {
            "track": self._lanes.of_rows(batch, "engine", self._lanes.engine)[spans.rows],
            "category": np.full(len(spans.rows), category, np.int8),
            "name": np.where(name >= 0, name, self._unnamed),
            "start_ns": spans.start_ns + self._offset_ns,
            "duration_ns": spans.duration_ns,
        }


def _is_wait(opcode: str) -> int:
    return int(opcode.strip().upper() == WAIT_OPCODE)


def _is_tensor(engine: str) -> int:
    return int(engine_named(engine) == "tensor")


def _is_transpose(kind: str) -> int:
    return int("TRANSPOSE" in kind.upper())


def _flops(batch: Batch) -> dict[str, Integers]:
    """FLOPs of matrix products, two a multiplication with its addition; -1 where they are unknown.

    ``raw_flops`` and ``flops_transpose`` have them. Older versions have the elements alone, which
    count the array's rows and columns: 2 x ``tensor_elements`` are the FLOPs.
    """
    is_tensor = batch.mapped("engine", _is_tensor, 0) == 1
    flops = np.where(is_tensor, _doubled_where_absent(batch, "raw_flops", "tensor_elements"), -1)
    turned = _doubled_where_absent(batch, "flops_transpose", "tensor_elements_transpose")
    by_kind = flops * batch.mapped("tensor_instruction_type", _is_transpose, 0)
    turned = np.where(turned >= 0, np.minimum(turned, flops), by_kind)
    return {"flops": flops, "transpose_flops": np.where(flops >= 0, turned, -1)}


def _doubled_where_absent(batch: Batch, flops: str, elements: str) -> Integers:
    known, half = batch.integers(flops), batch.integers(elements)
    half = np.where((half >= 0) & (half < _MOST_FLOPS // 2), half * 2, -1)
    return np.where((known >= 0) & (known < _MOST_FLOPS), known, half)
