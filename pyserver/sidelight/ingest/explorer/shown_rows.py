"""Rows of a device profile that are shown beside the work, or stand for it where there is none."""

from __future__ import annotations

from typing import Final

from sidelight.ingest.executions import EXECUTIONS_LANE
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.spans import spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.tables import Category

ACTIVE_TIMES: Final = "ActiveTime"

_TIMES: Final = ("start_ts", "end_ts", "duration_ns")
_EXECUTION: Final = ("execution_start_ts", "execution_end_ts")


def add_shown(tables: Tables, core: CoreRows) -> None:
    """Add executions, and barriers between physical cores.

    Args:
        tables: The profile's tables.
        core: Where the rows go.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    columns = (*_EXECUTION, "neff_name", "nrt_sequence_id")
    for batch in tables.batches("ExecutionInfo", columns):
        name = core.names.codes(batch, "neff_name")
        core.add(
            # Of older recordings the times are not known: there is nothing to show then.
            spans_of(batch, *_EXECUTION),
            Category.OTHER,
            track=core.lanes.of_rows(
                batch, "", lambda _name, _core: core.lanes.other(EXECUTIONS_LANE)
            ),
            name=name,
            unnamed="execution",
            # No published version of the schema has it; it would tell the very execution.
            correlation_id=batch.integers("nrt_sequence_id"),
            work={"program": name},
        )
    for batch in tables.batches(
        "CoreBarriers", (*_TIMES, "engine_name", "compiler_opcode", "pcore_idx")
    ):
        core.add(
            core.spans_of(batch),
            Category.OTHER,
            track=core.lanes.of_rows(batch, "engine_name", core.lanes.engine),
            name=core.names.codes(batch, "compiler_opcode"),
            unnamed="core barrier",
        )


def add_active_times(tables: Tables, core: CoreRows) -> None:
    """Add the stretches in which engines were active, as their work.

    Args:
        tables: The profile's tables.
        core: Where the rows go.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    for batch in tables.batches(ACTIVE_TIMES, (*_TIMES, "engine", "pcore_idx")):
        core.add(
            core.spans_of(batch),
            Category.ENGINE_WORK,
            track=core.lanes.of_rows(batch, "engine", core.lanes.engine),
            name=core.names.codes(batch, ""),
            unnamed="active",
        )
