"""Writing files so that a crash leaves the old state or the new one, and saying what failed."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sidelight.profile.errors import StoreError

# Besides a full disk, a quota or a limit on the size of one file (ulimit -f) ends a write halfway.
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def durable_file(path: Path) -> Generator[IO[bytes]]:
    """A new binary file that is on the disk itself once the block is left.

    Raises:
        OSError: It cannot be written, or something has its name: a link there, in a directory that
            came from elsewhere, would lead out of it.
    """
    with path.open("xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, content: bytes) -> None:
    """Give ``path`` new content; a reader sees the old or the new one, never a mixture.

    Two writers of one path must exclude each other (:func:`locked`): they share the file beside
    it that is written first.
    """
    unfinished = path.with_name(path.name + ".new")
    unfinished.unlink(missing_ok=True)  # of a writer that was killed, or a link out of here
    with durable_file(unfinished) as file:
        file.write(content)
    unfinished.replace(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Put a directory's entries on the disk, so that a rename in it survives a power cut."""
    if os.name == "nt":  # Windows opens no directories, and needs no help here
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(directory: Path) -> Generator[None]:
    """Keep other processes that ask for the same lock out; it ends with its process."""
    if os.name == "nt":
        yield
        return
    import fcntl

    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def plain_errors(directory: Path) -> Generator[None]:
    """Turn what the operating system refuses inside ``directory`` into a sentence.

    Raises:
        StoreError: ``disk_full`` or ``store_unusable``, for any OSError in the block.
    """
    try:
        yield
    except OSError as error:
        raise _store_error(error, directory) from error


def _store_error(error: OSError, directory: Path) -> StoreError:
    if error.errno in _NO_SPACE:
        return StoreError(
            "disk_full",
            f"There is no room left to write in {directory}. Free some space "
            "(`sidelight profiles --prune N` keeps the newest N), or choose another place "
            "with `--store DIR`.",
        )
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return StoreError(
            "store_unusable",
            f"{directory} cannot hold profiles, because a file is in the place of a directory. "
            "Move that file away, or choose another place with `--store DIR`.",
        )
    reason = (error.strerror or str(error)).lower()
    return StoreError(
        "store_unusable",
        f"The profile store {directory} cannot be used: {reason}. "
        "Check its permissions, or choose another place with `--store DIR`.",
    )
