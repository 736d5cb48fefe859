"""Where a person said that a profile's files from elsewhere are here: ``sidelight.sourceMap``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sidelight.analysis.same_file import path_parts

_FOLDER_VARIABLE = "${workspaceFolder}"


class SourceMap:
    """Files and directories of other machines, and what they are here.

    Args:
        entries: As the setting has them: a path as a profile has it, and one on this machine,
            absolute or below a folder of the workspace. Of several entries that hold a file the
            longest counts.
        folders: The workspace's folders.
    """

    def __init__(
        self, entries: Mapping[str, str] | None = None, folders: Sequence[Path] = ()
    ) -> None:
        self._entries = sorted(
            ((tuple(path_parts(there)), here) for there, here in (entries or {}).items()),
            key=lambda entry: len(entry[0]),
            reverse=True,
        )
        self._folders = folders

    def here(self, file: str) -> str | None:
        """Where a profile's file is said to be; None where nothing is said, or it is not there."""
        if not self._entries:
            return None
        parts = tuple(path_parts(file))
        for there, here in self._entries:
            rest = parts[len(there) :]
            if parts[: len(there)] == there and ".." not in rest:
                return self._existing(here, rest)
        return None

    def _existing(self, here: str, rest: Sequence[str]) -> str | None:
        if os.path.isabs(here):
            starts = [Path(here)]
        else:
            below = here.removeprefix(_FOLDER_VARIABLE).lstrip("/\\")
            starts = [folder / below for folder in self._folders]
        for start in starts:
            path = os.path.normpath(start.joinpath(*rest))
            if os.path.isfile(path):
                return path
        return None
