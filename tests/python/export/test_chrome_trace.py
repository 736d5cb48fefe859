"""What other programs find in a Chrome trace: sound JSON, exact times, lanes that nest, arrows."""

from __future__ import annotations

import json
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from export.exported_profiles import PROFILES
from sidelight.analysis.attribution import attribute
from sidelight.profile.manifest import Manifest, Series, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import EVENT_COLUMNS, SAMPLE_COLUMNS, STEP_COLUMNS, Category, Table
from support.exported import write_exported

Event = dict[str, Any]


def document_of(profile: Profile, path: Path) -> dict[str, Any]:
    write_exported(path, profile, "chrome")
    return json.loads(path.read_text("utf-8"), parse_float=Decimal)


def of_phase(document: dict[str, Any], phase: str) -> list[Event]:
    return [event for event in document["traceEvents"] if event["ph"] == phase]


def rows(document: dict[str, Any]) -> list[Event]:
    return [event for event in of_phase(document, "X") if "kind" in event.get("args", {})]


def nanoseconds(event: Event, name: str) -> int:
    exact = Decimal(event[name]) * 1000
    assert exact == int(exact)
    return int(exact)


@pytest.fixture(name="profile", params=PROFILES)
def make_profile(request: pytest.FixtureRequest, tmp_path: Path) -> Profile:
    return PROFILES[request.param](tmp_path)


def test_every_event_is_there_with_its_times_to_the_nanosecond(
    profile: Profile, tmp_path: Path
) -> None:
    found = rows(document_of(profile, tmp_path / "trace.json"))
    times = [(nanoseconds(event, "ts"), nanoseconds(event, "dur")) for event in found]
    events = profile.events
    assert times == list(
        zip(events["start_ns"].tolist(), events["duration_ns"].tolist(), strict=True)
    )


def test_the_format_is_kept(profile: Profile, tmp_path: Path) -> None:
    document = document_of(profile, tmp_path / "trace.json")
    assert {event["ph"] for event in document["traceEvents"]} <= set("XMCsf")
    for event in document["traceEvents"]:
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        assert isinstance(event["name"], str)
        assert event["ph"] == "M" or event["ts"] >= 0
    named = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in of_phase(document, "M")
        if event["name"] == "thread_name"
    }
    lanes = {(event["pid"], event["tid"]) for event in rows(document)}
    assert lanes == set(named)
    tracks: list[int] = profile.events["track"].tolist()
    for event, track in zip(rows(document), tracks, strict=True):
        name = named[event["pid"], event["tid"]]
        assert name.startswith(profile.tracks[track].name)


def nests(spans: list[tuple[int, int]]) -> bool:
    """Whether of any two spans that share time one holds the other: a slow, obvious look."""
    for index, (start, end) in enumerate(spans):
        for other_start, other_end in spans[index + 1 :]:
            shares_time = start < other_end and other_start < end
            holds = (start <= other_start and other_end <= end) or (
                other_start <= start and end <= other_end
            )
            if shares_time and not holds:
                return False
    return True


def test_events_of_a_lane_nest(profile: Profile, tmp_path: Path) -> None:
    lanes: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for event in rows(document_of(profile, tmp_path / "trace.json")):
        start_ns = nanoseconds(event, "ts")
        lanes[event["pid"], event["tid"]].append((start_ns, start_ns + nanoseconds(event, "dur")))
    assert all(map(nests, lanes.values()))


def overlapping() -> Profile:
    columns = {
        "track": [0, 0, 0, 0],
        "category": [Category.DEVICE] * 4,
        "name": [0, 1, 2, 3],
        "start_ns": [0, 5, 6, 20],
        "duration_ns": [10, 10, 3, 2],
    }
    manifest = Manifest(name="n", created="", format="f", series=[Series("HBM", "bytes", "core 0")])
    return attribute(
        Profile(
            manifest,
            strings=["a", "b", "c", "d"],
            tracks=[Track("device", "stream 7", "0", "7")],
            events=Table.of(EVENT_COLUMNS, {**columns, "forward_thread": [0] * 4}),
            steps=Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [22]}),
            samples=Table.of(
                SAMPLE_COLUMNS, {"series": [0, 0], "at_ns": [1, 7], "value": [3.0, 0.1]}
            ),
        )
    )


def test_events_that_overlap_in_part_have_lanes_of_their_own(tmp_path: Path) -> None:
    document = document_of(overlapping(), tmp_path / "trace.json")
    lane_of = {event["name"]: event["tid"] for event in rows(document)}
    assert lane_of["a"] == lane_of["c"] == lane_of["d"] != lane_of["b"]
    names = [
        event["args"]["name"] for event in of_phase(document, "M") if event["name"] == "thread_name"
    ]
    assert names == ["stream 7", "stream 7 (2)"]


def test_quantities_are_counters(tmp_path: Path) -> None:
    counters = of_phase(document_of(overlapping(), tmp_path / "trace.json"), "C")
    assert [(each["name"], nanoseconds(each, "ts")) for each in counters] == [
        ("HBM (core 0)", 1),
        ("HBM (core 0)", 7),
    ]
    assert [float(each["args"]["value"]) for each in counters] == [3.0, 0.1]


def test_arrows_lead_from_launches_to_the_work(tmp_path: Path) -> None:
    profile = PROFILES["predicted"](tmp_path)
    document = document_of(profile, tmp_path / "trace.json")
    starts = {event["id"]: event for event in of_phase(document, "s")}
    ends = {event["id"]: event for event in of_phase(document, "f")}
    kernels = [event for event in rows(document) if event["args"]["kind"] == "device"]
    assert starts.keys() == ends.keys()
    assert len(ends) == len(kernels) > 0
    at = {(event["pid"], event["tid"], event["ts"]): event for event in rows(document)}
    for number, end in ends.items():
        start = starts[number]
        kernel = at[end["pid"], end["tid"], end["ts"]]
        launch = at[start["pid"], start["tid"], start["ts"]]
        assert kernel["args"]["kind"] == "device"
        assert launch["args"]["kind"] == "operator"


def test_predicted_times_say_so(tmp_path: Path) -> None:
    predicted = document_of(PROFILES["predicted"](tmp_path), tmp_path / "predicted.json")
    assert {event["args"]["time_kind"] for event in rows(predicted)} == {"predicted"}
    measured = document_of(PROFILES["training"](tmp_path), tmp_path / "measured.json")
    assert not any("time_kind" in event["args"] for event in rows(measured))


def test_neither_source_text_nor_the_environment_goes_along(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    profile.manifest.environment = {"TOKEN": "secret-of-mine"}
    profile.manifest.command = ["train.py", "--key=secret-of-mine"]
    text = json.dumps(document_of(profile, tmp_path / "trace.json"), default=str)
    assert "secret-of-mine" not in text
    assert "torch.rsqrt(variance" not in text


def test_what_is_not_in_it_is_said(tmp_path: Path) -> None:
    written = write_exported(tmp_path / "trace.json", PROFILES["core"](tmp_path), "chrome")
    (note,) = written.notes
    assert note.code == "not_in_trace"
    assert "instructions" in note.message
    document = json.loads((tmp_path / "trace.json").read_text("utf-8"))
    assert note.message in [each["message"] for each in document["sidelight"]["quality"]]


def test_hostile_names_stay_texts(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    evil = '"},{"ph":"X"}</script>\u2028\n\x00\ud800'
    profile.strings = [evil, *profile.strings[1:]]
    document = document_of(profile, tmp_path / "trace.json")
    assert any(evil.replace("\ud800", "?") in event["name"] for event in rows(document))
    assert len(rows(document)) == len(profile.events)
