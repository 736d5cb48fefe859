"""What Neuron Explorer could tell of an input that only it can read whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidelight.jobs.explorer import EXPLORER, program_beside
from sidelight.jobs.reading import ReadResult
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.errors import SidelightError
from sidelight.profile.quality import QualityNote

_CANNOT_READ: Final = frozenset({"needs_neuron_explorer", "unknown_ntff_version"})
"""The codes of errors, or of recordings that are left out: nothing but that tool reads them."""

_CANNOT_READ_WHOLE: Final = frozenset({"runtime_files_not_read", "total_time_only"})
"""The codes of notes on what of a profile is missing without it."""

_NTFF_SUFFIX: Final = ".ntff"
_NEFF_SUFFIX: Final = ".neff"


@dataclass(frozen=True)
class ExplorerOffer:
    """What it could be run on.

    Attributes:
        path: What to give it: a session's folder, or a capture.
        message: What is missing without it, and how to have it, as sentences.
        command: What to type where it is installed, in a directory for its tables; None where it
            is on the path here.
    """

    path: Path
    message: str
    command: str | None


def offer_after_failure(path: Path, error: SidelightError) -> ExplorerOffer | None:
    """What is offered where an input could not be read at all; None if the tool could not either.

    Args:
        path: The input.
        error: Why it could not be read.
    """
    if error.code not in _CANNOT_READ:
        return None
    is_whole = path.is_dir() or path.name.lower().endswith(_NTFF_SUFFIX)
    return _offer(path if is_whole else path.parent, error.message)


def offer_after_reading(path: Path, result: ReadResult) -> ExplorerOffer | None:
    """What is offered where an input was read in part; None if there is no more in it.

    Args:
        path: The input.
        result: What came of it.
    """
    for profile in result.profiles:
        manifest = profile.manifest
        message = _missing(manifest.quality)
        if message is None:
            continue
        if path.is_dir():
            return _offer(path, message)
        ntff = _first(manifest.inputs, _NTFF_SUFFIX) or path  # the program may have been opened
        neff = _first(manifest.inputs, _NEFF_SUFFIX) or ntff.with_suffix(_NEFF_SUFFIX)
        return _offer(ntff, message, neff)
    for unread in result.unread:
        if unread.code in _CANNOT_READ:
            return _offer(path, unread.message)
    return None


def _missing(notes: Sequence[QualityNote]) -> str | None:
    return next((note.message for note in notes if note.code in _CANNOT_READ_WHOLE), None)


def _first(inputs: Sequence[str], suffix: str) -> Path | None:
    return next((Path(each) for each in inputs if each.lower().endswith(suffix)), None)


def _offer(path: Path, message: str, neff: Path | None = None) -> ExplorerOffer:
    path = path.absolute()
    if shutil.which(EXPLORER) is not None:
        return ExplorerOffer(path, message, None)
    command = run_in_worker(
        _command, str(path), str(neff) if neff else None, doing=f"looking at {path}"
    )
    return ExplorerOffer(path, message, command)


def _command(path: str, neff: str | None, *, progress: Callable[[float], None]) -> str:
    """The child, as it takes what loads the readers."""
    from sidelight.ingest.sessions.conversion import explorer_command

    source, program = Path(path), Path(neff) if neff else None
    if program is None and source.is_file():
        program = program_beside(source) or source.with_suffix(_NEFF_SUFFIX)
    progress(1.0)
    return explorer_command(source, program)
