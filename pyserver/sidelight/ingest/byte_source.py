"""Opens an input file as plain bytes: unpacked where it is gzipped, with progress."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from sidelight.profile.errors import UnreadableInputError

Progress = Callable[[float], None]
"""Told the fraction read, from 0 to 1. An exception it raises ends the reading."""

_GZIP_MAGIC: Final = b"\x1f\x8b"


class ByteSource:
    """The contents of a file, and how far they have been read."""

    def __init__(self, file: IO[bytes], size_bytes: int, progress: Progress | None) -> None:
        self._file = file
        self._size_bytes = size_bytes
        self._progress = progress
        gzipped = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        file.seek(0)
        self._contents = gzip.GzipFile(fileobj=file) if gzipped else file

    def read(self, size: int = -1, /) -> bytes:
        """The next ``size`` bytes, or all that are left; fewer only at the end."""
        if self._progress is not None:
            self._progress(min(1.0, self._file.tell() / self._size_bytes))
        return self._contents.read(size)


@contextmanager
def open_bytes(path: Path, progress: Progress | None = None) -> Generator[ByteSource]:
    """Open a file; what goes wrong with it while it is open becomes a plain sentence.

    Args:
        path: A plain or a gzipped file.
        progress: Told how much of the file has been read.

    Yields:
        Its contents.

    Raises:
        UnreadableInputError: ``not_found``, ``empty``, ``not_readable`` or ``broken_gzip``.
    """
    try:
        size_bytes = path.stat().st_size
        if size_bytes == 0:
            raise UnreadableInputError(
                "empty", f"{path} is empty. Record it again, or check that it was copied whole."
            )
        with path.open("rb") as file:
            yield ByteSource(file, size_bytes, progress)
    except FileNotFoundError as error:
        raise UnreadableInputError(
            "not_found", f"There is no file {path}. Check the path."
        ) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UnreadableInputError(
            "broken_gzip",
            f"{path} is a damaged or incomplete gzip file ({error}). Copy or record it again.",
        ) from error
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> UnreadableInputError:
    """What the operating system says of a path, as a plain sentence."""
    return UnreadableInputError(
        "not_readable", f"{path} cannot be read: {error.strerror or error}. Check the path."
    )
