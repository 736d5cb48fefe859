"""Source lines as people name them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from sidelight.cli.printable import printable


def short_places(places: Sequence[tuple[str, int]]) -> list[str]:
    """Files and lines as FILE:LINE, with just enough of each path to tell the files apart."""
    files = {file: PurePath(file).parts for file, _ in places}
    names: dict[str, str] = {}
    for path, parts in files.items():
        length = 1
        while (
            length < len(parts)
            and sum(other[-length:] == parts[-length:] for other in files.values()) > 1
        ):
            length += 1
        names[path] = printable("/".join(parts[-length:]))
    return [f"{names[file]}:{line}" for file, line in places]
