"""Opens a NEFF or an NTFF: the capture of a program, with what can be told of both.

The two belong together by the NEFF's uuid, whatever their names. Each is looked for beside the
other only.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from sidelight.hardware.chips import chip
from sidelight.ingest.binaries.neff import (
    SUFFIX as NEFF_SUFFIX,
    NeffIdentity,
    is_neff,
    read_neff_identity,
)
from sidelight.ingest.binaries.neff_contents import NeffContents, Tensor, read_contents
from sidelight.ingest.binaries.ntff import (
    SUFFIX as NTFF_SUFFIX,
    NtffIdentity,
    is_ntff,
    read_ntff_identity,
)
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.formats import Format
from sidelight.ingest.notes import no_neff
from sidelight.ingest.sessions.conversion import how_to_convert
from sidelight.ingest.tensors import shape_text
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import unreadable
from sidelight.profile.manifest import CoreFigures, Track
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category

_MOST_NEIGHBOURS: Final = 10_000
_MOST_NAMED: Final = 8

_CHIPS: Final = {"cayman": "trn2"}
"""Chips by the compiler's names of them: the programs that were captured on a trn2.3xlarge say so
(github.com/allenkchau/trainium-kernel-fusion d709ddf)."""


def read_ntff(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a capture: the time of the whole execution, on no line.

    Args:
        path: An NTFF.
        progress: Not told anything; what is read of the file is small.

    Raises:
        UnreadableInputError: As :func:`read_ntff_identity`; ``needs_neuron_explorer``: only that
            tool can tell its time.
    """
    ntff = read_ntff_identity(path)
    neff_path = _neff_of(path, ntff)
    if ntff.total_time_ps is None:
        raise UnreadableInputError(
            "needs_neuron_explorer",
            f"{path} is an NTFF whose execution time Sidelight cannot tell. "
            + how_to_convert(path, neff_path or path.with_suffix(NEFF_SUFFIX)),
        )
    return _profile(path, ntff, ntff.total_time_ps, neff_path)


def read_neff(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read the capture of a program that lies beside it: a program by itself holds no time.

    Args:
        path: A NEFF.
        progress: As in :func:`read_ntff`.

    Raises:
        UnreadableInputError: As :func:`read_neff_identity` and :func:`read_ntff`;
            ``program_alone``: there is no capture of it, or ``several_captures``.
    """
    neff = read_neff_identity(path)
    captures = _captures_of(path, neff)
    if len(captures) == 1:
        return read_ntff(captures[0], progress=progress)
    if captures:
        names = ", ".join(each.name for each in captures[:_MOST_NAMED])
        raise UnreadableInputError(
            "several_captures",
            f"{path} was captured {len(captures)} times. Open the capture that you mean: {names}.",
        )
    raise UnreadableInputError(
        "program_alone",
        f"{path} is a compiled program and holds no time ({_told(neff, _contents(path, neff))}). "
        "Open the NTFF that was captured of it, or what neuron-explorer view made of the two.",
    )


def _profile(path: Path, ntff: NtffIdentity, total_time_ps: int, neff_path: Path | None) -> Profile:
    neff = read_neff_identity(neff_path) if neff_path is not None else None
    manifest = new_manifest(path.stem, NTFF_FORMAT.name, [str(path)])
    manifest.device = "neuron"
    builder = ProfileBuilder()
    manifest.host = ntff.instance_id
    manifest.versions = {"ntff": str(ntff.version)}
    manifest.core = CoreFigures(
        instance_type=ntff.instance_type,
        physical_cores=(neff.lnc if neff else None) or max(1, len(ntff.subgraphs)),
        first_ns=0,
        last_ns=_whole_ns(total_time_ps),
    )
    convert = how_to_convert(path, neff_path or path.with_suffix(NEFF_SUFFIX))
    manifest.quality = [
        QualityNote(
            "total_time_only",
            "warning",
            "The instructions in an NTFF can be read by Neuron's own tools alone, so this is the "
            f"time of the whole execution, on no line. {convert}",
        )
    ]
    if neff_path is None or neff is None:
        manifest.quality.append(no_neff(f"{path.name} (it was captured of {ntff.neff_name})"))
    else:
        contents = _contents(neff_path, neff)
        manifest.inputs.append(str(neff_path))
        if contents.compiler_version:
            manifest.versions["neuronx-cc"] = contents.compiler_version
        manifest.quality += _program_notes(neff, contents)
        _add_tensors(builder, contents.tensors)
    cores = ", ".join(map(str, ntff.physical_cores))
    track = Track("device", f"NeuronCore (physical {cores})", "NeuronCore", cores)
    builder.add_rows(
        {
            "track": [builder.tracks.code(track)],
            "category": [Category.DEVICE],
            "name": [builder.strings.code(ntff.neff_name or path.stem)],
            "start_ns": np.array([0]),
            "duration_ns": np.array([_whole_ns(total_time_ps)]),
        }
    )
    return builder.build(manifest, str(path))


def _add_tensors(builder: ProfileBuilder, tensors: Sequence[Tensor]) -> None:
    builder.add_tensors(
        {
            "name": [builder.text(tensor.name) for tensor in tensors],
            "use": [builder.text(tensor.kind) for tensor in tensors],
            "dtype": [builder.text(tensor.dtype) for tensor in tensors],
            "shape": [builder.text(shape_text(tensor.shape)) for tensor in tensors],
        }
    )


def _whole_ns(time_ps: int) -> int:
    """As the vendor's tool writes the hardware's last instant: what is begun does not count."""
    return time_ps // 1000


def _program_notes(neff: NeffIdentity, contents: NeffContents) -> list[QualityNote]:
    notes = [
        QualityNote(
            "program", "info", f"What was captured: {_told(neff, contents)}. Nothing need be done."
        )
    ]
    if contents.has_kernel_debug_info is None:
        notes.append(
            QualityNote(
                "program_partly_read",
                "warning",
                "The archive in the NEFF is damaged, or larger than Sidelight reads, so not all of "
                "it is told here. Copy it again if Neuron's tools refuse it, too.",
            )
        )
    elif not contents.has_kernel_debug_info:
        notes.append(
            QualityNote(
                "no_kernel_debug_info",
                "info",
                "The program has no debug information of kernels in it, so no tool can tell the "
                "lines of NKI kernels. If it has such kernels, set NKI_DEBUG_INFO=True, clear the "
                "compile cache, and capture again.",
            )
        )
    return notes


def _told(neff: NeffIdentity, contents: NeffContents) -> str:
    """What is known of a program, for people."""
    parts = [neff.name or "no name"]
    if contents.compiler_version:
        parts.append(f"compiler {contents.compiler_version}")
    if contents.target:
        parts.append(f"for {_chip_title(contents.target)}")
    if neff.lnc is not None:
        parts.append(f"LNC {neff.lnc}")
    for kind in ("input", "output"):
        tensors = [each for each in contents.tensors if each.kind == kind]
        if tensors:
            more = f" and {len(tensors) - _MOST_NAMED} more" if len(tensors) > _MOST_NAMED else ""
            shown = ", ".join(map(_tensor, tensors[:_MOST_NAMED]))
            parts.append(f"{kind}s {shown}{more}")
    return "; ".join(parts)


def _chip_title(target: str) -> str:
    """A chip as people call it, with the compiler's own name of it."""
    name = _CHIPS.get(target.casefold())
    return f"{chip(name).title} ({target})" if name else target


def _tensor(tensor: Tensor) -> str:
    return f"{tensor.name} {tensor.dtype}[{', '.join(map(str, tensor.shape[:_MOST_NAMED]))}]"


def _contents(path: Path, neff: NeffIdentity) -> NeffContents:
    try:
        return read_contents(path, neff)
    except OSError as error:
        raise unreadable(path, error) from error


def _neff_of(path: Path, ntff: NtffIdentity) -> Path | None:
    for candidate in _beside(path, NEFF_SUFFIX):
        try:
            if read_neff_identity(candidate).uuid in ntff.neff_uuids:
                return candidate
        except UnreadableInputError:
            continue
    return None


def _captures_of(path: Path, neff: NeffIdentity) -> list[Path]:
    captures: list[Path] = []
    for candidate in _beside(path, NTFF_SUFFIX):
        try:
            if neff.uuid in read_ntff_identity(candidate).neff_uuids:
                captures.append(candidate)
        except UnreadableInputError:
            continue
    return captures


def _beside(path: Path, suffix: str) -> list[Path]:
    """Files of a kind in the same folder; links are not followed, as they may lead anywhere."""
    try:
        with os.scandir(path.parent) as entries:
            found = [
                Path(entry.path)
                for entry in islice(entries, _MOST_NEIGHBOURS)
                if entry.name.casefold().endswith(suffix) and entry.is_file(follow_symlinks=False)
            ]
    except OSError as error:
        raise unreadable(path.parent, error) from error
    return sorted(found)


NEFF_FORMAT: Final = Format("neff", is_neff, read_neff)
NTFF_FORMAT: Final = Format("ntff", is_ntff, read_ntff)
