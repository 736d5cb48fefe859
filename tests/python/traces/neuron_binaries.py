"""NEFF and NTFF files for tests, byte by byte."""

from __future__ import annotations

import io
import json
import struct
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

UUID = bytes(range(16))

NEFF_HEADER = struct.Struct("<QQQQQ128sI32s16s256sI64sQI468x")

CONTENTS: Mapping[str, object] = {
    "info.json": {"tool_version": "2.23.1+abc", "name": "step.neff", "num_tpb": 1},
    "sg00/PE.bin": b"\x01" * 700,
    "kelf-0.json": {"graphs": [{"name": "sg00"}, {"name": "sg01"}], "target": "cayman"},
    "sg00/tensor_map.json": {
        "q": {"kind": "input", "dtype": "bfloat16", "tf_shape": [128, 64], "is_const": False},
        "w": {"dtype": "float32", "tf_shape": [1], "is_const": True},
        "out": {"kind": "output", "dtype": "float32", "tf_shape": [], "is_const": False},
    },
    "sg01/tensor_map.json": {"q": {"kind": "input", "dtype": "bfloat16", "tf_shape": [128, 64]}},
}


def archive(contents: Mapping[str, object] = CONTENTS) -> bytes:
    """A gzipped tar of JSON documents, or of bytes as they are."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in contents.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def neff(
    data: bytes | None = None,
    *,
    name: str = "step.neff",
    uuid: bytes = UUID,
    lnc: int = 2,
    package_version: int = 2,
    data_bytes: int | None = None,
) -> bytes:
    """A NEFF; ``data_bytes`` is what its header says of its length."""
    data = archive() if data is None else data
    header = NEFF_HEADER.pack(
        package_version,
        NEFF_HEADER.size,
        len(data) if data_bytes is None else data_bytes,
        2,
        1,
        b"build",
        1,
        b"\xaa" * 16,
        uuid,
        name.encode(),
        1,
        b"\x01",
        3072,
        lnc,
    )
    return header + data


def varint(number: int) -> bytes:
    groups: list[int] = []
    while True:
        groups.append(number & 0x7F)
        number >>= 7
        if not number:
            break
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


def field(number: int, value: int | bytes) -> bytes:
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def subgraph(
    name: bytes, core: int, duration_ps: int | None, buffers: Sequence[tuple[int, int]] = ((0, 64),)
) -> bytes:
    """One of an NTFF's subgraphs, with the places of its instructions' rows."""
    return (
        field(1, name)
        + field(3, core)
        + b"".join(field(4, field(7, offset) + field(8, size)) for offset, size in buffers)
        + (b"" if duration_ps is None else field(14, duration_ps))
    )


def ntff(
    *,
    uuids: Sequence[bytes] = (UUID,),
    subgraphs: Sequence[bytes] | None = None,
    version: int = 6,
    rows: bytes = b"\x00" * 256,
    description_bytes: int | None = None,
) -> bytes:
    """An NTFF: a program for each uuid; ``description_bytes`` is what its header says."""
    if subgraphs is None:
        subgraphs = [subgraph(b"sg00", 4, 1_234_567_890), subgraph(b"sg01", 5, 900_000_000)]
    graphs = b"".join(field(1, each) for each in subgraphs)
    description = (
        field(1, b"step.neff")
        + b"".join(field(4, field(4, graphs) + field(5, uuid)) for uuid in uuids)
        + field(9, b"trn2.3xlarge")
        + field(17, b"i-0123456789")
    )
    length = len(description) if description_bytes is None else description_bytes
    head = bytes([version]) + length.to_bytes(7, "little") + b"\x00" * 120
    return head + description + rows


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
