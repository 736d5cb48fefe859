"""Reads what is in a NEFF: a gzipped tar archive, which is never unpacked to disk.

The archive's files are not documented. These names and keys were found in every NEFF at hand
(compiler 2.23): ``info.json`` has the compiler's version, ``kelf-N.json`` the target and the
subgraphs, ``sgNN/tensor_map.json`` the tensors of a subgraph. Kernels' debug information is there
where they were compiled with ``NKI_DEBUG_INFO=True``.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Literal, TypeVar

import msgspec

from sidelight.ingest.binaries.neff import NeffIdentity

_BLOCK_BYTES: Final = 512
_LARGEST_JSON_BYTES: Final = 16 << 20
LARGEST_ARCHIVE_BYTES: Final = 512 << 20
"""How much is unpacked, a piece at a time: behind it come weights, if anything."""

_PIECE_BYTES: Final = 1 << 20
_KERNEL_DEBUG_INFO: Final = "kernel_debug_info.json"
_TENSOR_MAP: Final = re.compile(r"sg\d+/tensor_map\.json")
_KELF: Final = re.compile(r"kelf-\d+\.json")
_LONGEST_NAME: Final = 200

Decoded = TypeVar("Decoded")


@dataclass(frozen=True)
class Tensor:
    """A tensor that a program takes or gives.

    Attributes:
        name: Its name.
        kind: Which of both.
        dtype: As the compiler writes it, such as ``float32``.
        shape: Its sizes.
    """

    name: str
    kind: Literal["input", "output"]
    dtype: str
    shape: tuple[int, ...]


@dataclass
class NeffContents:
    """What is in a NEFF.

    Attributes:
        compiler_version: Empty where it is not told.
        target: The compiler's name of the chip, such as ``cayman``; empty likewise.
        subgraphs: Their names: one a physical core.
        tensors: What the program takes and gives.
        has_kernel_debug_info: Whether kernels' debug information is in it; None where the archive
            could not be read to its end.
    """

    compiler_version: str = ""
    target: str = ""
    subgraphs: list[str] = field(default_factory=list[str])
    tensors: list[Tensor] = field(default_factory=list[Tensor])
    has_kernel_debug_info: bool | None = None


class _Info(msgspec.Struct):
    tool_version: str = ""


class _Graph(msgspec.Struct):
    name: str = ""


class _Kelf(msgspec.Struct):
    target: str = ""
    graphs: list[_Graph] = []


class _MappedTensor(msgspec.Struct):
    kind: str = ""
    dtype: str = ""
    tf_shape: list[int] = []


class _UnreadableArchiveError(ValueError):
    """The archive is damaged, or larger than is looked at."""


def read_contents(path: Path, identity: NeffIdentity) -> NeffContents:
    """Read what is in a NEFF, as far as it can be read.

    Args:
        path: The NEFF.
        identity: Its header.

    Raises:
        OSError: The file cannot be read.
    """
    contents = NeffContents()
    tensors: dict[tuple[str, str], Tensor] = {}
    has_kernel_debug_info = False
    with path.open("rb") as file:
        file.seek(identity.header_bytes)
        try:
            for name, text in _json_files(file):
                has_kernel_debug_info |= name.rpartition("/")[2] == _KERNEL_DEBUG_INFO
                if name == "info.json":
                    info = _decoded(text, _Info) or _Info()
                    contents.compiler_version = _short(info.tool_version)
                elif _KELF.fullmatch(name):
                    kelf = _decoded(text, _Kelf) or _Kelf()
                    contents.target = contents.target or _short(kelf.target)
                    contents.subgraphs += [_short(graph.name) for graph in kelf.graphs]
                elif _TENSOR_MAP.fullmatch(name):
                    for tensor in _tensors(text):
                        tensors.setdefault((tensor.kind, tensor.name), tensor)
        except (_UnreadableArchiveError, EOFError, OSError, zlib.error):
            pass
        else:
            contents.has_kernel_debug_info = has_kernel_debug_info
    contents.tensors = list(tensors.values())
    return contents


def _json_files(compressed: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Names and texts of the archive's JSON files, in the order of the archive.

    A file that is larger than any that means something here comes without its text. The layout is
    that of POSIX ``ustar``. Links, devices and the like, which could lead out of the archive, are
    passed over as if they held nothing.
    """
    archive = _Archive(compressed)
    while (header := archive.read(_BLOCK_BYTES)).strip(b"\0"):
        name = header[:100].split(b"\0", 1)[0].decode(errors="replace")
        size_bytes = _octal(header[124:136])
        is_plain = header[156:157] in (b"0", b"\0")
        left_bytes = size_bytes + -size_bytes % _BLOCK_BYTES
        if is_plain and name.endswith(".json"):
            text = archive.read(size_bytes) if size_bytes <= _LARGEST_JSON_BYTES else b""
            left_bytes -= len(text)
            yield name, text
        archive.skip(left_bytes)
    if len(header) < _BLOCK_BYTES:  # a block of zeros marks the end
        raise _UnreadableArchiveError
    archive.finish()


class _Archive:
    """The unpacked archive, from front to back, in bounded pieces."""

    def __init__(self, compressed: IO[bytes]) -> None:
        self._unpacked = gzip.GzipFile(fileobj=compressed)
        self._left_bytes = LARGEST_ARCHIVE_BYTES

    def read(self, size_bytes: int) -> bytes:
        self._left_bytes -= size_bytes
        if self._left_bytes < 0:
            raise _UnreadableArchiveError
        return self._unpacked.read(size_bytes)

    def finish(self) -> None:
        """Read what is left: only at its end the checksum tells whether all of it was right."""
        while self.read(_PIECE_BYTES):
            pass

    def skip(self, size_bytes: int) -> None:
        while size_bytes > 0:
            piece = self.read(min(size_bytes, _PIECE_BYTES))
            if not piece:
                raise _UnreadableArchiveError
            size_bytes -= len(piece)


def _octal(digits: bytes) -> int:
    try:
        size = int(digits.strip(b" \0") or b"0", 8)
    except ValueError:
        raise _UnreadableArchiveError from None
    if size < 0:
        raise _UnreadableArchiveError
    return size


def _decoded(text: bytes, kind: type[Decoded]) -> Decoded | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None


def _tensors(text: bytes) -> Iterator[Tensor]:
    mapped = _decoded(text, dict[str, _MappedTensor]) or {}
    for name, tensor in mapped.items():
        if tensor.kind == "input" or tensor.kind == "output":
            yield Tensor(_short(name), tensor.kind, _short(tensor.dtype), tuple(tensor.tf_shape))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
