"""The directory that a capture leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import SourceFile
from sidelight.profile.tables import Category
from traces.chrome import BASE_NS, operator, row, write_capture

PLACES: dict[str, Any] = {
    "files": [{"path": "/w/train.py", "snapshot": "sources/0.py"}, {"path": "/w/m.py"}],
    "frames": [[0, 3, "<module>"], [1, 8, "Net.forward"]],
    "labels": [[0, 1], [1, 1], [1, 0]],
}


def line(number: int, ts: float, dur: float) -> dict[str, Any]:
    return operator(f"sidelight:{number}", ts, dur)


def mark(number: int, ts: float, dur: float) -> dict[str, Any]:
    return operator(f"sidelight.mark:{number}", ts, dur)


def test_lines_and_sources(tmp_path: Path) -> None:
    events = [line(0, 0, 90), line(1, 1, 8), line(2, 20, 8), operator("aten::mm", 2, 3)]
    write_capture(tmp_path, {"trace-0.json": events}, **PLACES)
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "0.py").write_text("print('é')\n", encoding="utf-8")
    profile = ingest.read(tmp_path)
    table = profile.events
    assert profile.manifest.line_level == "line"
    assert table["category"].tolist() == [Category.LINE] * 2 + [Category.OPERATOR, Category.LINE]
    assert table["frame"].tolist() == [0, 1, -1, 1]
    assert table["entry"].tolist() == [1, 1, 0, 0]
    assert [profile.strings[name] for name in table["name"]] == [
        "train.py:3",
        "m.py:8",
        "aten::mm",
        "m.py:8",
    ]
    assert profile.frames["file"].tolist() == [0, 1]
    assert profile.frames["line"].tolist() == [3, 8]
    assert [profile.strings[name] for name in profile.frames["function"]] == [
        "<module>",
        "Net.forward",
    ]
    assert profile.files == [SourceFile("/w/train.py", "print('é')\n"), SourceFile("/w/m.py")]
    manifest = profile.manifest
    assert (manifest.name, manifest.format, manifest.target) == ("train", "capture", "cpu")
    assert manifest.versions["torch"] == "2.13.0"


def test_steps_run_from_the_end_of_a_mark_to_the_start_of_another(tmp_path: Path) -> None:
    events = [
        operator("first", 0, 1),
        mark(0, 10, 2),
        mark(1, 30, 2),
        operator("last", 40, 10),
    ]
    steps = [[None, 0], [0, 1], [1, None], [1, 7]]
    profile = ingest.read(write_capture(tmp_path, {"trace-0.json": events}, steps=steps, warmup=3))
    assert profile.steps["start_ns"].tolist() == [0, 12_000, 32_000]
    assert profile.steps["end_ns"].tolist() == [10_000, 30_000, 50_000]
    assert {profile.strings[name] for name in profile.events["name"]} == {"first", "last"}
    assert profile.manifest.warmup == 3
    assert [note.count for note in profile.manifest.quality if note.code == "lost_steps"] == [1]


def test_several_traces_share_one_time_axis_and_no_ids(tmp_path: Path) -> None:
    def session(start: float) -> list[dict[str, Any]]:
        return [
            operator("aten::mm", start, 5, **{"External id": 1}),
            row("cuda_runtime", "launch", start + 1, 1, correlation=4, **{"External id": 1}),
            row("kernel", "gemm", start + 2, 1, pid=0, correlation=4, **{"External id": 1}),
        ]

    profile = ingest.read(
        write_capture(
            tmp_path,
            {"trace-0.json": session(0), "trace-1.json": session(100)},
            steps=None,
            device="cuda",
        )
    )
    assert len(profile.tracks) == 2
    assert profile.manifest.start_unix_ns == BASE_NS
    assert profile.events["start_ns"].tolist() == [0, 1000, 100_000, 101_000, 2000, 102_000]
    assert profile.events["external_id"].tolist() == [1, 1, 6, 6, 1, 6]
    assert profile.events["correlation_id"].tolist() == [-1, 4, -1, 9, 4, 9]
    assert profile.steps["start_ns"].tolist() == [0, 100_000]
    assert profile.steps["end_ns"].tolist() == [5000, 105_000]


def test_a_session_without_work_is_no_step_beside_others(tmp_path: Path) -> None:
    """A schedule that has begun anew when the script ends leaves the session of its warm-up."""
    traces = {
        "trace-0.json": [
            operator("aten::mm", 0, 5),
            row("user_annotation", "ProfilerStep#1", 0, 10),
            row("user_annotation", "ProfilerStep#2", 10, 10),
        ],
        "trace-1.json": [line(0, 100, 5), row("user_annotation", "closing", 101, 1)],
    }
    profile = ingest.read(write_capture(tmp_path / "two", traces, steps=None, **PLACES))
    assert profile.steps["start_ns"].tolist() == [0, 10_000]
    assert profile.steps["end_ns"].tolist() == [10_000, 20_000]
    alone = {"trace-0.json": traces["trace-1.json"]}
    profile = ingest.read(write_capture(tmp_path / "one", alone, steps=None, **PLACES))
    assert len(profile.steps) == 1


def test_a_label_that_does_not_exist_is_said(tmp_path: Path) -> None:
    events = [line(0, 0, 9), line(17, 1, 2)]
    profile = ingest.read(write_capture(tmp_path, {"trace-0.json": events}, **PLACES))
    notes = {note.code: note.count for note in profile.manifest.quality}
    assert notes["unexplained_lines"] == 1
    assert len(profile.events) == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"schema": 2}, "broken_json"),
        ({"labels": [[5, 1]]}, "broken_json"),
        ({"frames": [[5, 1, "f"]]}, "broken_json"),
        ({"traces": ["gone.json"]}, "not_found"),
        ({"traces": []}, "no_events"),
        ({"files": [{"path": "/w/a.py"}], "frames": [[0, 1 << 31, "f"]]}, "broken_json"),
        ({"files": [{"path": "/w/a.py"}], "frames": [[0, 0, "f"]]}, "broken_json"),
        ({"labels": [[1 << 70, 1]]}, "broken_json"),
        ({"steps": [[None, 1 << 70]]}, "broken_json"),
        ({"rank": 1 << 70}, "broken_json"),
        ({"traces": ["../outside.json"]}, "broken_json"),
        ({"traces": ["/etc/hostname"]}, "broken_json"),
        ({"traces": ["a\0b"]}, "broken_json"),
        ({"traces": ["link.json"]}, "broken_json"),
        ({"traces": ["."]}, "not_readable"),
    ],
)
def test_broken_captures(tmp_path: Path, fields: dict[str, Any], code: str) -> None:
    run = write_capture(tmp_path / "run", {"trace-0.json": [operator("aten::mm", 0, 5)]}, **fields)
    (tmp_path / "outside.json").write_bytes((run / "trace-0.json").read_bytes())
    (run / "link.json").symlink_to(tmp_path / "outside.json")
    with pytest.raises(UnreadableInputError) as caught:
        ingest.read(run)
    assert caught.value.code == code
    assert str(run) in caught.value.message


def test_snapshots_stay_inside_the_directory(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    run = write_capture(
        tmp_path / "run",
        {"trace-0.json": [operator("aten::mm", 0, 5)]},
        files=[{"path": "/w/a.py", "snapshot": "../secret"}],
    )
    assert ingest.read(run).files == [SourceFile("/w/a.py")]


def line_notes(run: Path) -> dict[str, str]:
    notes = ingest.read(run).manifest.quality
    about_lines = {"lines_unknown", "no_stacks", "function_level_lines"}
    return {note.code: note.message for note in notes if note.code in about_lines}


def test_that_lines_are_unknown_is_said_once_and_not_with_advice_to_capture(tmp_path: Path) -> None:
    events = [operator("aten::mm", 0, 5)]
    note = {"code": "lines_unknown", "severity": "warning", "message": "A debugger.", "count": 1}
    run = write_capture(tmp_path / "debugged", {"trace-0.json": events}, quality=[note])
    assert line_notes(run) == {"lines_unknown": "A debugger."}

    notes = line_notes(write_capture(tmp_path / "no lines", {"trace-0.json": events}))
    assert set(notes) == {"no_stacks"}

    events.append(row("python_function", "train.py(1): f", 0, 9))
    notes |= line_notes(write_capture(tmp_path / "functions", {"trace-0.json": events}))
    assert set(notes) == {"no_stacks", "function_level_lines"}
    assert all("sidelight profile" not in message for message in notes.values())


def test_functions_of_a_capture_are_in_its_files(tmp_path: Path) -> None:
    script = tmp_path / "project" / "train.py"
    script.parent.mkdir()
    script.write_text("")
    run = write_capture(
        tmp_path / "run",
        {"trace-0.json": [row("python_function", "train.py(1): f", 0, 9)]},
        files=[{"path": str(script)}],
        command=["project/train.py"],
        working_directory=str(tmp_path),
    )
    profile = ingest.read(run)
    assert profile.files == [SourceFile(str(script))]
    assert profile.frames["file"].tolist() == [0]


def test_ids_too_large_to_be_kept_apart_are_left_out(tmp_path: Path) -> None:
    ids = ((1 << 63) - 1, (1 << 62) - 1, 5, (1 << 62) - 1)
    recordings = {
        f"trace-{number}.json": [operator("aten::mm", number, 1, **{"External id": external_id})]
        for number, external_id in enumerate(ids)
    }
    profile = ingest.read(write_capture(tmp_path, {**recordings}))
    first, *others = profile.events["external_id"].tolist()
    assert first == -1
    assert len(set(others)) == 3
    assert min(others) > 0
    assert {note.code: note.count for note in profile.manifest.quality}["bad_id"] == 1
