"""The format of Neuron Explorer's Parquet tables: device profile, system profile, or both."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.explorer.clocks import device_offset_ns
from sidelight.ingest.explorer.device_profile import has_device_profile, read_device
from sidelight.ingest.explorer.schema_version import read_schema, schema_notes
from sidelight.ingest.explorer.system_profile import (
    has_system_profile,
    read_system,
    settle_device,
)
from sidelight.ingest.explorer.table_files import only_profile_folder, profile_folders
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.notes import figures_alone
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import STEP_COLUMNS, Table

_FIGURES_ALONE: Final = figures_alone(
    "The profile",
    "Make its tables anew with neuron-explorer view, without leaving any out.",
)


def detect(path: Path) -> bool:
    """Whether a path is a folder of Neuron Explorer's tables, or one of the tables."""
    return profile_folders(path) == [path.parent if os.path.isfile(path) else path]


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read the tables of one profile.

    Args:
        path: The folder, one that holds it alone, or a table in it.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: ``several_profiles``, ``unknown_format``, ``broken_table``,
            ``too_many_rows`` or ``no_events``.
    """
    folder = only_profile_folder(path)
    tables = Tables(folder, progress)
    builder = ProfileBuilder()
    name = folder.absolute().name.removesuffix("@latest")
    manifest = new_manifest(name, FORMAT.name, [str(file) for file in tables.files])
    manifest.device = "neuron"
    manifest.quality += schema_notes(read_schema(tables))
    source = SourceLines(directories=(os.getcwd(),))
    if has_system_profile(tables):
        read_system(tables, builder, manifest, source=source)
    if has_device_profile(tables) or not has_system_profile(tables):
        offset_ns, notes = device_offset_ns(tables)
        manifest.quality += notes
        read_device(tables, builder, manifest, source=source, offset_ns=offset_ns)
    manifest.quality += tables.notes()
    try:
        profile = builder.build(manifest, str(folder))
    except UnreadableInputError:
        tables.error_if_broken()
        if not manifest.vendor_metrics:
            raise
    else:
        if has_system_profile(tables):
            settle_device(profile)
        return profile
    manifest.quality.append(_FIGURES_ALONE)
    return Profile(manifest, steps=Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [0]}))


FORMAT: Final = Format("explorer_parquet", detect, read)
