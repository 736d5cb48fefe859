"""Tells which of a folder's files were recorded together: of one process, at one time."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sidelight.ingest.explorer.parquet_profile import FORMAT_NAME as TABLES_FORMAT
from sidelight.ingest.explorer.system_events import EVENTS_TABLE
from sidelight.ingest.explorer.table_files import table_files
from sidelight.ingest.formats import Format
from sidelight.ingest.sessions.contents import Contents, RawKind, natural_order
from sidelight.profile.stored_manifest import MANIFEST_FILE

PROCESS_FOLDER: Final = re.compile(r"(?P<instance>.+)_pid_(?P<number>\d{1,18})")
"""What the Neuron runtime calls the folder of a process."""

_TIME_FOLDER: Final = re.compile(r"\d[\dTZ_.:-]*")
"""What it calls the folder of one recording in that."""

FRAMEWORK_FORMATS: Final = frozenset({"torch_trace"})
"""Traces of the framework: they know lines and operators."""

SYSTEM_JSON_FORMAT: Final = "neuron_system_json"
DEVICE_FORMATS: Final = frozenset({TABLES_FORMAT, "neuron_profile_json", SYSTEM_JSON_FORMAT})
"""What Neuron's tools make of a recording: it knows what the device did."""

CAPTURE_FORMATS: Final = frozenset({"ntff", "neff"})
"""Files that are raw material here, though each can be opened by itself."""

_TRACE_ENDING: Final = re.compile(r"(\.pt)?(\.trace)?(\.json)?(\.gz)?$")
_CYCLE: Final = re.compile(r"(?<=.)\.\d{9,}$")
"""What torch's handler for TensorBoard adds to the worker's name: when the recording ended."""


@dataclass
class Session:
    """What was recorded together.

    Attributes:
        folder: Where it lies.
        worker: What tells its process from others.
        process: The process's id; None where the folder's name does not say.
        traces: The framework's traces.
        devices: What Neuron's tools made, with its format.
        raw: Files of the runtime, by kind.
        opened: The folder that was opened: itself, or one above.
        run: The stored profile of the run that the runtime recorded here, where that is known.
        process_from_trace: Whether its process is known from the trace alone.
    """

    folder: Path
    worker: str
    process: int | None = None
    traces: list[tuple[Path, Format]] = field(default_factory=list[tuple[Path, Format]])
    devices: list[tuple[Path, Format]] = field(default_factory=list[tuple[Path, Format]])
    raw: dict[RawKind, list[Path]] = field(default_factory=dict[RawKind, list[Path]])
    opened: Path | None = None
    run: Path | None = None
    process_from_trace: bool = False

    def files(self, kind: RawKind) -> list[Path]:
        """The raw files of a kind."""
        return self.raw.get(kind, [])

    @property
    def is_recording(self) -> bool:
        """Whether anything in it was recorded: programs alone are not."""
        return bool(self.traces or self.devices or self.files("ntff") or self.files("runtime"))


@dataclass(frozen=True)
class Grouped:
    """A folder's contents, by what was recorded together.

    Attributes:
        sessions: The sessions, by process and time.
        alone: What is a recording by itself, with its format.
    """

    sessions: list[Session]
    alone: list[tuple[Path, Format]]


def group(contents: Contents) -> Grouped:
    """Tell a folder's sessions apart.

    Files of a process's folder belong to it; one folder that is called by a time is a session of
    its own. What lies elsewhere belongs to the only session there is, or else stands alone.
    """
    root = contents.folder.absolute()
    sessions: dict[tuple[Path, str], Session] = {}
    elsewhere = Session(root, root.name)
    alone: list[tuple[Path, Format]] = []

    def session_of(path: Path) -> Session:
        place = _place(root, path.absolute())
        if place is None:
            return elsewhere
        folder, time, process = place
        return sessions.setdefault((folder, time), Session(folder / time, folder.name, process))

    for path, own in contents.readable:
        if own.name in FRAMEWORK_FORMATS:
            session_of(path).traces.append((path, own))
        elif own.name in DEVICE_FORMATS:
            session_of(path).devices.append((path, own))
        elif own.name not in CAPTURE_FORMATS:
            alone.append((path, own))
    for kind, files in contents.raw.items():
        for file in files:
            session_of(file).raw.setdefault(kind, []).append(file)

    found = _without_programs_alone([*sessions.values(), elsewhere])
    if elsewhere in found and len(found) == 2 and not elsewhere.traces:
        found.remove(elsewhere)
        _take_in(found[0], elsewhere)
    for session in list(found):
        if session.process is None and not session.traces and not _has_system_profile(session):
            # Profiles of single programs that lie in one folder have nothing to do with each other.
            alone += session.devices
            if session.devices:  # what the captures there hold, these tell
                found.remove(session)
    separate = [part for session in found for part in _split(session)]
    for session in separate:
        session.opened = contents.folder
    if len(separate) == 1 and os.path.isfile(root.parent / MANIFEST_FILE):
        separate[0].run = root.parent
    separate.sort(key=lambda each: (natural_order(each.worker), natural_order(str(each.folder))))
    return Grouped(separate, alone)


def worker_of_trace(path: Path) -> str:
    """What a trace's name says of who wrote it: all but its ending and the time."""
    stem = _TRACE_ENDING.sub("", path.name)
    return _CYCLE.sub("", stem) or stem


def _place(root: Path, path: Path) -> tuple[Path, str, int] | None:
    """Process folder, name of the session's folder in it (or nothing), and process id of a file."""
    # Whoever opens a session's own folder opens less than the process's.
    ancestors = [*reversed(path.parents), *([path] if os.path.isdir(path) else [])]
    for position, folder in enumerate(ancestors):
        match = PROCESS_FOLDER.fullmatch(folder.name)
        if match is None or not (folder.is_relative_to(root) or root.is_relative_to(folder)):
            continue
        below = ancestors[position + 1].name if position + 1 < len(ancestors) else ""
        time = below if _TIME_FOLDER.fullmatch(below) else ""
        return folder, time, int(match["number"])
    return None


def _without_programs_alone(sessions: Sequence[Session]) -> list[Session]:
    """Sessions in which something was recorded; programs beside these are of all of them."""
    recorded = [session for session in sessions if session.is_recording]
    for rest in sessions:
        if rest.is_recording:
            continue
        for session in recorded:
            if rest.worker == session.worker or rest.process is None:
                _take_in(session, rest)
    return recorded


def _has_system_profile(session: Session) -> bool:
    return any(
        own.name == SYSTEM_JSON_FORMAT or EVENTS_TABLE in table_files(path)
        for path, own in session.devices
        if own.name == SYSTEM_JSON_FORMAT or os.path.isdir(path)
    )


def _take_in(session: Session, other: Session) -> None:
    session.devices += other.devices
    for kind, files in other.raw.items():
        session.raw.setdefault(kind, []).extend(files)


def _split(session: Session) -> list[Session]:
    """A session of several traces is one of each; what is no trace then stands for itself."""
    if len(session.traces) < 2:
        return [session]
    separate = [
        Session(
            path.parent,
            session.worker if session.process is not None else worker_of_trace(path),
            session.process,
            [(path, own)],
        )
        for path, own in session.traces
    ]
    rest = Session(
        session.folder, session.worker, session.process, [], session.devices, session.raw
    )
    return [*separate, rest] if rest.devices else separate
