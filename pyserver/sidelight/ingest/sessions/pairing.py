"""Tells which programs (NEFF) the captures (NTFF) of a session are of.

Neuron has two ways of naming them. A capture of one program has its number:
``neff_<id>.neff`` and ``<id>_instid_0_vnc_0.ntff``. A capture of all that a session ran has none:
``profile_nc_0_session_1.ntff`` goes with every ``neff_<hash>_vnc_0.neff`` there is. The older path
through torch-xla writes ``<key>.neff`` and ``<key>-….ntff``. What no name tells, the uuid in both
files does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from sidelight.ingest.binaries.neff import read_neff_identity
from sidelight.ingest.binaries.ntff import read_ntff_identity
from sidelight.profile.errors import UnreadableInputError

How = Literal["number", "session", "key", "uuid", "none"]

_OF_SESSION: Final = re.compile(r"profile_nc_\d+_session_\d+", re.IGNORECASE)
_PROGRAM_NUMBER: Final = re.compile(r"neff_(\d+)(?:_vnc_\d+)?", re.IGNORECASE)
_CAPTURE_NUMBER: Final = re.compile(r"(\d+)(?:_instid_\d+)?_vnc_\d+", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """A capture, and what it is of.

    Attributes:
        ntff: The capture.
        neffs: The programs that it is of, as far as is known.
        how: What told so.
        is_empty: Whether the capture holds nothing at all.
    """

    ntff: Path
    neffs: tuple[Path, ...]
    how: How
    is_empty: bool


def pair(
    ntffs: Sequence[Path],
    neffs: Sequence[Path],
    *,
    uuid_of_neff: Callable[[Path], str | None] | None = None,
    uuids_of_ntff: Callable[[Path], Sequence[str]] | None = None,
) -> list[Pair]:
    """Find the programs of captures: by number, then by session, then by key, then by uuid.

    Args:
        ntffs: The captures.
        neffs: The programs.
        uuid_of_neff: Reads a program's uuid; None reads the file's header.
        uuids_of_ntff: Reads the uuids of a capture's programs; None reads its description.
    """
    of_neff, of_ntff = uuid_of_neff or _uuid_of_neff, uuids_of_ntff or _uuids_of_ntff
    numbered: dict[str, list[Path]] = {}
    for neff in neffs:
        match = _PROGRAM_NUMBER.fullmatch(neff.stem)
        if match is not None:
            numbered.setdefault(match[1], []).append(neff)
    by_uuid: dict[str, list[Path]] | None = None
    pairs: list[Pair] = []
    for ntff in ntffs:
        empty = _is_empty(ntff)
        match = _CAPTURE_NUMBER.fullmatch(ntff.stem)
        if match is not None and match[1] in numbered:
            pairs.append(Pair(ntff, tuple(numbered[match[1]]), "number", empty))
        elif _OF_SESSION.fullmatch(ntff.stem) and neffs:
            pairs.append(Pair(ntff, tuple(neffs), "session", empty))
        elif keyed := [neff for neff in neffs if ntff.stem.startswith(f"{neff.stem}-")]:
            pairs.append(Pair(ntff, tuple(keyed), "key", empty))
        else:
            if by_uuid is None:
                by_uuid = {}
                for neff in neffs:
                    if (uuid := of_neff(neff)) is not None:
                        by_uuid.setdefault(uuid, []).append(neff)
            found = [] if empty else [n for uuid in of_ntff(ntff) for n in by_uuid.get(uuid, ())]
            pairs.append(Pair(ntff, tuple(found), "uuid" if found else "none", empty))
    return pairs


def program_number(stem: str) -> str:
    """The number that a program, or a capture of one, has in its name; empty where it has none."""
    match = _PROGRAM_NUMBER.fullmatch(stem) or _CAPTURE_NUMBER.fullmatch(stem)
    return match[1] if match is not None else ""


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except OSError:
        return True


def _uuid_of_neff(path: Path) -> str | None:
    try:
        return read_neff_identity(path).uuid
    except UnreadableInputError:
        return None


def _uuids_of_ntff(path: Path) -> Sequence[str]:
    try:
        return read_ntff_identity(path).neff_uuids
    except UnreadableInputError:
        return ()
