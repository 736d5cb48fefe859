"""Names of files that came with a directory from elsewhere, and must not lead out of it."""

from __future__ import annotations

from pathlib import Path


def path_inside(directory: Path, name: str) -> Path | None:
    """The file of that name in a directory; None if the name leads out of it, or is no name.

    A symbolic link inside the directory counts as the place that it leads to.
    """
    path = directory / name
    try:
        inside = path.resolve().is_relative_to(directory.resolve())
    except (OSError, RuntimeError, ValueError):  # a name too long, links in a circle, a zero byte
        return None
    return path if inside else None
