"""Results kept beside a stored profile's tables, so that they need not be worked out again.

A file of them is ``DIRECTORY/derived/NAME``. One that is absent, damaged or of another version is
worked out anew by whoever needs it, and so none of this ever fails.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from sidelight.profile.durable import locked, replace_file
from sidelight.profile.inside import path_inside, read_regular

DERIVED_VERSION: Final = 2
"""Raised whenever any kind of results would be read wrongly, or would come out otherwise."""

_DIRECTORY = "derived"
_MAGIC = b"sidelight derived %d\n" % DERIVED_VERSION
_CHECKSUM_BYTES = 4


def read_derived(directory: Path, name: str) -> bytes | None:
    """Read kept results.

    Args:
        directory: The profile's directory.
        name: What the results are called.

    Returns:
        What was written; None if it is not there whole, or of another version.
    """
    path = _path(directory, name)
    if path is None:
        return None
    try:
        kept = read_regular(path)
    except OSError:
        return None
    if not kept.startswith(_MAGIC):
        return None
    body = kept[len(_MAGIC) :]
    checksum, content = body[:_CHECKSUM_BYTES], body[_CHECKSUM_BYTES:]
    return content if checksum == _checksum(content) else None


def write_derived(directory: Path, name: str, content: bytes) -> None:
    """Keep results, if that is possible: a store that cannot be written does without.

    Args:
        directory: The profile's directory.
        name: What the results are called.
        content: The results.
    """
    # The second is what replace_file writes first.
    path, unfinished = _path(directory, name), _path(directory, f"{name}.new")
    if path is None or unfinished is None:
        return
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)  # not its parents: the profile may be deleted meanwhile
        with locked(path.parent):
            try:
                replace_file(path, _MAGIC + _checksum(content) + content)
            except OSError:
                unfinished.unlink(missing_ok=True)
                raise


def _path(directory: Path, name: str) -> Path | None:
    """Where results are kept; None if that is outside the profile, by a link or by its name."""
    if not name or Path(name).name != name:
        return None
    kept = path_inside(directory, _DIRECTORY)
    return kept and path_inside(kept, name)


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "little")
