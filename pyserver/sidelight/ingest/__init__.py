"""Reads profiles of every supported format: one file a format, every reader returns a Profile."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sidelight.ingest import captured, torch_trace
from sidelight.ingest.benchmarks import nxdi, vllm
from sidelight.ingest.binaries import captures
from sidelight.ingest.byte_source import Progress, unreadable
from sidelight.ingest.chrome_trace import SUPPORTED
from sidelight.ingest.explorer import parquet_profile
from sidelight.ingest.formats import Format
from sidelight.ingest.neuron_json import device_profile, summaries, system_profile
from sidelight.ingest.perfetto import reader as perfetto
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile

FORMATS: Final[tuple[Format, ...]] = (
    captured.FORMAT,
    parquet_profile.FORMAT,
    captures.NTFF_FORMAT,
    captures.NEFF_FORMAT,
    perfetto.FORMAT,
    device_profile.FORMAT,
    system_profile.FORMAT,
    summaries.FORMAT,
    torch_trace.FORMAT,
    nxdi.FORMAT,
    vllm.FORMAT,
)
"""Every format, in the order in which they are tried."""


def detect(path: Path) -> Format:
    """Find out what a file or directory is.

    Raises:
        UnreadableInputError: ``not_found``, ``empty``, ``not_readable``, ``broken_gzip``, or
            ``unknown_format``.
    """
    for candidate in FORMATS:
        if candidate.detect(path):
            return candidate
    if os.path.isdir(path) and not _entries(path):
        raise UnreadableInputError("empty", f"{path} is an empty directory. {SUPPORTED}")
    raise UnreadableInputError(
        "unknown_format", f"{path} is of no format that Sidelight reads. {SUPPORTED}"
    )


def _entries(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError as error:
        raise unreadable(directory, error) from error


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
