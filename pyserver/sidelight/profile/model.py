"""A profile in memory: what every reader returns, and what is stored and analysed."""

from __future__ import annotations

from dataclasses import dataclass, field

from sidelight.profile.manifest import Manifest, SourceFile, Track
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    LAUNCH_COLUMNS,
    STACK_COLUMNS,
    STEP_COLUMNS,
    Table,
)


@dataclass
class Profile:
    """A profile's manifest and tables (columns: :mod:`sidelight.profile.tables`).

    Attributes:
        manifest: What is known about it beside the tables.
        strings: The string table that ``*_name`` and ``function`` columns index.
        tracks: The timeline's lanes, indexed by ``events.track``.
        files: The source files, indexed by ``frames.file``.
        events: Every event, sorted by track, start, and longest first.
        frames: Places in the source.
        stacks: The calling-context tree; empty until attributed.
        launches: Backward passes by the line that started them; empty until attributed.
        steps: The recorded steps, warm-up left out.
    """

    manifest: Manifest
    strings: list[str] = field(default_factory=list[str])
    tracks: list[Track] = field(default_factory=list[Track])
    files: list[SourceFile] = field(default_factory=list[SourceFile])
    events: Table = field(default_factory=lambda: Table.empty(EVENT_COLUMNS))
    frames: Table = field(default_factory=lambda: Table.empty(FRAME_COLUMNS))
    stacks: Table = field(default_factory=lambda: Table.empty(STACK_COLUMNS))
    launches: Table = field(default_factory=lambda: Table.empty(LAUNCH_COLUMNS))
    steps: Table = field(default_factory=lambda: Table.empty(STEP_COLUMNS))

    def note(self, note: QualityNote) -> None:
        """Add an entry to the data-quality report."""
        self.manifest.quality.append(note)
