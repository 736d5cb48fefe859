"""The summary of one stored profile, worked out by a process that keeps it."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.jobs.queries import Queries
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.stored_profile import StoredProfile

if TYPE_CHECKING:
    from sidelight.analysis.summary import ProfileSummary


class _Answers:
    """The questions, in the child. It keeps the summary, and not the profile that it is of."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @cached_property
    def _summary(self) -> ProfileSummary:
        from sidelight.analysis.summary import profile_summary

        return profile_summary(StoredProfile(self._directory).load())

    def overview(self) -> tuple[StoredManifest, str]:
        import msgspec

        from sidelight.analysis.summary import overview_of

        overview = overview_of(self._summary)
        manifest = StoredProfile(self._directory).manifest
        return manifest, msgspec.json.encode(overview).decode()


class AnalysisQueries(Queries):
    """Asks what a profile comes to."""

    answers = _Answers
    doing = "summing up"

    def overview(self, *, cancel: threading.Event | None = None) -> tuple[StoredManifest, str]:
        """What the profile is called, and all but its tables, as JSON text with the keys of
        ``sidelight summary --json``."""
        return self._ask("overview", cancel)
