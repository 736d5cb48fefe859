"""The format of a folder that holds recordings: sessions of Neuron's, traces of several ranks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from sidelight.ingest.bounds import LONGEST_LABEL, shortened
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.captured import CAPTURE_FILE
from sidelight.ingest.explorer.parquet_profile import FORMAT_NAME as TABLES_FORMAT, read_parts
from sidelight.ingest.explorer.system_events import Process
from sidelight.ingest.explorer.table_files import profile_folders
from sidelight.ingest.formats import Format
from sidelight.ingest.recordings import Recording
from sidelight.ingest.sessions.contents import Contents, look_through
from sidelight.ingest.sessions.joining import FORMAT_NAME
from sidelight.ingest.sessions.reading import read_session
from sidelight.ingest.sessions.session import Session, group
from sidelight.ingest.sessions.tables import table_processes
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

LOOKED_FOR: Final = (
    "Looked for: torch.profiler traces (.json, .json.gz), Neuron Explorer's tables (.parquet), "
    "Neuron's profiles as JSON, captures (.ntff with .neff), Perfetto traces (.pftrace), benchmark "
    "reports, and directories that Sidelight recorded."
)

_MOST_NAMED: Final = 4


@dataclass(frozen=True)
class Folders:
    """Reads folders of recordings.

    Attributes:
        formats: The formats of what may lie in one.
    """

    formats: Sequence[Format]

    def detect(self, path: Path) -> bool:
        """Whether a folder holds recordings, rather than being or holding a single profile."""
        if not os.path.isdir(path) or os.path.isfile(path / CAPTURE_FILE):
            return False
        if profile_folders(path) == [path]:
            return False
        contents = look_through(path, self.formats)
        raw = contents.files("ntff") or contents.files("runtime")
        return bool(raw) or [found for found, _ in contents.readable] not in (
            [],
            profile_folders(path)[:1],
        )

    def read(self, path: Path, *, progress: Progress | None = None) -> Profile:
        """Read the first recording in a folder."""
        return self.recordings(path)[0].read(progress)[0]

    def nothing_in(self, path: Path) -> UnreadableInputError:
        """What to say of a folder that holds no recording."""
        return _nothing_found(path, look_through(path, self.formats))

    def recordings(self, path: Path, beside: Path | None = None) -> list[Recording]:
        """What a folder holds.

        Args:
            path: The folder.
            beside: Where else something lies that was made of it.

        Raises:
            UnreadableInputError: ``empty`` or ``unknown_format``: it holds nothing of use.
        """
        contents = look_through(path, self.formats)
        if beside is not None:
            contents.readable += look_through(beside, self.formats).readable
        grouped = group(contents)
        sessions = [part for session in grouped.sessions for part in _by_process(session)]
        name = path.absolute().name or None
        found = [
            Recording(each.folder, partial(_read_session, each), each.worker, name)
            for each in _with_tables_from_elsewhere(sessions)
        ]
        found += [Recording(each, partial(_read_alone, each, own)) for each, own in grouped.alone]
        if not found:
            raise _nothing_found(path, contents)
        notes = _notes(contents)
        if not notes:
            return found
        return [replace(each, read=partial(_read_noted, each, notes)) for each in found]


def _read_session(session: Session, progress: Progress | None) -> list[Profile]:
    return read_session(session, _read_device, progress)


def _read_device(
    path: Path, own: Format, session: Session, progress: Progress | None
) -> list[Profile]:
    """Read what Neuron's tools made: of tables of several processes, the session's alone."""
    if own.name == TABLES_FORMAT:
        processes = table_processes(path)
        wanted = [process for process in processes if process.number == session.process]
        if len(processes) > 1 and wanted:
            profiles = read_parts(path, progress=progress, process=wanted[0])
            if session.process_from_trace:
                profiles[0].note(_others_left_out(path, len(processes) - len(wanted)))
            return profiles
        return read_parts(path, progress=progress)
    return [own.read(path, progress=progress)]


def _others_left_out(path: Path, count: int) -> QualityNote:
    return QualityNote(
        "processes_left_out",
        "info",
        f"{path.name} holds other processes than that of the trace beside it; they are not shown "
        "here. Open that folder by itself to see each.",
        count,
    )


def _by_process(session: Session) -> list[Session]:
    """A session of tables that hold several processes is one of each."""
    if session.process is not None or session.traces:
        return [session]
    found: dict[Process, Session] = {}
    rest = Session(session.folder, session.worker, None, [], [], session.raw)
    for path, own in session.devices:
        processes = table_processes(path) if own.name == TABLES_FORMAT else []
        if len(processes) < 2:
            rest.devices.append((path, own))
        for process in processes if len(processes) > 1 else ():
            part = Session(session.folder, process.label, process.number)
            found.setdefault(process, part).devices.append((path, own))
    return [*found.values(), rest] if rest.is_recording else list(found.values())


def _with_tables_from_elsewhere(sessions: Sequence[Session]) -> list[Session]:
    """Sessions with their processes' tables from elsewhere taken in."""
    by_process = {each.process: each for each in sessions if each.traces or each.raw}
    kept: list[Session] = []
    for session in sessions:
        owner = by_process.get(session.process) if session.process is not None else None
        if owner is None or owner is session or session.traces or session.raw:
            kept.append(session)
        else:
            owner.devices += session.devices
    return kept


def _read_alone(path: Path, own: Format, progress: Progress | None) -> list[Profile]:
    return [own.read(path, progress=progress)]


def _read_noted(
    recording: Recording, notes: Sequence[QualityNote], progress: Progress | None
) -> list[Profile]:
    profiles = list(recording.read(progress))
    for profile in profiles:
        profile.manifest.quality += notes
    return profiles


def _notes(contents: Contents) -> list[QualityNote]:
    notes: list[QualityNote] = []
    # Hidden ones are no more than what an editor or a file system keeps for itself.
    others = [path for path in contents.others if not path.name.startswith(".")]
    if others:
        notes.append(_files_left_out(contents.folder, others))
    if contents.links_left_out:
        notes.append(
            QualityNote(
                "links_left_out",
                "info",
                "Links that lead out of the opened folder, or to folders, were not followed: "
                "what they lead to is missing here. Open the place itself.",
                contents.links_left_out,
            )
        )
    if contents.closed:
        notes.append(
            QualityNote(
                "folders_not_readable",
                "warning",
                "Folders in the opened one may not be looked into, so that recordings in them are "
                "missing. Change their owner or mode.",
                contents.closed,
            )
        )
    if not contents.is_whole:
        notes.append(
            QualityNote(
                "folder_too_large",
                "warning",
                "The folder holds more than is looked through, so that recordings in it may be "
                "missing. Open the folder of one run.",
            )
        )
    return notes


def _files_left_out(folder: Path, files: Sequence[Path]) -> QualityNote:
    named = ", ".join(
        shortened(str(path.relative_to(folder)), LONGEST_LABEL) for path in files[:_MOST_NAMED]
    )
    more = f" and {len(files) - _MOST_NAMED:,} more" if len(files) > _MOST_NAMED else ""
    return QualityNote(
        "files_left_out",
        "info",
        f"Files in the opened folder that are no profile were left out: {named}{more}. "
        "`sidelight open` of one of them says what it is taken for.",
        len(files),
    )


def _nothing_found(path: Path, contents: Contents) -> UnreadableInputError:
    if contents.files("neff"):
        what = "compiled programs (NEFF), but no recording of their runs"
    elif contents.others or contents.raw or contents.links_left_out:
        what = "nothing that Sidelight reads"
    else:
        return UnreadableInputError("empty", f"{path} holds no file at all. {LOOKED_FOR}")
    return UnreadableInputError("unknown_format", f"{path} holds {what}. {LOOKED_FOR}")


def folder_format(folders: Folders) -> Format:
    """The format."""
    return Format(FORMAT_NAME, folders.detect, folders.read, folders.recordings)
