"""The format of Neuron Explorer's tables: of one process, or of several, which are recordings."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from sidelight.ingest.byte_source import Progress
from sidelight.ingest.explorer.parquet_profile import FORMAT_NAME, detect, read_parts
from sidelight.ingest.explorer.system_events import Process, processes_of
from sidelight.ingest.explorer.table_files import profile_folders, profile_name
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.formats import Format
from sidelight.ingest.recordings import Recording
from sidelight.ingest.sessions.session import Session
from sidelight.ingest.sessions.timeline import Part, on_one_timeline
from sidelight.profile.model import Profile


def table_processes(path: Path) -> list[Process]:
    """The processes that one folder of tables holds; none for what is no such folder."""
    folders = profile_folders(path)
    return processes_of(Tables(folders[0])) if len(folders) == 1 else []


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a folder of tables, or one that holds it alone, or a table in it.

    Args:
        path: What to read.
        progress: Told the fraction read.

    Returns:
        The profile; where a part of it is by an unknown clock, all but that.

    Raises:
        UnreadableInputError: As :func:`.read_parts`.
    """
    return _read(path, None, progress)[0]


def _recordings(path: Path) -> list[Recording]:
    """A recording for each process in a folder of tables."""
    processes = table_processes(path)
    if len(processes) < 2:
        return [Recording(path, partial(_read, path, None))]
    name = profile_name(profile_folders(path)[0])
    return [
        Recording(path, partial(_read, path, process), process.label, name) for process in processes
    ]


def _read(path: Path, process: Process | None, progress: Progress | None) -> list[Profile]:
    parts = read_parts(path, progress=progress, process=process)
    if len(parts) == 1:
        return parts
    session = Session(path, path.name, devices=[(path, FORMAT)])
    profiles = on_one_timeline(session, None, [Part(path, part) for part in parts])
    profiles[0].manifest.format = FORMAT_NAME
    return profiles


FORMAT: Final = Format(FORMAT_NAME, detect, read, _recordings)
