"""What reading promises for any input: profiles that hold together, or an error that says why."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from fuzz.timeline_promise import timeline_holds_together
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.summary import profile_summary
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.store import Store

FACTOR: Final = int(os.environ.get("SIDELIGHT_FUZZ_FACTOR", "1"))
"""How many times as many inputs are tried as in the tests of every day."""

_YEAR_NS: Final = 366 * 24 * 3600 * 10**9


def keeps_its_promise(path: Path, store: Path) -> int:
    """Open an input as people do, and check what comes of it.

    Args:
        path: What to open.
        store: Where profiles are stored.

    Returns:
        How many profiles it holds; none where an error said why.
    """
    profiles = _read(path)
    if isinstance(profiles, UnreadableInputError):
        assert str(path) in profiles.message
        assert profiles.message.endswith(".")
        return 0
    for profile in profiles:
        _holds_together(attribute(profile))
        stored = Store(store).add(profile)
        _is_the_same(stored.load(), profile)
    return len(profiles)


def _read(path: Path) -> list[Profile] | UnreadableInputError:
    try:
        return [
            profile for recording in ingest.recordings(path) for profile in recording.read(None)
        ]
    except UnreadableInputError as error:
        return error


def _holds_together(profile: Profile) -> None:
    events = profile.events
    assert (events["start_ns"] >= 0).all()
    assert (events["duration_ns"] >= 0).all()
    assert int((events["start_ns"] + events["duration_ns"]).max(initial=0)) < _YEAR_NS
    assert (events["track"] < len(profile.tracks)).all()
    assert (events["name"] < len(profile.strings)).all()
    report = line_report(profile, "")
    of_lines = sum(line.self_ns for line in report.lines)
    assert of_lines + report.unattributed_ns == report.device_time_ns
    assert report.device_busy_ns <= report.device_time_ns
    _is_summed_up(profile, report.device_time_ns)
    timeline_holds_together(profile, report.device_time_ns)


def _is_summed_up(profile: Profile, device_time_ns: int) -> None:
    """The summary can be printed, and what it divides adds up."""
    summary = profile_summary(profile)
    json.dumps(msgspec.to_builtins(summary), allow_nan=False)
    assert summary.flame.by_line.total_ns == summary.flame.by_module.total_ns == device_time_ns
    for table in (summary.tables.operators, summary.tables.lines, summary.tables.modules):
        times = [cell for row in table.rows if isinstance(cell := row["self_ns"], int)]
        assert sum(times) == device_time_ns
    if summary.roofline:
        for level in (summary.roofline.operators, summary.roofline.lines, summary.roofline.modules):
            areas_ns = [dot.device_ns for dot in level.dots]
            assert sum(areas_ns) + level.unpriced_ns == device_time_ns
    for split in filter(None, (summary.core.flops, summary.core.hbm)):
        assert sum(part.amount or 0 for part in split.parts) == split.capacity


def _is_the_same(one: Profile, other: Profile) -> None:
    for name in other.events:
        np.testing.assert_array_equal(one.events[name], other.events[name], name)
    assert one.strings == other.strings
    assert one.manifest.quality == other.manifest.quality
