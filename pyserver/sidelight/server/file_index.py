"""Which of a profile's files a document is."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence

from sidelight.analysis.annotations import FileAnnotations
from sidelight.analysis.same_file import likeness, path_parts, set_of_lines
from sidelight.server.source_map import SourceMap


class FileIndex:
    """A profile's files, to be found by where they are here, or by what they were elsewhere.

    Looks at the file system when it is made.

    Args:
        files: The files.
    """

    def __init__(self, files: Sequence[FileAnnotations]) -> None:
        self.files = {file.file: file for file in files}
        self._here: dict[str, FileAnnotations] = {}
        self._elsewhere: defaultdict[str, list[FileAnnotations]] = defaultdict(list)
        for file in files:
            if os.path.isabs(file.file) and os.path.exists(file.file):
                self._here[os.path.realpath(file.file)] = file
            else:
                self._elsewhere[path_parts(file.file)[-1]].append(file)

    def find(self, path: str, text: str, source_map: SourceMap) -> FileAnnotations | None:
        """The file that a document is.

        Args:
            path: Where the document is on this machine.
            text: What it holds now.
            source_map: Where files from elsewhere are said to be.

        Returns:
            The file at that path, or said to be there; else, of those that are not on this machine,
            the one whose path ends most like it, and whose text is most like the document's; None
            if there is none.
        """
        if path in self.files:
            return self.files[path]
        real_path = os.path.realpath(path)
        if here := self._here.get(real_path):
            return here
        candidates: list[FileAnnotations] = []
        for file in self._elsewhere.get(path_parts(path)[-1], ()):
            said = source_map.here(file.file)
            if said is None:
                candidates.append(file)
            elif os.path.realpath(said) == real_path:
                return file
        if not candidates:
            return None
        lines = set_of_lines(text)
        best, best_likeness = None, (0, 0.0)
        for file in candidates:
            alike = likeness(file.file, set_of_lines(file.text), path, lines)
            if alike and alike > best_likeness:
                best, best_likeness = file, alike
        return best
