"""A Chrome trace that is exported is read back as the profile it was: lines, times and steps."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from export.exported_profiles import PROFILES
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.export.source import TimeRange
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import EVENT_COLUMNS
from support.exported import figures, read_back, write_exported

FOLDER = Path(__file__).parents[3].parent / "shared" / "traces" / "torch"
TRACES = sorted(path for path in FOLDER.glob("*.gz") if not path.name.endswith("_et.json.gz"))


@pytest.fixture(name="profile", params=PROFILES)
def make_profile(request: pytest.FixtureRequest, tmp_path: Path) -> Profile:
    return PROFILES[request.param](tmp_path)


def again(profile: Profile, path: Path) -> Profile:
    write_exported(path, profile, "chrome")
    return read_back(path)


def test_the_lines_and_all_figures_beside_them_are_the_same(
    profile: Profile, tmp_path: Path
) -> None:
    back = again(profile, tmp_path / "trace.json")
    assert back.manifest.format == "sidelight_trace"
    assert figures(back) == figures(profile)
    assert line_report(profile, "").lines


def test_the_events_are_the_same(profile: Profile, tmp_path: Path) -> None:
    back = again(profile, tmp_path / "trace.json")
    texts = {"name", "signature", "frame"}
    for column in EVENT_COLUMNS.keys() - texts:
        assert back.events[column].tolist() == profile.events[column].tolist(), column
    assert back.tracks == profile.tracks
    for name in ("start_ns", "end_ns"):
        assert back.steps[name].tolist() == profile.steps[name].tolist()
    assert back.manifest.start_unix_ns == profile.manifest.start_unix_ns
    assert signatures(back) == signatures(profile)


def signatures(profile: Profile) -> list[object]:
    return [
        json.loads(profile.strings[int(text)]) if text >= 0 else None
        for text in profile.events["signature"]
    ]


def test_a_second_trip_changes_nothing(profile: Profile, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    back = again(again(profile, first), second)
    assert figures(back) == figures(profile)
    codes = [note.code for note in back.manifest.quality]
    assert codes.count("not_in_trace") <= 1


def test_device_time_of_a_core_belongs_to_several_lines_still(tmp_path: Path) -> None:
    profile = PROFILES["core"](tmp_path)
    assert len(np.unique(profile.shares["stack"])) > 1
    back = again(profile, tmp_path / "trace.json")
    for column in profile.shares:
        assert back.shares[column].tolist() == profile.shares[column].tolist()


def test_times_that_are_predicted_are_so_still(tmp_path: Path) -> None:
    profile = PROFILES["predicted"](tmp_path)
    back = again(profile, tmp_path / "trace.json")
    report = line_report(back, "")
    assert report.time_kind == "predicted"
    assert report.predicted_ns == report.device_time_ns > 0
    assert {line.time_kind for line in report.lines} == {"predicted"}


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not beside the checkout")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.split("_trace")[0])
def test_public_traces(path: Path, tmp_path: Path) -> None:
    profile = attribute(ingest.read(path))
    assert figures(again(profile, tmp_path / "trace.json")) == figures(profile)


def test_a_part_of_the_time_has_its_events_whole(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    path = tmp_path / "part.json"
    from_ns, to_ns = 50_000, 600_000
    written = write_exported(path, profile, "chrome", TimeRange(from_ns, to_ns))
    start_ns = profile.events["start_ns"]
    end_ns = start_ns + profile.events["duration_ns"]
    expected = [
        (int(start), int(end))
        for start, end in zip(start_ns, end_ns, strict=True)
        if start < to_ns and end > from_ns
    ]
    back = ingest.read(path)
    first_ns = min(start for start, _ in expected)
    back_start_ns = back.events["start_ns"] + first_ns
    back_end_ns = back_start_ns + back.events["duration_ns"]
    assert sorted(zip(back_start_ns.tolist(), back_end_ns.tolist(), strict=True)) == sorted(
        expected
    )
    assert written.events == len(expected) < len(profile.events)


def test_it_may_be_gzipped(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    write_exported(tmp_path / "trace.json", profile, "chrome")
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress((tmp_path / "trace.json").read_bytes()))
    assert figures(read_back(path)) == figures(profile)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"kind":"operator"', b'"kind":"nonsense"'),
        (b'"schema":1', b'"schema":2'),
        (b'"tid":1,', b'"tid":99,'),
        (b'"frame":0', b'"frame":4000'),
        (b'"frame":0', b'"frame":-1'),
        (b"\n]}\n", b""),
        (b'"time_kind":"measured"', b'"time_kind":"predicted"'),
    ],
)
def test_one_that_was_changed_is_refused(tmp_path: Path, old: bytes, new: bytes) -> None:
    path = tmp_path / "trace.json"
    write_exported(path, PROFILES["training"](tmp_path), "chrome")
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))
    with pytest.raises(UnreadableInputError) as refused:
        ingest.read(path)
    assert refused.value.code == "broken_json"
    assert str(path) in refused.value.message
