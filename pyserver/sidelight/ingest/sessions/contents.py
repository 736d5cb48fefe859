"""What a folder holds, found within bounds: files by kind, folders that are profiles."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from sidelight.ingest.captured import CAPTURE_FILE
from sidelight.ingest.explorer.table_files import profile_folders
from sidelight.ingest.formats import Format
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import unreadable
from sidelight.profile.stored_manifest import MANIFEST_FILE

MOST_ENTRIES: Final = 20_000
"""Entries that are looked at: a run of many ranks leaves some thousand files."""

DEEPEST: Final = 8
"""Folders within one another that are gone into."""

_MOST_TRIED: Final = 2_000
"""Files that are opened to see what they are."""

_TRIED_ENDINGS: Final = (".json", ".gz", ".txt", ".pftrace", ".perfetto-trace")

RawKind = Literal["ntff", "neff", "mapping", "runtime"]

RUNTIME_FILES: Final = frozenset({"ntrace.pb", "trace_info.pb", "cpu_util.pb", "host_mem.pb"})
"""What the Neuron runtime writes of the host and of itself. Only its own tool can read these."""

_MAPPING: Final = re.compile(r"framework_mapping_.*\.json", re.IGNORECASE)


@dataclass
class Contents:
    """What a folder holds.

    Attributes:
        folder: The folder.
        readable: Files and folders that a reader knows, in the order of their names.
        raw: Files of the Neuron runtime, by kind.
        links_left_out: Links that lead out of the folder, or to folders.
        closed: Folders that may not be looked into.
        others: Files that are no profile and no part of one, in the order of their folders.
        is_whole: Whether all there is was looked at.
    """

    folder: Path
    readable: list[tuple[Path, Format]] = field(default_factory=list[tuple[Path, Format]])
    raw: dict[RawKind, list[Path]] = field(default_factory=dict[RawKind, list[Path]])
    links_left_out: int = 0
    closed: int = 0
    others: list[Path] = field(default_factory=list[Path])
    is_whole: bool = True

    def files(self, kind: RawKind) -> list[Path]:
        """The raw files of a kind."""
        return self.raw.get(kind, [])


def look_through(
    folder: Path, formats: Sequence[Format], *, most_entries: int = MOST_ENTRIES
) -> Contents:
    """Find out what a folder holds, below it too.

    Links to folders are not followed, and those to files only where they stay in the folder. Hidden
    folders and profiles that are stored already are passed over.

    Args:
        folder: A directory.
        formats: The formats that there are.
        most_entries: How many entries are looked at.

    Raises:
        UnreadableInputError: ``not_readable``: the folder cannot be listed.
    """
    contents = Contents(folder)
    tried = 0
    for path in _walk(contents, most_entries):
        if os.path.isdir(path):
            own = _format_of(path, formats)
            if own is not None:
                contents.readable.append((path, own))
            continue
        kind = _raw_kind(path.name)
        if kind is not None:
            contents.raw.setdefault(kind, []).append(path)
            continue
        if path.name.lower().endswith(_TRIED_ENDINGS) and tried < _MOST_TRIED:
            tried += 1
            own = _format_of(path, formats)
            if own is not None:
                contents.readable.append((path, own))
                continue
        contents.others.append(path)
    contents.readable.sort(key=lambda found: natural_order(str(found[0])))
    return contents


def natural_order(text: str) -> list[tuple[int, str]]:
    """Sorts ``rank2`` before ``rank10``."""
    parts = re.split(r"(\d{1,18})", text)
    return [(int(part), "") if index % 2 else (-1, part) for index, part in enumerate(parts)]


def _walk(contents: Contents, most_entries: int) -> Iterator[Path]:
    """Regular files, and folders that are read as one; nothing below the latter."""
    root = os.path.realpath(contents.folder)
    seen = 0
    waiting: list[tuple[Path, int]] = [(contents.folder, 0)]
    while waiting:
        folder, depth = waiting.pop(0)
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: natural_order(entry.name))
        except OSError as error:
            if depth == 0:
                raise unreadable(folder, error) from error
            contents.closed += 1
            continue
        names = {entry.name for entry in listed}
        if depth and MANIFEST_FILE in names:
            continue
        if depth and _is_one_profile(folder, names):
            yield folder
            continue
        for entry in listed:
            seen += 1
            if seen > most_entries:
                contents.is_whole = False
                return
            path = folder / entry.name
            kind = _kind_of(entry, root)
            if kind == "folder" and not entry.name.startswith("."):
                if depth + 1 >= DEEPEST:
                    contents.is_whole = False
                else:
                    waiting.append((path, depth + 1))
            elif kind == "link":
                contents.links_left_out += 1
            elif kind == "file":
                yield path


def _is_one_profile(folder: Path, names: set[str]) -> bool:
    if CAPTURE_FILE in names and os.path.isfile(folder / CAPTURE_FILE):
        return True
    has_tables = any(name.endswith(".parquet") for name in names)
    return has_tables and profile_folders(folder) == [folder]


def _kind_of(entry: os.DirEntry[str], root: str) -> Literal["folder", "file", "link", "other"]:
    """What a folder's entry is; a link is one that is not followed."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        if entry.is_symlink() and _leads_out(entry, root):
            return "link"
        return "file" if entry.is_file() else "other"
    except PermissionError:  # where it leads may not be asked
        return "link"
    except OSError:  # a circle of links, or gone meanwhile
        return "other"


def _leads_out(link: os.DirEntry[str], root: str) -> bool:
    target = os.path.realpath(link.path)
    return os.path.isdir(target) or os.path.commonpath((root, target)) != root


def _raw_kind(name: str) -> RawKind | None:
    lower = name.lower()
    if lower.endswith(".ntff"):
        return "ntff"
    if lower.endswith(".neff"):
        return "neff"
    if lower in RUNTIME_FILES:
        return "runtime"
    return "mapping" if _MAPPING.fullmatch(name) else None


def _format_of(path: Path, formats: Sequence[Format]) -> Format | None:
    """The format of a file or folder; None for what is none, or cannot be read at all."""
    for candidate in formats:
        try:
            if candidate.detect(path):
                return candidate
        except UnreadableInputError:
            return None
    return None
