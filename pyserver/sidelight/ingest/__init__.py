"""Reads profiles of every supported format: one file a format, every reader returns a Profile."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sidelight.ingest import captured, exported_trace, torch_trace
from sidelight.ingest.benchmarks import nxdi, vllm
from sidelight.ingest.binaries import captures, runtime_files
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.chrome_trace import SUPPORTED
from sidelight.ingest.formats import Format
from sidelight.ingest.neuron_json import device_profile, summaries, system_profile
from sidelight.ingest.other_files import what_else
from sidelight.ingest.perfetto import reader as perfetto
from sidelight.ingest.recordings import Recording
from sidelight.ingest.sessions import tables
from sidelight.ingest.sessions.folder import Folders, folder_format
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.input_paths import check_is_file
from sidelight.profile.model import Profile

_OF_ONE_RUN: Final[tuple[Format, ...]] = (
    captured.FORMAT,
    tables.FORMAT,
    captures.NTFF_FORMAT,
    captures.NEFF_FORMAT,
    runtime_files.FORMAT,
    perfetto.FORMAT,
    device_profile.FORMAT,
    system_profile.FORMAT,
    summaries.FORMAT,
    exported_trace.FORMAT,
    torch_trace.FORMAT,
    nxdi.FORMAT,
    vllm.FORMAT,
)

_FOLDERS: Final = Folders(_OF_ONE_RUN)

FORMATS: Final[tuple[Format, ...]] = (folder_format(_FOLDERS), *_OF_ONE_RUN)
"""Every format, in the order in which they are tried."""


def detect(path: Path) -> Format:
    """Find out what a file or directory is.

    Raises:
        UnreadableInputError: ``not_found``, ``not_a_file``, ``empty``, ``not_readable``,
            ``broken_gzip``, or ``unknown_format``, which says what was looked for.
    """
    check_is_file(path)
    for candidate in FORMATS:
        if candidate.detect(path):
            return candidate
    if os.path.isdir(path):
        raise _FOLDERS.nothing_in(path)
    what, advice = what_else(path) or ("is of no format that Sidelight reads", "")
    raise UnreadableInputError("unknown_format", f"{path} {what}. {advice or SUPPORTED}")


def recordings(path: Path, *, beside: Path | None = None) -> Sequence[Recording]:
    """Find out which recordings a file or directory holds: each becomes a profile.

    Args:
        path: What to read.
        beside: A directory of what Neuron's own tool has made of it; None for none.

    Raises:
        UnreadableInputError: As for :func:`detect`.
    """
    if beside is not None:
        return _FOLDERS.recordings(path, beside) if os.path.isdir(path) else recordings(beside)
    own = detect(path)
    if own.recordings is not None:
        return own.recordings(path)
    return [Recording(path, lambda progress: [own.read(path, progress=progress)])]


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a file or directory of any supported format.

    Args:
        path: What to read.
        progress: Told the fraction read, from 0 to 1. An exception it raises ends the reading.

    Returns:
        The profile, not yet attributed to lines.

    Raises:
        UnreadableInputError: The input is missing, empty, broken, of an unknown format, or holds
            no event at all.
    """
    profile = detect(path).read(path, progress=progress)
    if progress is not None:
        progress(1.0)
    return profile
