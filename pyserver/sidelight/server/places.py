"""Where on this machine, and where now, a profile's source lines are.

A profile may be of a trace from anywhere, and name any path: only what is open, or in the
workspace, is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from pygls.uris import from_fs_path

from sidelight.analysis.line_mapping import LineMap
from sidelight.profile.inside import open_regular
from sidelight.server.annotated_document import line_map
from sidelight.server.file_index import FileIndex
from sidelight.server.source_map import SourceMap

_LARGEST_SOURCE_BYTES = 16_000_000


@dataclass(frozen=True)
class Whereabouts:
    """Where a line is.

    Attributes:
        uri: Its file on this machine; None where that is not found.
        current_line: 1-based, where it is now; None where it was removed.
    """

    uri: str | None = None
    current_line: int | None = None


@dataclass(frozen=True)
class _Found:
    """A file on this machine.

    Attributes:
        path: Where it is.
        mapping: Where its lines are now; None where it was not read.
    """

    path: str
    mapping: LineMap | None

    def now(self, line: int) -> int | None:
        """Where a line is now, both 1-based; where it was, if the file was not read."""
        if self.mapping is None:
            return line
        place = self.mapping.place(line - 1, line - 1)
        return place.first + 1 if place else None


class PlaceFinder:
    """Finds a profile's places. Reads files: for threads.

    Args:
        index: The profile's files.
        open_texts: What open documents hold, by path.
        folders: The workspace's, where to look for files that are not where they were.
        source_map: Where such files are said to be.
    """

    def __init__(
        self,
        index: FileIndex,
        open_texts: Mapping[str, str],
        folders: Sequence[Path],
        source_map: SourceMap,
    ) -> None:
        self._index = index
        self._open_texts = open_texts
        self._folders = folders
        self._source_map = source_map
        self._found: dict[str, _Found | None] = {}

    def find(self, file: str, line: int) -> Whereabouts:
        """Where a line, 1-based, of one of the profile's files is."""
        if file not in self._found:
            self._found[file] = self._find_file(file)
        found = self._found[file]
        if found is None:
            return Whereabouts()
        return Whereabouts(from_fs_path(found.path), found.now(line))

    def _find_file(self, file: str) -> _Found | None:
        known = self._index.files.get(file)
        for path in self._candidates(file):
            text = self._open_texts.get(path)
            is_ours = is_in_folders(path, self._folders)
            if text is None and not is_ours and path == file:
                return _Found(path, None) if os.path.isfile(path) else None
            if text is None:
                text = read_source(path) if is_ours else None
            if text is None:
                continue
            is_it = path in (file, self._source_map.here(file))
            if is_it or (known and self._index.find(path, text, self._source_map) is known):
                return _Found(path, line_map(known.text if known else None, text))
        return None

    def _candidates(self, file: str) -> list[str]:
        """Paths it may be at: its own, that which it is said to be at, else open documents, else in
        a folder, longest first."""
        if os.path.isabs(file) and os.path.exists(file):
            return [file]
        if said := self._source_map.here(file):
            return [said]
        parts = PureWindowsPath(file).parts
        name = parts[-1] if parts else ""
        open_documents = [path for path in self._open_texts if Path(path).name == name]
        in_folders = [
            str(folder.joinpath(*parts[start:]))
            for start in range(1 if PureWindowsPath(file).root else 0, len(parts))
            for folder in self._folders
            if ".." not in parts
        ]
        return [*open_documents, *in_folders]


def is_in_folders(path: str, folders: Sequence[Path]) -> bool:
    """Whether a file is in one of the workspace's folders, also by way of links."""
    real_path = Path(os.path.realpath(path))
    return any(real_path.is_relative_to(os.path.realpath(folder)) for folder in folders)


def read_source(path: str) -> str | None:
    """The text of a file; None where it is none, or too large."""
    # The path is as a trace from anywhere has it: it may well name a device, which has no end.
    try:
        with open_regular(Path(path)) as file:
            content = file.read(_LARGEST_SOURCE_BYTES + 1)
        return None if len(content) > _LARGEST_SOURCE_BYTES else content.decode("utf-8")
    except (OSError, ValueError):
        return None
