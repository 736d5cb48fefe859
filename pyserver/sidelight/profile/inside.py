"""Files that came with a directory from elsewhere: they must not lead out of it, and must end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO


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


def open_regular(path: Path) -> IO[bytes]:
    """Open a file to read it.

    Raises:
        OSError: It cannot be opened, or is no regular file: a pipe may never give anything, and a
            device may never end.
    """
    # To open a pipe would wait for its other end.
    descriptor = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return os.fdopen(descriptor, "rb")


def read_regular(path: Path) -> bytes:
    """All that is in a file; raises as :func:`open_regular` does."""
    with open_regular(path) as file:
        return file.read()
