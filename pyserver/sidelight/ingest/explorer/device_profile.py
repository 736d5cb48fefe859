"""The device profile among Neuron Explorer's tables: what each engine of a core did, for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.allocations import add_allocations
from sidelight.ingest.explorer.collectives import CC_CORES, OPERATIONS, add_collectives
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.counters import add_counters
from sidelight.ingest.explorer.facts import DeviceFacts
from sidelight.ingest.explorer.flows import FLOWS, add_flows
from sidelight.ingest.explorer.instructions import INSTRUCTIONS, REQUIRED, add_instructions
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.levels import CompilerLevels
from sidelight.ingest.explorer.operators import CompiledOperators
from sidelight.ingest.explorer.origins import Origins
from sidelight.ingest.explorer.shown_rows import ACTIVE_TIMES, add_active_times, add_shown
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.tensors import add_tensors
from sidelight.ingest.explorer.transfers import PACKETS, TRANSFERS, add_transfers
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.notes import (
    SIMULATED,
    dma_names_unknown,
    no_stacks,
    operands_left_out,
    unknown_engine,
)
from sidelight.profile.manifest import Manifest
from sidelight.profile.quality import QualityNote

_TABLES: Final = (INSTRUCTIONS, ACTIVE_TIMES, PACKETS, TRANSFERS, OPERATIONS, CC_CORES)


def has_device_profile(tables: Tables) -> bool:
    """Whether a folder's tables hold a device profile."""
    return any(name in tables for name in _TABLES)


def read_device(
    tables: Tables,
    builder: ProfileBuilder,
    manifest: Manifest,
    *,
    source: SourceLines | None = None,
    offset_ns: int = 0,
) -> None:
    """Add the rows of a device profile, and tell the manifest what is known and missing.

    Args:
        tables: The profile's tables.
        builder: Gets the rows: instructions, transfers and collectives as ENGINE_WORK, operators as
            COMPILED_OPERATOR, waits and executions as OTHER.
        manifest: Gets the core, versions, the tool's own figures and quality notes.
        source: Where files may be that places name by relative paths.
        offset_ns: What is added to the file's times to make them those of the builder's rows.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    facts = DeviceFacts(tables)
    facts.describe(manifest)
    physical_cores = facts.figures.physical_cores if facts.figures else 1
    lanes = Lanes(builder.tracks, facts.core, physical_cores)
    core = CoreRows(builder, lanes, offset_ns, with_ids=FLOWS in tables)
    operators = CompiledOperators(tables, core)
    levels = CompilerLevels(tables, core)
    origins = Origins(tables, builder, source or SourceLines())
    if not add_instructions(tables, core, operators, levels, origins):
        add_active_times(tables, core)
    operators.add_named()
    unnamed_transfers = add_transfers(tables, core)
    add_collectives(tables, core)
    add_shown(tables, core)
    add_tensors(tables, core)
    flows_left_out = add_flows(tables, core)
    builder.times.left_out += core.bad_times
    add_counters(tables, builder, facts.core, offset_ns)
    add_allocations(tables, builder, facts.core, offset_ns)
    missing = tables.lacking(INSTRUCTIONS, REQUIRED)
    notes = (
        *origins.notes(),
        flows_left_out,
        _missing_columns(missing),
        operands_left_out(core.names.left_out + core.operands.left_out + levels.left_out),
        dma_names_unknown(unnamed_transfers),
        unknown_engine(core.lanes.unknown_engines.values()),
    )
    manifest.quality += [note for note in notes if note.count]
    if not origins.named and manifest.line_level == "none":
        manifest.quality.append(_NO_LINES)
    if facts.is_simulation:
        manifest.time_kind = "predicted"
        manifest.quality.append(SIMULATED)


_NO_LINES: Final = no_stacks(
    "No instruction says which source line it is from",
    "Compile with debug information (for NKI kernels, with NKI_DEBUG_INFO=True), and record again.",
)


def _missing_columns(missing: Sequence[str]) -> QualityNote:
    return QualityNote(
        "missing_columns",
        "warning",
        f"The table of instructions lacks {', '.join(missing)}: what these would tell is not known "
        "here, and times are told from the columns that are left. Look for a newer Sidelight.",
        len(missing),
    )
