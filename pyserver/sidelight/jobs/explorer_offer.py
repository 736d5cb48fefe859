"""What Neuron Explorer could tell of an input that only it can read whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidelight.jobs.explorer import EXPLORER
from sidelight.jobs.reading import ReadResult
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.errors import SidelightError
from sidelight.profile.quality import QualityNote

_CANNOT_READ: Final = "needs_neuron_explorer"
"""The code of an error, or of a recording that is left out: nothing but that tool reads it."""

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
    if error.code != _CANNOT_READ:
        return None
    return _offer(path if path.is_dir() else path.parent, error.message)


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
        if unread.code == _CANNOT_READ:
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

    progress(1.0)
    return explorer_command(Path(path), Path(neff) if neff else None)
