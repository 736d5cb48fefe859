"""Opens an input file as plain bytes: unpacked where it is gzipped, in UTF-8, with progress."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sidelight.ingest.file_changes import state_of
from sidelight.ingest.pieces import Pieces
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.text_encoding import LOOK_BYTES, as_utf8, other_encoding
from sidelight.ingest.unpacking import GZIP_MAGIC, BombError, Unpacking
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import unreadable

Progress = Callable[[float], None]
"""Told the fraction read, from 0 to 1. An exception it raises ends the reading."""


class ByteSource:
    """The contents of a file, and how far they have been read."""

    def __init__(
        self,
        file: IO[bytes],
        size_bytes: int,
        progress: Progress | None,
        findings: Findings | None = None,
    ) -> None:
        self._file = file
        self._size_bytes = size_bytes
        self._progress = progress
        contents: _PlainFile | Pieces = _PlainFile(file, size_bytes)
        if contents.peek(len(GZIP_MAGIC)) == GZIP_MAGIC:
            contents = Pieces(Unpacking(contents, findings).pieces())
        encoding = other_encoding(contents.peek(LOOK_BYTES))
        if encoding is not None:
            contents = Pieces(as_utf8(contents, encoding))
            if findings is not None:
                findings.once(Finding.ENCODING)
        self._contents = contents

    def read(self, size: int = -1, /) -> bytes:
        """The next ``size`` bytes, or all that are left; fewer only at the end."""
        if self._progress is not None:
            self._progress(min(1.0, self._file.tell() / self._size_bytes))
        return self._contents.read(size)


class _PlainFile:
    """A file up to the size it had when it was opened: it may still be written to."""

    def __init__(self, file: IO[bytes], size_bytes: int) -> None:
        self._file = file
        self._left = size_bytes

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes without reading them; fewer only at the end."""
        place = self._file.tell()
        beginning = self._file.read(min(size, self._left))
        self._file.seek(place)
        return beginning

    def read(self, size: int = -1, /) -> bytes:
        """The next ``size`` bytes, or all that are left; fewer only at the end."""
        chunk = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(chunk)
        return chunk


@contextmanager
def open_bytes(
    path: Path, progress: Progress | None = None, findings: Findings | None = None
) -> Generator[ByteSource]:
    """Open a file; what goes wrong with it while it is open becomes a plain sentence.

    Args:
        path: A plain or a gzipped file.
        progress: Told how much of the file has been read.
        findings: Told what was repaired in the contents, or is missing of them. Without it, a
            damaged gzip file is an error.

    Yields:
        Its contents.

    Raises:
        UnreadableInputError: ``not_found``, ``empty``, ``not_readable``, ``broken_gzip`` or
            ``too_large``.
    """
    try:
        with path.open("rb") as file:
            size_bytes = os.fstat(file.fileno()).st_size
            if size_bytes == 0:
                raise UnreadableInputError(
                    "empty", f"{path} is empty. Record it again, or check that it was copied whole."
                )
            before = state_of(file.fileno())
            yield ByteSource(file, size_bytes, progress, findings)
            if findings is not None and state_of(file.fileno()) != before:
                findings.once(Finding.CHANGED)
    except FileNotFoundError as error:
        raise UnreadableInputError(
            "not_found", f"There is no file {path}. Check the path."
        ) from error
    except BombError as error:
        raise UnreadableInputError(
            "too_large",
            f"{path} unpacks to more than {error.bound}, as no recording does. "
            "Unpack it yourself if it is one, and open what comes out.",
        ) from error
    except (EOFError, zlib.error) as error:
        raise UnreadableInputError(
            "broken_gzip",
            f"{path} is a damaged or incomplete gzip file ({error}). Copy or record it again.",
        ) from error
    except OSError as error:
        raise unreadable(path, error) from error
