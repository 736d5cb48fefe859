"""The device profile among Neuron Explorer's tables: what each engine of a core did, for whom."""

from __future__ import annotations

from typing import Final

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.collectives import Collectives
from sidelight.ingest.explorer.counters import add_counters
from sidelight.ingest.explorer.facts import DeviceFacts
from sidelight.ingest.explorer.instructions import INSTRUCTIONS, Instructions
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.operators import CompiledOperators
from sidelight.ingest.explorer.origins import Origins
from sidelight.ingest.explorer.shown_rows import ShownRows
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts
from sidelight.ingest.explorer.transfers import PACKETS, TRANSFERS, Transfers
from sidelight.ingest.frames import SourceLines
from sidelight.profile.manifest import Manifest
from sidelight.profile.quality import QualityNote

_ACTIVE: Final = "ActiveTime"
_TABLES: Final = (INSTRUCTIONS, _ACTIVE, PACKETS, TRANSFERS, "CcOp", "CcInstruction")


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
    texts = Texts(builder.strings)
    operators = CompiledOperators(tables, builder, lanes, texts, offset_ns)
    origins = Origins(tables, builder, source or SourceLines())
    instructions = Instructions(builder, lanes, texts, operators, origins, offset_ns)
    instructions.add(tables)
    operators.add_named()
    transfers = Transfers(builder, lanes, texts, offset_ns)
    transfers.add(tables)
    collectives = Collectives(builder, lanes, texts, offset_ns)
    collectives.add(tables)
    shown = ShownRows(builder, lanes, texts, offset_ns)
    shown.add(tables)
    if not instructions.count:
        shown.add_active(tables)
    add_counters(tables, builder, facts.core, offset_ns)
    bad_times = sum(
        part.bad_times for part in (operators, instructions, transfers, collectives, shown)
    )
    manifest.quality += [
        note for note in (*origins.notes(), *_notes(facts, lanes, texts, bad_times)) if note.count
    ]
    if facts.is_simulation:
        manifest.time_kind = "predicted"


def _notes(facts: DeviceFacts, lanes: Lanes, texts: Texts, bad_times: int) -> list[QualityNote]:
    return [
        QualityNote(
            "bad_duration",
            "warning",
            "Rows whose time or duration is missing, negative or beyond ten years are left out.",
            bad_times,
        ),
        QualityNote(
            "texts_left_out",
            "info",
            "Some rows are without operands or names, as these are more text than can be held; "
            "their times count as always. Profile fewer executions to see them.",
            texts.left_out,
        ),
        QualityNote(
            "unknown_engine",
            "warning",
            "Work is on engines that no known NeuronCore has: its time counts, and is in no "
            f"engine's figures ({', '.join(map(repr, lanes.unknown_engines.values()[:3]))}). "
            "Look for a newer Sidelight.",
            len(lanes.unknown_engines),
        ),
        QualityNote(
            "simulated_profile",
            "warning",
            "The compiler simulated this profile: no device measured its times. Profile the "
            "program on a device for measured ones.",
            int(facts.is_simulation),
        ),
    ]
