"""Whether two files, known by path and text, are one file at different places."""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import PureWindowsPath

from sidelight.analysis.text_lines import lines_of
from sidelight.profile.manifest import SourceFile

# Of the lines that are known of a file, so many must be in another that is the same file.
_LEAST_SIMILARITY = 0.5

# Where a text is not known, so many last parts of the path must agree.
_LEAST_PARTS = 2

Likeness = tuple[int, float]
"""How many last parts of the paths agree, and the part of one's lines that the other has."""


def likeness(
    path: str, lines: Set[str] | None, other: str, other_lines: Set[str] | None
) -> Likeness | None:
    """How alike a file and another are; None if it is not that file.

    Args:
        path: Where the file is, or was on any machine.
        lines: What it held, from :func:`set_of_lines`.
        other: Where the other is.
        other_lines: What that holds; it may hold more.
    """
    parts = path_parts(path)
    common = _common_end(parts, path_parts(other))
    if lines is None or other_lines is None:
        return (common, 0.0) if common >= min(_LEAST_PARTS, len(parts)) else None
    similarity = len(lines & other_lines) / len(lines) if lines else 1.0
    return (common, similarity) if similarity >= _LEAST_SIMILARITY else None


def pair_files(
    old: Sequence[SourceFile], new: Sequence[SourceFile]
) -> list[tuple[SourceFile, SourceFile]]:
    """Find the files of one profile that are files of another.

    Returns:
        Files of one path; of the others those of one name that hold the same, or a part of it; and
        of what is left those that hold the same under another name. Each is in one pair at most.
    """
    new_by_path = {file.path: file for file in new}
    pairs = [(file, new_by_path[file.path]) for file in old if file.path in new_by_path]
    paired = {file.path for file, _ in pairs}
    old_left = [file for file in old if file.path not in paired]
    new_left = [(file, set_of_lines(file.text)) for file in new if file.path not in paired]
    candidates: list[tuple[Likeness, SourceFile, SourceFile]] = []
    for before in old_left:
        lines = set_of_lines(before.text)
        for after, after_lines in new_left:
            kept = likeness(before.path, lines, after.path, after_lines)
            was = likeness(after.path, after_lines, before.path, lines)
            if kept and was:
                candidates.append((max(kept, was), before, after))
            elif (either := kept or was) and path_parts(before.path)[-1] == path_parts(after.path)[
                -1
            ]:
                candidates.append((either, before, after))
    candidates.sort(key=lambda candidate: candidate[0], reverse=True)
    old_taken, new_taken = set[str](), set[str]()
    for _, before, after in candidates:
        if before.path not in old_taken and after.path not in new_taken:
            pairs.append((before, after))
            old_taken.add(before.path)
            new_taken.add(after.path)
    return pairs


def path_parts(path: str) -> Sequence[str]:
    """The parts of a path from any machine; at least one."""
    # A Windows path knows both separators.
    return PureWindowsPath(path).parts or ("",)


def set_of_lines(text: str | None) -> Set[str] | None:
    """The lines of a text that are not blank, each once; None where it is not known."""
    return None if text is None else {line for line in lines_of(text) if line.strip()}


def _common_end(path: Sequence[str], other: Sequence[str]) -> int:
    """How many of the last parts of two paths are the same."""
    length = 0
    for part, others in zip(reversed(path), reversed(other), strict=False):
        if part != others:
            break
        length += 1
    return length
