"""What HBM holds for a program, by what it is for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

_MOST_USES: Final = 200
_LONGEST_NAME: Final = 100
_LARGEST_BYTES: Final = 1 << 50


def bytes_by_use(rows: Iterable[tuple[str, int | None]]) -> dict[str, int]:
    """Add up the bytes of each use, over all cores.

    Args:
        rows: Uses with their bytes; those of no name, or of a size that cannot be, are passed over.

    Returns:
        The uses that take anything, by the file's own names.
    """
    found: defaultdict[str, int] = defaultdict(int)
    for use, size_bytes in rows:
        name = use.strip()[:_LONGEST_NAME]
        has_room = name in found or len(found) < _MOST_USES
        if name and has_room and size_bytes is not None and 0 < size_bytes < _LARGEST_BYTES:
            found[name] += size_bytes
    return dict(found)
