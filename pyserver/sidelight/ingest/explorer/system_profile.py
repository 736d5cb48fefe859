"""The system profile among Neuron Explorer's tables: what framework, runtime and cores did when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.device_rows import has_device_rows
from sidelight.ingest.executions import EXECUTION
from sidelight.ingest.explorer.columns import Integers
from sidelight.ingest.explorer.execution_part import (
    HARDWARE,
    ExecutionPart,
    core_name,
    other_hardware_rows,
)
from sidelight.ingest.explorer.facts import hbm_capacity_bytes
from sidelight.ingest.explorer.framework_part import FRAMEWORK, FrameworkPart
from sidelight.ingest.explorer.system_events import (
    EVENTS_TABLE,
    Process,
    SystemEvents,
    read_events,
)
from sidelight.ingest.explorer.system_samples import add_system_samples
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.notes import executions_without_launch, no_device_rows
from sidelight.profile.manifest import CoreFigures, Manifest, Track
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category

_COLLECTIVE: Final = "cc_running"
_MERGED_BY: Final = "Record again with a newer Neuron runtime."


def has_system_profile(tables: Tables) -> bool:
    """Whether a folder's tables hold a system profile."""
    return EVENTS_TABLE in tables


def read_system(
    tables: Tables,
    builder: ProfileBuilder,
    manifest: Manifest,
    *,
    process: Process | None = None,
    source: SourceLines | None = None,
) -> None:
    """Add what the tables of a system profile hold: its events and its samples.

    Args:
        tables: The profile's tables.
        builder: Gets the rows, with starts since 1970.
        manifest: Gets host, HBM, level of lines and quality notes.
        process: Whose rows are wanted; None for all.
        source: Where files may be that rows name by relative paths.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    add_events(read_events(tables, process), builder, manifest, source=source)
    add_system_samples(tables, builder, process.instance if process else None)
    capacity_bytes = hbm_capacity_bytes(tables)
    if capacity_bytes is not None:
        manifest.core = CoreFigures(hbm_capacity_bytes=capacity_bytes)


def add_events(
    events: SystemEvents,
    builder: ProfileBuilder,
    manifest: Manifest,
    *,
    source: SourceLines | None = None,
) -> None:
    """Add the rows of a system profile, and tell the manifest what is known and missing.

    Device rows are executions (``nc_exec_running``), those of one execution on several physical
    cores merged. Each has the External id of the operator that launched it, and as correlation the
    bits of its ``nrt_sequence_id``.

    Args:
        events: The rows.
        builder: Gets them, with starts since 1970.
        manifest: Gets host, level of lines and quality notes.
        source: Where files may be that rows name by relative paths.
    """
    hosts = {events.processes[code].instance for code in map(int, np.unique(events.process))}
    if len(hosts) == 1 and not manifest.host:
        manifest.host = next(iter(hosts))
    framework = FrameworkPart(events)
    executions = ExecutionPart(events, framework)
    if framework.add_to(builder, source or SourceLines()):
        manifest.line_level = "function"
    _add_runtime(events, builder)
    executions.add_to(builder)
    _add_other_hardware(events, executions, builder)
    builder.times.left_out += events.bad_times
    manifest.quality += _notes(framework, executions)


def settle_device(profile: Profile) -> None:
    """Say what counts as device time where a system profile has no executions.

    Args:
        profile: One with a system profile in it. Without any row of a device, the CPU is its.
    """
    missing = f"The system profile holds no {EXECUTION} row"
    advice = "Record with the modes DEVICE and RUNTIME."
    if not has_device_rows(profile):
        profile.manifest.device = "cpu"
        profile.note(no_device_rows(f"{missing}, nor another of a device's work", advice))
    elif not (profile.events["category"] == Category.DEVICE).any():
        profile.note(
            QualityNote(
                "no_executions",
                "warning",
                f"{missing}, so device time is the time of instructions alone, which is less than "
                f"that of executions. {advice}",
            )
        )


def _add_runtime(events: SystemEvents, builder: ProfileBuilder) -> None:
    """Add what is on the host and not the framework's: the runtime's calls, by thread."""
    elsewhere = np.union1d(events.rows_from(FRAMEWORK), events.rows_from(HARDWARE))
    rows = np.setdiff1d(np.arange(len(events)), elsewhere)
    lanes = zip(map(int, events.process[rows]), map(int, events.thread[rows]), strict=True)
    tracks = (
        Track(
            "host",
            f"Neuron runtime, thread {thread}",
            str(events.processes[process].number),
            f"runtime {thread}",
        )
        for process, thread in lanes
    )
    _add_plainly(events, rows, builder, tracks, Category.RUNTIME)


def _add_other_hardware(
    events: SystemEvents, executions: ExecutionPart, builder: ProfileBuilder
) -> None:
    """Add what else cores did, for the timeline: executions hold it already."""
    rows = other_hardware_rows(events, executions)
    lanes = zip(map(int, events.core[rows]), events.names_of(rows), strict=True)
    tracks = (
        Track(
            "device", f"{core_name(core)}: collectives", core_name(core), _COLLECTIVE, "collective"
        )
        if name == _COLLECTIVE
        else Track("device", f"{core_name(core)}: events", core_name(core), "events")
        for core, name in lanes
    )
    _add_plainly(events, rows, builder, tracks, Category.OTHER)


def _add_plainly(
    events: SystemEvents,
    rows: Integers,
    builder: ProfileBuilder,
    tracks: Iterable[Track],
    category: Category,
) -> None:
    if not len(rows):
        return
    builder.add_rows(
        {
            "track": [*map(builder.tracks.code, tracks)],
            "category": np.full(len(rows), category, np.int8),
            "name": [*map(builder.strings.code, events.names_of(rows))],
            "start_ns": events.start_ns[rows],
            "duration_ns": events.duration_ns[rows],
        }
    )


def _notes(framework: FrameworkPart, executions: ExecutionPart) -> list[QualityNote]:
    """What is missing, was left out, or had to be guessed."""
    counted = [
        QualityNote(
            "launch_by_name",
            "info",
            "Some work is tied to the operator of its name in order of time, as no id ties them: "
            "where one operator is called in several places, it may be on the line of another "
            "call. Open the session with its trace.json to have ids.",
            framework.by_name,
        ),
    ]
    notes = [*(note for note in counted if note.count), *executions.merged.notes(_MERGED_BY)]
    if len(executions.merged) and not len(framework):
        notes.append(
            QualityNote(
                "no_framework_rows",
                "warning",
                "The system profile holds no rows of the framework, so that no line can be told "
                "and this time is unattributed. Record with torch.profiler and export_trace, "
                "which puts a trace.json into the session's folder.",
            )
        )
    elif executions.unlaunched:
        notes.append(executions_without_launch(executions.unlaunched))
    return notes
