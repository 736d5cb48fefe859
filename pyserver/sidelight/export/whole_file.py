"""A file that is there whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from sidelight.profile.durable import sync_directory
from sidelight.profile.errors import SidelightError

_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class ExportError(SidelightError):
    """The file cannot be written."""


@contextmanager
def whole_file(path: Path) -> Generator[Path]:
    """Where to write a file that takes its name once it is whole; a file of that name is replaced.

    It is written beside its place, and is gone where the block is left by an exception.

    Args:
        path: The file's name. A link is followed.

    Returns:
        A path at which there is nothing yet.

    Raises:
        ExportError: ``not_a_file``: there is a directory, a pipe or a device;
            ``no_such_directory``; ``disk_full``; ``not_writable``.
    """
    place = real_place(path)
    _check(place, path)
    unfinished = place.with_name(f".sidelight-{secrets.token_hex(8)}.part")
    try:
        with plain_write_errors(path):
            yield unfinished
            unfinished.replace(place)
        with suppress(OSError):  # it is in its place, whatever the file system says of that
            sync_directory(place.parent)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def real_place(path: Path) -> Path:
    """The absolute path of a file, links followed.

    Raises:
        ExportError: ``not_writable``: no file can have that name.
    """
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise ExportError(
            "not_writable", f"There can be no file {str(path)!a}. Choose another name."
        ) from error


@contextmanager
def plain_write_errors(path: Path) -> Generator[None]:
    """Turn what the operating system refuses while a file is written into a sentence.

    Args:
        path: The file, as the sentence names it.

    Raises:
        ExportError: ``disk_full`` or ``not_writable``.
    """
    try:
        yield
    except OSError as error:
        raise _export_error(error, path) from error


def _check(place: Path, path: Path) -> None:
    """Refuse a place that cannot be a file's, before any work is done for it."""
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        if not place.parent.is_dir():
            raise ExportError(
                "no_such_directory",
                f"There is no directory {place.parent} to write {path.name} into. Make it first.",
            ) from None
    except OSError as error:
        raise _export_error(error, path) from error
    else:
        if stat.S_ISDIR(mode):
            raise ExportError(
                "not_a_file", f"{path} is a directory. Name the file in it that is to be written."
            )
        if not stat.S_ISREG(mode):
            raise ExportError(
                "not_a_file",
                f"{path} is no file, but a pipe or a device, which cannot be replaced by one. Name "
                "a file.",
            )
    if not os.access(place.parent, os.W_OK):
        raise _export_error(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path)


def _export_error(error: OSError, path: Path) -> ExportError:
    if error.errno in _NO_SPACE:
        return ExportError(
            "disk_full",
            f"There is no room left to write {path}. Free some space, or choose another place.",
        )
    reason = (error.strerror or str(error)).lower()
    return ExportError(
        "not_writable",
        f"{path} cannot be written: {reason}. Check its directory's permissions, or choose another "
        "place.",
    )
