"""Tells whether files are written to while they are read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.profile.quality import QualityNote

State = tuple[int, int, int]
"""What changes with a file: which one it is, its size, and when it was last written to."""


def state_of(file: Path | int) -> State | None:
    """The state of a file, by its path or its open descriptor; None where there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class FileChanges:
    """Watches several files that are one recording.

    Args:
        files: They, before any of them is read.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._states = {path: state_of(path) for path in files}

    def notes(self) -> list[QualityNote]:
        """The note that files have changed since, if any have."""
        findings = Findings()
        changed = [path for path, state in self._states.items() if state_of(path) != state]
        findings.add(Finding.CHANGED, len(changed))
        return findings.notes()
