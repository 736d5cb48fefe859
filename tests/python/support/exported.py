"""Profiles written to files, as the command line writes them, without its processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.predicted_timeline import attribute_predicted
from sidelight.export.source import Source, TimeRange, Written
from sidelight.jobs.export_writers import WRITERS, launching_events
from sidelight.profile.model import Profile


def write_exported(
    path: Path, profile: Profile, export_format: str, time: TimeRange | None = None
) -> Written:
    """Write an attributed profile; returns what the writer says of it."""
    source = Source(profile, launching_events(profile), time or TimeRange())
    with path.open("wb") as file:
        return WRITERS[export_format](file, source, lambda part: None)


def read_back(path: Path) -> Profile:
    """Read and attribute an exported trace, as opening it does."""
    profile = ingest.read(path)
    if profile.manifest.time_kind == "measured":
        return attribute(profile)
    attribute_predicted(profile)
    return profile


def figures(profile: Profile) -> dict[str, Any]:
    """All that the lines' document says of a profile but what is of the file it was read from."""
    report = line_report(profile, "")
    own = ("profile", "format", "script_exit", "quality")
    return {name: getattr(report, name) for name in report.__struct_fields__ if name not in own}
