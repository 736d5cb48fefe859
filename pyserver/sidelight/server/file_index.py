"""Which of a profile's files a document is."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence, Set
from pathlib import PureWindowsPath

from sidelight.analysis.annotations import FileAnnotations
from sidelight.server.source_lines import lines_of

# Of the lines that a profile kept of a file, so many must be in a document that is the same file.
_LEAST_SIMILARITY = 0.5

# Where a profile kept no text, so many last parts of the path must agree.
_LEAST_PARTS = 2


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
                self._elsewhere[_parts(file.file)[-1]].append(file)

    def find(self, path: str, text: str) -> FileAnnotations | None:
        """The file that a document is.

        Args:
            path: Where the document is on this machine.
            text: What it holds now.

        Returns:
            The file at that path; else, of those that are not on this machine, the one whose path
            ends most like it, and whose text is most like the document's; None if there is none.
        """
        if path in self.files:
            return self.files[path]
        if here := self._here.get(os.path.realpath(path)):
            return here
        parts = _parts(path)
        candidates = self._elsewhere.get(parts[-1])
        if not candidates:
            return None
        lines = frozenset(lines_of(text))
        best, best_score = None, (0, 0.0)
        for file in candidates:
            theirs = _parts(file.file)
            common = _common_end(theirs, parts)
            similarity = _similarity(file.text, lines)
            if similarity is None:
                alike, similarity = common >= min(_LEAST_PARTS, len(theirs)), 0.0
            else:
                alike = similarity >= _LEAST_SIMILARITY
            if alike and (common, similarity) > best_score:
                best, best_score = file, (common, similarity)
        return best


def _common_end(path: Sequence[str], other: Sequence[str]) -> int:
    """How many of the last parts of two paths are the same."""
    length = 0
    for part, others in zip(reversed(path), reversed(other), strict=False):
        if part != others:
            break
        length += 1
    return length


def _parts(path: str) -> Sequence[str]:
    # A Windows path knows both separators: the profile may be from any machine.
    return PureWindowsPath(path).parts or ("",)


def _similarity(old: str | None, new_lines: Set[str]) -> float | None:
    """The part of the old text's lines that are among the new ones; None where there is no text."""
    if old is None:
        return None
    lines = {line for line in lines_of(old) if line.strip()}
    return len(lines & new_lines) / len(lines) if lines else 1.0
