"""Names that are made to harm: huge ones, ones that terminals obey, and paths of devices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.ingest import bounds
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Track
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import Category
from traces.chrome import PID, Event, operator, row, write

HUGE = "A" * 10_000_000
EVIL = '<img src=x onerror="alert(1)">\x1b[31m\x07\x00\r\n\u202e`](command:x)'


def names(profile: Profile) -> list[str]:
    return [profile.strings[name] for name in profile.events["name"]]


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def test_huge_texts_are_kept_in_part_and_said(tmp_path: Path) -> None:
    thread: Event = {"ph": "M", "name": "thread_name", "pid": PID, "tid": 1}
    inputs: dict[str, Any] = {"Concrete Inputs": [HUGE], "Input Dims": [[2]]}
    events = [
        operator(HUGE, 0, 5),
        operator(HUGE + "B", 10, 5),
        operator("inputs", 20, 5, **inputs),
        row("python_function", f"/src/{HUGE}.py(3): f", 0, 30),
        {**operator("lane", 0, 1), "pid": HUGE, "tid": HUGE},
        {**thread, "args": {"name": HUGE}},
    ]
    profile = ingest.read(write(tmp_path / "t.json", events))
    assert codes(profile)["long_texts"] == 4
    assert all(len(text) < 20_000 for text in profile.strings)
    assert all(len(track.name + track.pid + track.tid) < 1000 for track in profile.tracks)
    assert profile.events["duration_ns"].sum() == 46_000
    Store(tmp_path / "store").add(profile)
    stored = (tmp_path / "store").rglob("*.json")
    assert sum(file.stat().st_size for file in stored) < 200_000


def test_huge_texts_of_tables_are_kept_in_part_and_said() -> None:
    builder = ProfileBuilder()
    inputs = json.dumps({"Input Dims": [[1] * 10_000]})
    builder.add_rows(
        {
            "track": [builder.tracks.code(Track("host", "t", "0", "0"))],
            "category": [Category.OPERATOR],
            "name": [builder.strings.code(HUGE)],
            "signature": [builder.strings.code(inputs)],
            "start_ns": [0],
            "duration_ns": [1],
        }
    )
    profile = builder.build(new_manifest("made", "test", []), "it")
    assert codes(profile) == {"long_texts": 1}
    assert len(names(profile)[0]) < 20_000
    assert profile.strings[profile.events["signature"][0]] == inputs


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    files = ["/dev/zero", "../../../../etc/passwd", "/proc/self/mem", EVIL]
    events = [row("python_function", f"{file}(1): f", 10 * at, 5) for at, file in enumerate(files)]
    profile = ingest.read(write(tmp_path / "t.json", [operator(EVIL, 100, 5), *events]))
    assert EVIL in names(profile)
    assert all(file.text is None for file in profile.files)
    stored = Store(tmp_path / "store").add(profile)
    assert EVIL in [stored.load().strings[name] for name in stored.load().events["name"]]


def test_more_tracks_than_can_be_shown_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_TRACKS", 100)
    few = [operator("op", at, 1, tid=at) for at in range(100)]
    path = write(tmp_path / "t.json", few)
    assert len(ingest.read(path).tracks) == 100
    with pytest.raises(UnreadableInputError, match=r"t\.json has events on more than") as caught:
        ingest.read(write(path, [*few, operator("op", 0, 1, tid=100)]))
    assert caught.value.code == "too_many_tracks"

    builder = ProfileBuilder()
    for at in range(101):
        builder.tracks.code(Track("host", "t", "0", str(at)))
    with pytest.raises(UnreadableInputError, match="100 threads") as caught:
        builder.build(new_manifest("made", "test", []), "it")
    assert caught.value.code == "too_many_tracks"


@pytest.mark.parametrize("folder", [".", "tables"])
def test_a_link_that_leads_to_itself_is_no_file(tmp_path: Path, folder: str) -> None:
    below = tmp_path / folder
    below.mkdir(exist_ok=True)
    for name in ("Instruction.parquet", "trace.json", "capture.json", "a.ntff", "loop"):
        (below / name).symlink_to(below / name)
    for path in (tmp_path, *below.iterdir()):
        with pytest.raises(UnreadableInputError):
            ingest.recordings(path)
    write(below / "real.json", [operator("op", 0, 5)])
    (recording,) = ingest.recordings(tmp_path)
    assert names(recording.read(None)[0]) == ["op"]
