"""Neuron Explorer's Parquet tables of one folder: device profile, system profile, or both."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.explorer.clocks import device_clock
from sidelight.ingest.explorer.device_profile import has_device_profile, read_device
from sidelight.ingest.explorer.schema_version import read_schema, schema_notes
from sidelight.ingest.explorer.system_events import Process
from sidelight.ingest.explorer.system_profile import (
    has_system_profile,
    read_system,
    settle_device,
)
from sidelight.ingest.explorer.table_files import (
    only_profile_folder,
    profile_folders,
    profile_name,
)
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.file_changes import FileChanges
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.notes import figures_alone
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import STEP_COLUMNS, Table

FORMAT_NAME: Final = "explorer_parquet"

_FIGURES_ALONE: Final = figures_alone(
    "The profile",
    "Make its tables anew with neuron-explorer view, without leaving any out.",
)

_DEVICE_LEFT_OUT: Final = QualityNote(
    "device_profile_left_out",
    "warning",
    "The tables hold a core's instructions, too, and do not say of which process, so that these "
    "are not shown. Let neuron-explorer make tables of one process alone.",
)


def detect(path: Path) -> bool:
    """Whether a path is a folder of Neuron Explorer's tables, or one of the tables."""
    return profile_folders(path) == [path.parent if os.path.isfile(path) else path]


def read_parts(
    path: Path, *, progress: Progress | None = None, process: Process | None = None
) -> list[Profile]:
    """Read the tables of one folder.

    Args:
        path: The folder, one that holds it alone, or a table in it.
        progress: Told the fraction read.
        process: Whose rows of the system profile are wanted, where it holds several processes;
            None for all. Instructions do not say whose they are, so that then there are none.

    Returns:
        One profile; the system's and the core's apart where nothing in the tables relates their
        clocks.

    Raises:
        UnreadableInputError: ``several_profiles``, ``unknown_format``, ``broken_table``,
            ``too_many_rows`` or ``no_events``.
    """
    folder = only_profile_folder(path)
    tables = Tables(folder, progress)
    changes = FileChanges(tables.files)
    source = SourceLines(directories=(os.getcwd(),))
    parts = [_Part(folder, tables)]
    has_system = has_system_profile(tables)
    if has_system:
        system = parts[0]
        read_system(tables, system.builder, system.manifest, process=process, source=source)
    if process is not None:
        parts[0].manifest.quality += [_DEVICE_LEFT_OUT] if has_device_profile(tables) else []
    elif has_device_profile(tables) or not has_system:
        clock = device_clock(tables)
        if not clock.is_common:
            parts.append(_Part(folder, tables))
        core = parts[-1]
        core.manifest.quality += clock.notes
        read_device(tables, core.builder, core.manifest, source=source, offset_ns=clock.offset_ns)
    for part in parts:
        part.manifest.quality += [*tables.notes(), *changes.notes()]
    try:
        profiles = [part.builder.build(part.manifest, _named(folder, process)) for part in parts]
    except UnreadableInputError:
        tables.error_if_broken()
        manifest = parts[0].manifest
        if not manifest.vendor_metrics:
            raise
        manifest.quality.append(_FIGURES_ALONE)
        return [Profile(manifest, steps=Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [0]}))]
    if has_system:
        settle_device(profiles[0])
    return profiles


class _Part:
    """What becomes a profile.

    Args:
        folder: The folder of the tables.
        tables: The tables.
    """

    def __init__(self, folder: Path, tables: Tables) -> None:
        self.builder = ProfileBuilder()
        files = [str(file) for file in tables.files]
        self.manifest = new_manifest(profile_name(folder), FORMAT_NAME, files)
        self.manifest.device = "neuron"
        self.manifest.quality += schema_notes(read_schema(tables))


def _named(folder: Path, process: Process | None) -> str:
    """What a message calls the input."""
    return f"{folder} (process {process.number})" if process is not None else str(folder)
