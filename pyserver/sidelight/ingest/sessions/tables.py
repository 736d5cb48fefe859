"""Neuron Explorer's tables of several processes, which are several recordings."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sidelight.ingest.byte_source import Progress
from sidelight.ingest.explorer.parquet_profile import read
from sidelight.ingest.explorer.system_events import Process, processes_of
from sidelight.ingest.explorer.table_files import profile_folders, profile_name
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.recordings import Recording
from sidelight.profile.model import Profile


def table_processes(path: Path) -> list[Process]:
    """The processes that one folder of tables holds; none for what is no such folder."""
    folders = profile_folders(path)
    return processes_of(Tables(folders[0])) if len(folders) == 1 else []


def recordings_of_tables(path: Path) -> list[Recording]:
    """A recording for each process in a folder of tables."""
    processes = table_processes(path)
    if len(processes) < 2:
        return [Recording(path, partial(_read, path, None))]
    name = profile_name(profile_folders(path)[0])
    return [
        Recording(path, partial(_read, path, process), process.label, name) for process in processes
    ]


def _read(path: Path, process: Process | None, progress: Progress | None) -> list[Profile]:
    return [read(path, progress=progress, process=process)]
