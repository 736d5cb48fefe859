"""CSV: the contract's row for every event of the recorded steps, which no spreadsheet runs."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from export.exported_profiles import PROFILES
from sidelight.export.csv_rows import harmless
from sidelight.export.source import TimeRange
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.exported import write_exported

HEADER = ["track", "name", "start_ns", "duration_ns", "file", "line", "kind"]


def rows_of(profile: Profile, path: Path, time: TimeRange | None = None) -> list[dict[str, str]]:
    write_exported(path, profile, "csv", time)
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file, strict=True)
        rows = list(reader)
    assert reader.fieldnames == HEADER
    return rows


def plain_rows(profile: Profile) -> list[tuple[str, int, int, str, str]]:
    """Track, times and place of the events of recorded steps: a walk from event to event."""
    found: list[tuple[str, int, int, str, str]] = []
    for event in range(len(profile.events)):
        row = {name: int(profile.events[name][event]) for name in profile.events}
        if row["step"] < 0:
            continue
        file = line = ""
        if row["stack"] >= 0:
            frame = int(profile.stacks["frame"][row["stack"]])
            file = profile.files[int(profile.frames["file"][frame])].path
            line = str(int(profile.frames["line"][frame]))
        track = profile.tracks[row["track"]].name
        found.append((track, row["start_ns"], row["duration_ns"], file, line))
    return found


@pytest.mark.parametrize("kind", PROFILES)
def test_one_row_an_event_of_the_recorded_steps(kind: str, tmp_path: Path) -> None:
    profile = PROFILES[kind](tmp_path)
    found = [
        (row["track"], int(row["start_ns"]), int(row["duration_ns"]), row["file"], row["line"])
        for row in rows_of(profile, tmp_path / "events.csv")
    ]
    assert found == plain_rows(profile) != []


def test_events_outside_the_recorded_steps_are_not_in_it(tmp_path: Path) -> None:
    profile = PROFILES["priced"](tmp_path)
    step = np.array(profile.events["step"], np.int32)
    step[: len(step) // 2] = -1
    profile.events = profile.events.with_columns({"step": step})
    assert len(rows_of(profile, tmp_path / "events.csv")) == len(step) - len(step) // 2


def test_device_time_adds_up(tmp_path: Path) -> None:
    profile = PROFILES["predicted"](tmp_path)
    rows = rows_of(profile, tmp_path / "events.csv")
    of_device = [int(row["duration_ns"]) for row in rows if row["kind"] == "predicted device"]
    is_device = profile.events["category"] == Category.DEVICE
    assert sum(of_device) == int(profile.events["device_ns"][is_device].sum()) > 0
    assert all(row["kind"].startswith("predicted ") for row in rows)


def test_kinds_and_names_are_those_that_people_read(tmp_path: Path) -> None:
    rows = rows_of(PROFILES["training"](tmp_path), tmp_path / "events.csv")
    assert {row["kind"] for row in rows} == {"operator", "source line"}
    lines = {row["name"] for row in rows if row["kind"] == "source line"}
    assert {"train.py:7", "model.py:12"} <= lines


def test_a_part_of_the_time(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    everything = rows_of(profile, tmp_path / "all.csv")
    part = rows_of(profile, tmp_path / "part.csv", TimeRange(4_100, 35_100))
    assert part == [
        row
        for row in everything
        if int(row["start_ns"]) < 35_100 and int(row["start_ns"]) + int(row["duration_ns"]) > 4_100
    ]
    assert 0 < len(part) < len(everything)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("'=1", "''=1"),
        ("''-1", "'''-1"),
        ("aten::mm", "aten::mm"),
        ("it's =1", "it's =1"),
        ("'quoted'", "'quoted'"),
        ("", ""),
    ],
)
def test_no_text_is_a_formula(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_texts_of_traces_are_quoted_and_no_formulas(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    evil = '=HYPERLINK("http://x","a,b")\n"second", line'
    profile.strings = [evil if text == "aten::linear" else text for text in profile.strings]
    rows = rows_of(profile, tmp_path / "events.csv")
    assert f"'{evil}" in {row["name"] for row in rows}
    lines = (tmp_path / "events.csv").read_bytes().split(b"\r\n")
    assert lines[0].decode().split(",") == HEADER
    assert not any(line.startswith((b"=", b"+", b"-", b"@")) for line in lines)
