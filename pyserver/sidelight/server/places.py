"""Where on this machine, and where now, a profile's source lines are."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PureWindowsPath

from pygls.uris import from_fs_path

from sidelight.analysis.line_mapping import LineMap
from sidelight.profile.inside import open_regular
from sidelight.server.annotated_document import line_map
from sidelight.server.file_index import FileIndex
from sidelight.server.protocol import Place

_LARGEST_SOURCE_BYTES = 16_000_000


class PlaceFinder:
    """Finds a profile's places. Reads files: for threads.

    Args:
        index: The profile's files.
        open_texts: What open documents hold, by path.
        folders: Where to look for files that are not where they were.
    """

    def __init__(
        self, index: FileIndex, open_texts: Mapping[str, str], folders: Sequence[Path]
    ) -> None:
        self._index = index
        self._open_texts = open_texts
        self._folders = folders
        self._found: dict[str, tuple[str, LineMap] | None] = {}

    def find(self, file: str, line: int) -> Place:
        """The place of a line, 1-based, of one of the profile's files."""
        if file not in self._found:
            self._found[file] = self._find_file(file)
        found = self._found[file]
        if found is None:
            return Place(file=file, uri=None, line=line, current_line=None)
        path, mapping = found
        now = mapping.place(line - 1, line - 1)
        return Place(
            file=file,
            uri=from_fs_path(path),
            line=line,
            current_line=now.first + 1 if now else None,
        )

    def _find_file(self, file: str) -> tuple[str, LineMap] | None:
        known = self._index.files.get(file)
        for path in self._candidates(file):
            text = self._open_texts.get(path)
            if text is None:
                text = _read(path)
            if text is None:
                continue
            if path == file or (known and self._index.find(path, text) is known):
                return path, line_map(known.text if known else None, text)
        return None

    def _candidates(self, file: str) -> list[str]:
        """Paths it may be at: its own, else open documents, else in a folder, longest first."""
        if os.path.isabs(file) and os.path.exists(file):
            return [file]
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


def _read(path: str) -> str | None:
    # The path is as a trace from anywhere has it: it may well name a device, which has no end.
    try:
        with open_regular(Path(path)) as file:
            content = file.read(_LARGEST_SOURCE_BYTES + 1)
        return None if len(content) > _LARGEST_SOURCE_BYTES else content.decode("utf-8")
    except (OSError, ValueError):
        return None
