"""What a reader is: the seam between the formats and those who open files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sidelight.ingest.byte_source import Progress
from sidelight.ingest.recordings import Recording
from sidelight.profile.model import Profile


class Reader(Protocol):
    """Reads one format."""

    def __call__(self, path: Path, *, progress: Progress | None = None) -> Profile:
        """Read a file or a directory into a profile."""
        ...


@dataclass(frozen=True)
class Format:
    """One format that can be opened.

    Attributes:
        name: As the manifest has it.
        detect: Whether a file or directory is of this format, told without reading it whole.
        read: Reads it; of several recordings, the first.
        recordings: What it holds, where that may be several recordings.
    """

    name: str
    detect: Callable[[Path], bool]
    read: Reader
    recordings: Callable[[Path], Sequence[Recording]] | None = None
