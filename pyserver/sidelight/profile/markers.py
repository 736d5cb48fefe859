"""Moments of a profile that people have named, kept beside its tables in ``markers.json``."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from sidelight.profile.durable import locked, plain_errors, replace_file
from sidelight.profile.errors import StoreError
from sidelight.profile.inside import path_inside, read_regular
from sidelight.profile.json_files import NOT_AS_EXPECTED, encode_json

MARKERS_FILE: Final = "markers.json"

MOST_MARKERS: Final = 10_000
"""More than a person sets, and few enough for a list."""

MarkerName = Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]
MarkerTime = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """A moment with a name.

    Attributes:
        name: What a person calls it; several may be called alike.
        at_ns: When, from the profile's start.
    """

    name: MarkerName
    at_ns: MarkerTime


def read_markers(directory: Path) -> list[Marker]:
    """The markers of a profile, by time.

    Args:
        directory: The profile's.

    Raises:
        StoreError: ``markers_damaged`` if what is kept cannot be read.
    """
    path = directory / MARKERS_FILE
    try:
        if path_inside(directory, MARKERS_FILE) is None:
            raise OSError(errno.EINVAL, "a link that leads out of the profile", str(path))
        return msgspec.json.decode(read_regular(path), type=list[Marker])
    except FileNotFoundError:
        return []
    except (OSError, *NOT_AS_EXPECTED) as error:
        raise StoreError(
            "markers_damaged",
            f"The markers in {path} cannot be read. Delete that file to set new ones.",
        ) from error


def markers_stamp(directory: Path) -> tuple[int, int] | None:
    """What is another once a profile has other markers; None while it never had any."""
    try:
        found = (directory / MARKERS_FILE).lstat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def change_markers(
    directory: Path, *, removed: Sequence[Marker], added: Sequence[Marker]
) -> list[Marker]:
    """Take some markers away and set others; those that somebody else set meanwhile stay.

    Args:
        directory: The profile's.
        removed: Which go; one that is not there any more is no error.
        added: Which come; one that is there stays the only one of its kind.

    Returns:
        All that there are then, by time.

    Raises:
        StoreError: What is kept cannot be read (``markers_damaged``) or written
            (``store_unusable``, ``disk_full``), or there would be more than
            :data:`MOST_MARKERS` (``too_many_markers``).
    """
    with plain_errors(directory), locked(directory):
        before = read_markers(directory)
        kept = (set(before) - set(removed)) | set(added)
        after = sorted(kept, key=lambda marker: (marker.at_ns, marker.name))
        if len(after) > MOST_MARKERS:
            raise StoreError(
                "too_many_markers",
                f"A profile has at most {MOST_MARKERS:,} markers. Remove some first.",
            )
        if after != before:
            replace_file(directory / MARKERS_FILE, encode_json(after))
    return after
