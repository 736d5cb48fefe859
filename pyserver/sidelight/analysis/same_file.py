"""Whether two files, known by path and text, are one file at different places."""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import PureWindowsPath

from sidelight.analysis.text_lines import lines_of

# Of the lines that are known of a file, so many must be in another that is the same file.
_LEAST_SIMILARITY = 0.5

# Where a text is not known, so many last parts of the path must agree.
_LEAST_PARTS = 2

Likeness = tuple[int, float]
"""How many last parts of the paths agree, and the part of one's lines that the other has."""


def likeness(
    path: str, text: str | None, other: str, other_lines: Set[str] | None
) -> Likeness | None:
    """How alike two files are whose names agree; None if they are not the same file.

    Args:
        path: Where one is, or was on any machine.
        text: What it held; None where that is not known.
        other: Where the other is.
        other_lines: The other's lines, from :func:`set_of_lines`.
    """
    parts = path_parts(path)
    common = _common_end(parts, path_parts(other))
    if text is None or other_lines is None:
        return (common, 0.0) if common >= min(_LEAST_PARTS, len(parts)) else None
    similarity = _similarity(set_of_lines(text), other_lines)
    return (common, similarity) if similarity >= _LEAST_SIMILARITY else None


def path_parts(path: str) -> Sequence[str]:
    """The parts of a path from any machine; at least one."""
    # A Windows path knows both separators.
    return PureWindowsPath(path).parts or ("",)


def set_of_lines(text: str) -> Set[str]:
    """The lines of a text that are not blank, each once."""
    return {line for line in lines_of(text) if line.strip()}


def _common_end(path: Sequence[str], other: Sequence[str]) -> int:
    """How many of the last parts of two paths are the same."""
    length = 0
    for part, others in zip(reversed(path), reversed(other), strict=False):
        if part != others:
            break
        length += 1
    return length


def _similarity(lines: Set[str], others: Set[str]) -> float:
    """The part of the lines that are among the others."""
    return len(lines & others) / len(lines) if lines else 1.0
