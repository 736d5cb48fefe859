"""The device profile among Neuron Explorer's tables: what each engine of a core did, for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.collectives import CC_CORES, OPERATIONS, add_collectives
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.counters import add_counters
from sidelight.ingest.explorer.facts import DeviceFacts
from sidelight.ingest.explorer.instructions import INSTRUCTIONS, REQUIRED, add_instructions
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.operators import CompiledOperators
from sidelight.ingest.explorer.origins import Origins
from sidelight.ingest.explorer.shown_rows import ACTIVE_TIMES, add_active_times, add_shown
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.transfers import PACKETS, TRANSFERS, add_transfers
from sidelight.ingest.frames import SourceLines
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
    core = CoreRows(builder, lanes, offset_ns)
    operators = CompiledOperators(tables, core)
    origins = Origins(tables, builder, source or SourceLines())
    if not add_instructions(tables, core, operators, origins):
        add_active_times(tables, core)
    operators.add_named()
    unnamed_transfers = add_transfers(tables, core)
    add_collectives(tables, core)
    add_shown(tables, core)
    add_counters(tables, builder, facts.core, offset_ns)
    missing = tables.lacking(INSTRUCTIONS, REQUIRED)
    notes = (*origins.notes(), _missing_columns(missing), *_notes(facts, core, unnamed_transfers))
    manifest.quality += [note for note in notes if note.count]
    if facts.is_simulation:
        manifest.time_kind = "predicted"


def _missing_columns(missing: Sequence[str]) -> QualityNote:
    return QualityNote(
        "missing_columns",
        "warning",
        f"The table of instructions lacks {', '.join(missing)}: what these would tell is not known "
        "here, and times are told from the columns that are left. Look for a newer Sidelight.",
        len(missing),
    )


def _notes(facts: DeviceFacts, core: CoreRows, unnamed_transfers: int) -> list[QualityNote]:
    engines = core.lanes.unknown_engines.values()
    shown = ", ".join(repr(name[:40]) for name in engines[:3])
    return [
        QualityNote(
            "bad_duration",
            "warning",
            "Rows whose time or duration is missing, negative or beyond ten years are left out.",
            core.bad_times,
        ),
        QualityNote(
            "operands_left_out",
            "info",
            "Operands, or names, of later rows are left out, as there is more text than can be "
            "held; their times are complete. Profile fewer executions to see them.",
            core.names.left_out + core.operands.left_out,
        ),
        QualityNote(
            "dma_names_unknown",
            "info",
            "DMA transfers do not say what they moved: they are called by the kind of their queue. "
            "Record with NEURON_RT_ENABLE_DGE_NOTIFICATIONS=1 to have dynamic ones named.",
            unnamed_transfers,
        ),
        QualityNote(
            "unknown_engine",
            "warning",
            "Work is on engines that no known NeuronCore has: its time counts, and is in no "
            f"engine's figures ({shown}). Look for a newer Sidelight.",
            len(engines),
        ),
        QualityNote(
            "simulated_profile",
            "warning",
            "The compiler simulated this profile: no device measured its times. Profile the "
            "program on a device for measured ones.",
            int(facts.is_simulation),
        ),
    ]
