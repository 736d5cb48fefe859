"""Reads what can be told of an NTFF, a capture of a program's execution, without its definition.

NTFF is not documented. In version 6 a header of 128 bytes gives the version and the length of the
description that follows it, a protocol buffer; the rows come behind. The numbers of its fields were
found by comparing ten captures (trn2, profiler 2.28) with their NEFFs and with what the vendor's
tool made of them: uuids and total times were the same in all ten. The rows agree less well, so they
are left alone, and any other version too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidelight.ingest.binaries import wire
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import unreadable

SUFFIX: Final = ".ntff"
VERSION: Final = 6

_HEADER_BYTES: Final = 128
_LARGEST_DESCRIPTION_BYTES: Final = 16 << 20
_UUID_BYTES: Final = 16
_LONGEST_PS: Final = 24 * 3600 * 10**12
"""A day: no execution of one program lasts longer."""

# Fields of the description, of a program in it, and of a program's subgraph.
_NEFF_NAME, _PROGRAM, _INSTANCE_TYPE, _INSTANCE_ID = 1, 4, 9, 17
_SUBGRAPHS, _UUID = 4, 5
_SUBGRAPH = 1
_SUBGRAPH_NAME, _CORE, _BUFFER, _DURATION_PS = 1, 3, 4, 14
_BUFFER_OFFSET, _BUFFER_SIZE = 7, 8

_FIRST_KEY: Final = (_NEFF_NAME << 3) | wire.LENGTH_DELIMITED


@dataclass(frozen=True)
class NtffIdentity:
    """What can be told of a capture.

    Attributes:
        version: Of the format.
        neff_name: What the NEFF was called.
        neff_uuids: Those of the NEFFs that ran, 32 hexadecimal digits each: one, as far as is
            known.
        instance_type: Such as ``trn2.3xlarge``; empty where it is not told.
        instance_id: The machine's; empty likewise.
        subgraphs: Names of the subgraphs: one a physical core.
        physical_cores: Their numbers on the machine.
        total_time_ps: From the hardware's first instant to its last, that of the subgraph that took
            longest, in picoseconds; None where it cannot be told for sure.
    """

    version: int
    neff_name: str
    neff_uuids: tuple[str, ...]
    instance_type: str
    instance_id: str
    subgraphs: tuple[str, ...]
    physical_cores: tuple[int, ...]
    total_time_ps: int | None


def is_ntff(path: Path) -> bool:
    """Whether a file is an NTFF: by its name, or by what it begins with."""
    if not os.path.isfile(path):
        return False
    if path.suffix.casefold() == SUFFIX:
        return True
    try:
        size_bytes = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES + 1)
    except OSError:  # whoever reads it says so
        return False
    if len(head) <= _HEADER_BYTES or head[0] != VERSION:
        return False
    return head[-1] == _FIRST_KEY and 0 < _description_bytes(head) <= size_bytes - _HEADER_BYTES


def read_ntff_identity(path: Path) -> NtffIdentity:
    """Read what can be told of a capture.

    Raises:
        UnreadableInputError: ``not_readable``; ``empty_ntff``: it has no bytes;
            ``unknown_ntff_version``; or ``broken_ntff``: it is cut off, or not what captures of
            its version are.
    """
    try:
        size_bytes = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
            _check_head(path, head, size_bytes)
            description = file.read(_description_bytes(head))
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        identity = _identity(description, size_bytes - _HEADER_BYTES - len(description))
    except wire.WireError as error:
        raise _broken(path, f"its description has {error}") from error
    if not identity.neff_uuids:
        raise _broken(path, "it names no NEFF")
    return identity


def _check_head(path: Path, head: bytes, size_bytes: int) -> None:
    if not head:
        raise UnreadableInputError(
            "empty_ntff",
            f"{path} is empty: the NeuronCore was set up and not used while the profiler was on, "
            "or only for the first execution, which is not recorded. Profile again, with a warm-up "
            "and more executions.",
        )
    if head[0] != VERSION:
        raise UnreadableInputError(
            "unknown_ntff_version",
            f"{path} is an NTFF of version {head[0]}, of which Sidelight knows nothing (only of "
            f"version {VERSION}). Open what neuron-explorer view makes of it and its NEFF.",
        )
    if not 0 < _description_bytes(head) <= size_bytes - _HEADER_BYTES:
        raise _broken(path, "it ends before its description does")
    if _description_bytes(head) > _LARGEST_DESCRIPTION_BYTES:
        raise _broken(path, "its description is longer than any known")


def _broken(path: Path, why: str) -> UnreadableInputError:
    return UnreadableInputError(
        "broken_ntff",
        f"{path} is not a whole NTFF of version {VERSION}: {why}. Copy it again, or capture again.",
    )


def _description_bytes(head: bytes) -> int:
    return int.from_bytes(head[1:8], "little")


def _identity(description: bytes, rows_bytes: int) -> NtffIdentity:
    described = wire.members(description)
    programs = wire.messages(description, _PROGRAM)
    uuids = [
        uuid
        for program in programs
        for uuid in wire.messages(program, _UUID)
        if len(uuid) == _UUID_BYTES
    ]
    subgraphs = [
        subgraph
        for program in programs
        for graphs in wire.messages(program, _SUBGRAPHS)
        for subgraph in wire.messages(graphs, _SUBGRAPH)
    ]
    graphs = [wire.members(subgraph) for subgraph in subgraphs]
    return NtffIdentity(
        version=VERSION,
        neff_name=wire.text(described.get(_NEFF_NAME)),
        neff_uuids=tuple(dict.fromkeys(uuid.hex() for uuid in uuids)),
        instance_type=wire.text(described.get(_INSTANCE_TYPE)),
        instance_id=wire.text(described.get(_INSTANCE_ID)),
        subgraphs=tuple(wire.text(each.get(_SUBGRAPH_NAME)) for each in graphs),
        physical_cores=tuple(wire.number(each.get(_CORE)) for each in graphs),
        total_time_ps=_total_time_ps(subgraphs, rows_bytes) if len(programs) == 1 else None,
    )


def _total_time_ps(subgraphs: list[bytes], rows_bytes: int) -> int | None:
    """The longest subgraph's time, if all that is known of such files is true of this one too."""
    durations = [wire.number(wire.members(each).get(_DURATION_PS)) for each in subgraphs]
    buffers = [wire.members(each) for graph in subgraphs for each in wire.messages(graph, _BUFFER)]
    ends = [
        wire.number(each.get(_BUFFER_OFFSET)) + wire.number(each.get(_BUFFER_SIZE))
        for each in buffers
    ]
    if not ends or max(ends) > rows_bytes or not all(0 < each <= _LONGEST_PS for each in durations):
        return None
    return max(durations)
