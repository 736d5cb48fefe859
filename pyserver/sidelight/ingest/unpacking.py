"""Unpacks gzip, also where it is damaged or cut off, and within bounds."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final, Protocol

from sidelight.ingest.repair.findings import Finding, Findings

GZIP_MAGIC: Final = b"\x1f\x8b"

RATIO_LIMIT: Final = 250
"""How many times its size a file may unpack to. As gzip, traces take about a thirtieth; what gzip
can do is 1,032 times."""
RATIO_FREE_BYTES: Final = 64 << 20
"""What may be unpacked whatever the ratio."""
SIZE_LIMIT_BYTES: Final = 64 << 30

_PACKED_BYTES: Final = 64 << 10
_PIECE_BYTES: Final = 1 << 20
_GZIP: Final = zlib.MAX_WBITS | 16


class PackedFile(Protocol):
    """What is unpacked."""

    def read(self, size: int, /) -> bytes:
        """The next ``size`` bytes; fewer only at the end."""
        ...


class BombError(ValueError):
    """A file unpacks to more than is reasonable.

    Args:
        bound: The bound, in words that go after "unpacks to more than".
    """

    def __init__(self, bound: str) -> None:
        super().__init__(bound)
        self.bound = bound


class Unpacking:
    """Unpacks a gzip file of one or several members.

    Args:
        packed: The file.
        findings: Told of damage. Without it, and where nothing could be unpacked, damage is an
            error.
    """

    def __init__(self, packed: PackedFile, findings: Findings | None) -> None:
        self._packed = packed
        self._findings = findings
        self._input = b""
        self._packed_bytes = 0
        self._unpacked_bytes = 0

    def pieces(self) -> Iterator[bytes]:
        """The contents in pieces of any length.

        Raises:
            BombError: They are too much.
            zlib.error: The file is damaged.
            EOFError: It is cut off.
        """
        try:
            while self._is_at_member():
                for piece in self._member():
                    self._unpacked_bytes += len(piece)
                    self._check_size()
                    yield piece
        except (zlib.error, EOFError) as error:
            if self._findings is None or not self._unpacked_bytes:
                raise
            is_cut_off = isinstance(error, EOFError)
            self._findings.once(Finding.CUT_OFF if is_cut_off else Finding.DAMAGED_GZIP)

    def _is_at_member(self) -> bool:
        """Whether a member follows, after what the one before it may be padded with."""
        self._input = self._input.lstrip(b"\0")
        while len(self._input) < len(GZIP_MAGIC) and self._read():
            self._input = self._input.lstrip(b"\0")
        if self._input and not self._input.startswith(GZIP_MAGIC):
            if self._findings is None:
                raise zlib.error("not gzip after its end")
            self._findings.add(Finding.TRAILING)
            return False
        return bool(self._input)

    def _member(self) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(_GZIP)
        while not unpacker.eof:
            if not self._input and not self._read():
                raise EOFError("it ends too early")
            before = unpacker.copy()
            try:
                piece = unpacker.decompress(self._input, _PIECE_BYTES)
            except zlib.error:
                yield _salvaged(before, self._input)
                raise
            self._input = unpacker.unconsumed_tail
            yield piece
        self._input = unpacker.unused_data

    def _read(self) -> bool:
        chunk = self._packed.read(_PACKED_BYTES)
        self._packed_bytes += len(chunk)
        self._input += chunk
        return bool(chunk)

    def _check_size(self) -> None:
        if self._unpacked_bytes > SIZE_LIMIT_BYTES:
            raise BombError(f"{SIZE_LIMIT_BYTES >> 30} GiB")
        within_ratio = self._unpacked_bytes <= RATIO_LIMIT * self._packed_bytes
        if self._unpacked_bytes > RATIO_FREE_BYTES and not within_ratio:
            raise BombError(f"{RATIO_LIMIT} times its size")


def _salvaged(unpacker: zlib._Decompress, packed: bytes) -> bytes:  # pyright: ignore[reportPrivateUsage]
    """What can be unpacked of bytes that have damage somewhere in them."""
    salvaged = bytearray()
    try:
        for place in range(len(packed)):
            salvaged += unpacker.decompress(packed[place : place + 1])
    except zlib.error:
        return bytes(salvaged)
    return bytes(salvaged)
