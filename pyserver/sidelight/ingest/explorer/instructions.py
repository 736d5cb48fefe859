"""The table of instructions: what the engines of a core did, and what they waited for.

``EVENT_SEMAPHORE`` is the instruction whose time is the waiting, as the tool's own active time has
it; it is shown, and is no work. An instruction's ``evt_wait_time_ns`` lies before its start.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.engines import engine_named, is_wait
from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.levels import LEVEL_COLUMNS, CompilerLevels
from sidelight.ingest.explorer.operators import OPERATOR_COLUMNS, CompiledOperators
from sidelight.ingest.explorer.origins import ORIGIN_COLUMNS, Origins
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.tables import Category, Column

INSTRUCTIONS: Final = "Instruction"

REQUIRED: Final = ("start_ts", "end_ts", "duration_ns", "engine", "opcode", "operands")
"""Columns that the published schema has in every row, as far as they matter here."""

_BYTES: Final = ("hbm_read_bytes", "hbm_write_bytes", "spill_save_bytes", "spill_reload_bytes")
_COLUMNS: Final = (
    *("start_ts", "end_ts", "duration_ns", "engine", "pcore_idx", "opcode", "operands"),
    *("id", "evt_wait_time_ns"),
    *_BYTES,
    *("raw_flops", "flops_transpose", "tensor_instruction_type"),
    *("tensor_elements", "tensor_elements_transpose"),
    *OPERATOR_COLUMNS,
    *LEVEL_COLUMNS,
    *ORIGIN_COLUMNS,
)
_MOST_FLOPS: Final = 1 << 60
"""No instruction does more; sums of some stay within 64 bits."""


def add_instructions(
    tables: Tables,
    core: CoreRows,
    operators: CompiledOperators,
    levels: CompilerLevels,
    origins: Origins,
) -> bool:
    """Add the table.

    Args:
        tables: The profile's tables.
        core: Where the rows go.
        operators: What they are instructions of.
        levels: What they are to the compiler.
        origins: Which lines they came from.

    Returns:
        Whether there is any instruction.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    found = False
    for batch in tables.batches(INSTRUCTIONS, _COLUMNS):
        spans = core.spans_of(batch)
        found = found or len(spans.rows) > 0
        track = core.lanes.of_rows(batch, "engine", core.lanes.engine)
        name = core.names.codes(batch, "opcode")
        ids = {INSTRUCTIONS: batch.integers("id", NO_TIME)}
        waits = batch.mapped("opcode", is_wait, 0)[spans.rows] == 1
        core.add(
            spans.only(waits),
            Category.OTHER,
            track=track,
            name=name,
            unnamed="instruction",
            ids=ids,
        )
        works = spans.only(~waits)
        core.add(
            works,
            Category.ENGINE_WORK,
            track=track,
            name=name,
            unnamed="instruction",
            external_id=operators.of_rows(batch, works),
            work={**_work(batch, core), **levels.of_rows(batch)},
            origins=origins.of_rows(batch, works.rows),
            ids=ids,
        )
    return found


def _work(batch: Batch, core: CoreRows) -> dict[str, Column]:
    return {
        "operands": core.operands.codes(batch, "operands"),
        "wait_ns": np.maximum(batch.times("evt_wait_time_ns"), -1),
        **{name: np.maximum(batch.integers(name), -1) for name in _BYTES if name in batch},
        **_flops(batch),
    }


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


def _is_tensor(engine: str) -> int:
    return int(engine_named(engine) == "tensor")


def _is_transpose(kind: str) -> int:
    return int("TRANSPOSE" in kind.upper())
