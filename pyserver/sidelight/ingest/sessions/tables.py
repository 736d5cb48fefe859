"""Neuron Explorer's tables of several processes, which are several recordings."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.explorer.device_profile import has_device_profile
from sidelight.ingest.explorer.schema_version import read_schema, schema_notes
from sidelight.ingest.explorer.system_events import Process, processes_of
from sidelight.ingest.explorer.system_profile import read_system, settle_device
from sidelight.ingest.explorer.table_files import profile_folders
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.recordings import Recording
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote


def table_processes(path: Path) -> list[Process]:
    """The processes that one folder of tables holds; none for what is no such folder."""
    folders = profile_folders(path)
    return processes_of(Tables(folders[0])) if len(folders) == 1 else []


def read_process(path: Path, process: Process, progress: Progress | None) -> Profile:
    """Read one process of a system profile that holds several.

    Raises:
        UnreadableInputError: As for the format itself.
    """
    folder = profile_folders(path)[0]
    tables = Tables(folder, progress)
    name = folder.absolute().name.removesuffix("@latest")
    manifest = new_manifest(name, "explorer_parquet", [str(file) for file in tables.files])
    manifest.device = "neuron"
    manifest.quality += schema_notes(read_schema(tables))
    builder = ProfileBuilder()
    source = SourceLines(directories=(os.getcwd(),))
    read_system(tables, builder, manifest, process=process, source=source)
    manifest.quality += tables.notes()
    if has_device_profile(tables):
        manifest.quality.append(
            QualityNote(
                "device_profile_left_out",
                "warning",
                "The tables hold a core's instructions, too, and do not say of which process, so "
                "that these are not shown. Let neuron-explorer make tables of one process alone.",
            )
        )
    profile = builder.build(manifest, f"{folder} (process {process.number})")
    settle_device(profile)
    return profile


def recordings_of_tables(own: Format, path: Path) -> list[Recording]:
    """A recording for each process in a folder of tables.

    Args:
        own: The format of such folders, which reads one of a single process.
        path: The folder.
    """
    processes = table_processes(path)
    if len(processes) < 2:
        return [Recording(path, lambda progress: [own.read(path, progress=progress)])]
    name = profile_folders(path)[0].absolute().name.removesuffix("@latest")
    return [
        Recording(path, partial(_read_alone, path, process), process.label, name)
        for process in processes
    ]


def _read_alone(path: Path, process: Process, progress: Progress | None) -> list[Profile]:
    return [read_process(path, process, progress)]
