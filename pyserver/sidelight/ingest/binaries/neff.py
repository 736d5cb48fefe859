"""Reads the header of a NEFF, a program compiled for Neuron.

The header is documented by the Neuron SDK ("Working with NEFF files"). Where it ends the program
begins, a gzipped tar archive: :mod:`sidelight.ingest.binaries.neff_contents`.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import unreadable

SUFFIX: Final = ".neff"

_HEADER: Final = struct.Struct("<QQQ180x16s256s76xI")
"""Package version, header size, data size; uuid, name; physical cores in a logical one. Between
them lie the format's version, the build's, a hash, and which cores and features are asked for."""

_PACKAGE_VERSIONS: Final = range(1, 64)
_LARGEST_HEADER_BYTES: Final = 1 << 20
_PHYSICAL_CORES: Final = range(1, 9)
"""Logical cores are made of 1 or 2 today; a number far from that is none."""

_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True)
class NeffIdentity:
    """What the header of a NEFF says.

    Attributes:
        name: What the compiler called it.
        uuid: 32 hexadecimal digits; captures of it name the same.
        lnc: Physical cores in a logical one; None where the header has no such number.
        header_bytes: Where the program begins.
        data_bytes: How long it is, as the header says.
    """

    name: str
    uuid: str
    lnc: int | None
    header_bytes: int
    data_bytes: int


def is_neff(path: Path) -> bool:
    """Whether a file is a NEFF, by its header, or at least by its name."""
    if not os.path.isfile(path):
        return False
    if path.suffix.casefold() == SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            header = _parsed(file.read(_HEADER.size))
            if header is None:
                return False
            file.seek(header.header_bytes)
            return file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    except OSError:  # whoever reads it says so
        return False


def read_neff_identity(path: Path) -> NeffIdentity:
    """Read what a NEFF's header says.

    Raises:
        UnreadableInputError: ``not_readable``, ``empty``, or ``broken_neff``: it has no such
            header, or ends before its program does.
    """
    try:
        size_bytes = path.stat().st_size
        with path.open("rb") as file:
            header = _parsed(file.read(_HEADER.size))
    except OSError as error:
        raise unreadable(path, error) from error
    if size_bytes == 0:
        raise UnreadableInputError(
            "empty", f"{path} is empty. Copy the NEFF again, or compile the program again."
        )
    if header is None:
        raise UnreadableInputError(
            "broken_neff",
            f"{path} does not begin as a NEFF does. Copy it again, or compile the program again.",
        )
    if header.header_bytes + header.data_bytes > size_bytes:
        raise UnreadableInputError(
            "broken_neff",
            f"{path} ends before the program in it does: it has {size_bytes} of "
            f"{header.header_bytes + header.data_bytes} bytes. Copy it again.",
        )
    return header


def _parsed(header: bytes) -> NeffIdentity | None:
    if len(header) < _HEADER.size:
        return None
    package_version, header_bytes, data_bytes, uuid, name, lnc = _HEADER.unpack(header)
    if package_version not in _PACKAGE_VERSIONS:
        return None
    if not _HEADER.size <= header_bytes <= _LARGEST_HEADER_BYTES:
        return None
    return NeffIdentity(
        name=_text(name),
        uuid=uuid.hex(),
        lnc=lnc if lnc in _PHYSICAL_CORES else None,
        header_bytes=header_bytes,
        data_bytes=data_bytes,
    )


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode(errors="replace")
