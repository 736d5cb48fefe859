"""The text of a profile's lines, as they were when they ran."""

from __future__ import annotations

from collections.abc import Iterable

from sidelight.analysis.text_lines import lines_of
from sidelight.profile.manifest import SourceFile


class SourceTexts:
    """The lines of files.

    Args:
        files: The files; of one whose text is not known, no line is.
    """

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self._lines = {file.path: _lines(file.text or "") for file in files}

    def lines(self, path: str) -> list[str]:
        """All lines of a file, without their endings; none where they are not known."""
        return self._lines.get(path, [])

    def line(self, path: str, number: int) -> str | None:
        """One line of a file, 1-based; None where it is not known."""
        lines = self.lines(path)
        return lines[number - 1] if 1 <= number <= len(lines) else None


def _lines(text: str) -> list[str]:
    lines = lines_of(text)
    return lines if lines[-1] else lines[:-1]
