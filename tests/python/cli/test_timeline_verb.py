"""``sidelight timeline``: what a panel draws, in plain columns, against a walk over the events."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from cli.recorded import training_profile
from cli.running import Run
from sidelight.analysis.attribution import attribute
from sidelight.profile.manifest import Manifest, Series
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import SAMPLE_COLUMNS, Table

FROM_NS, TO_NS = 50_000, 3_000_000


def document(run: Run, store: Path, from_ns: int, to_ns: int, width: int) -> dict[str, Any]:
    times = ("--from", str(from_ns), "--to", str(to_ns), "--width", str(width))
    done = run("timeline", "train", "--store", store, *times, "--json")
    assert done.status == 0, done.stderr
    return json.loads(done.stdout)


def touching(profile: Profile, from_ns: int, to_ns: int) -> list[tuple[int, int, int]]:
    """Number, start and end of the events that touch a part: a walk from event to event."""
    events = profile.events
    spans = zip(events["start_ns"].tolist(), events["duration_ns"].tolist(), strict=True)
    return [
        (event, start_ns, start_ns + duration_ns)
        for event, (start_ns, duration_ns) in enumerate(spans)
        if start_ns < to_ns and start_ns + duration_ns > from_ns
    ]


def test_where_nothing_is_merged_every_event_is_drawn(run: Run, store: Path) -> None:
    profile = Store(store).resolve("train").load()
    drawn = document(run, store, FROM_NS, TO_NS, 32_000)
    assert drawn["bin_ns"] < 1_200  # the shortest event
    spans = drawn["spans"]
    assert len({len(column) for column in spans.values()}) == 1
    found = Counter(
        zip(spans["event"], spans["start_ns"], spans["duration_ns"], spans["track"], strict=True)
    )
    in_part = touching(profile, drawn["from_ns"], drawn["to_ns"])
    track: list[int] = profile.events["track"].tolist()
    assert found == Counter(
        (event, start_ns, end_ns - start_ns, track[event]) for event, start_ns, end_ns in in_part
    )
    assert set(spans["merged"]) == {1}
    names = {drawn["names"][name] for name in spans["name"]}
    assert {"aten::linear", "train.py:7"} <= names
    assert {drawn["categories"][kind] for kind in spans["category"]} == {"operator", "source line"}


def test_what_is_merged_stands_for_all_of_its_events(run: Run, store: Path) -> None:
    profile = Store(store).resolve("train").load()
    end_ns = int((profile.events["start_ns"] + profile.events["duration_ns"]).max())
    drawn = document(run, store, 0, end_ns + 1, 10)
    assert sum(drawn["spans"]["merged"]) == len(profile.events)
    assert len(drawn["spans"]["merged"]) < len(profile.events)
    assert drawn["bin_ns"] > 0


def test_tracks_say_how_busy_they_are_in_the_part(run: Run, store: Path) -> None:
    profile = Store(store).resolve("train").load()
    drawn = document(run, store, FROM_NS, TO_NS, 100)
    intervals: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for event, start_ns, end_ns in touching(profile, FROM_NS, TO_NS):
        inside = max(start_ns, FROM_NS), min(end_ns, TO_NS)
        intervals[int(profile.events["track"][event])].append(inside)
    for track in drawn["tracks"]:
        busy_ns, reached_ns = 0, 0
        for start_ns, end_ns in sorted(intervals[track["track"]]):
            busy_ns += max(0, end_ns - max(start_ns, reached_ns))
            reached_ns = max(reached_ns, end_ns)
        assert (track["busy_ns"], track["events"]) == (busy_ns, len(intervals[track["track"]]))
    assert any(track["busy_ns"] for track in drawn["tracks"])


def test_steps_are_those_that_touch_it(run: Run, store: Path) -> None:
    profile = Store(store).resolve("train").load()
    end_ns = int(profile.steps["end_ns"][0])
    assert [step["number"] for step in document(run, store, 0, end_ns, 9)["steps"]] == [1]
    assert [step["number"] for step in document(run, store, 0, end_ns + 1, 9)["steps"]] == [1, 2]


def test_quantities_have_a_value_a_pixel(run: Run, tmp_path: Path) -> None:
    profile = training_profile()
    profile.manifest.series = [Series("HBM", "bytes", "core 0")]
    samples = {"series": [0, 0], "at_ns": [100, 200], "value": [8.0, 24.0]}
    profile.samples = Table.of(SAMPLE_COLUMNS, samples)
    Store(tmp_path / "store").add(profile)
    (counter,) = document(run, tmp_path / "store", 0, 400, 4)["counters"]
    assert counter["name"] == "HBM"
    assert counter["mean"] == [None, 8.0, 24.0, 24.0]
    wide = document(run, tmp_path / "store", 0, 400, 10**9)
    (counter,) = wide["counters"]
    assert len(counter["mean"]) == len(counter["most"]) == wide["width_px"]


def test_what_a_person_reads(run: Run, store: Path) -> None:
    times = ("--from", str(FROM_NS), "--to", str(TO_NS), "--width", "800")
    done = run("timeline", "train", "--store", store, *times)
    drawn = document(run, store, FROM_NS, TO_NS, 800)
    assert done.status == 0
    assert f"{len(drawn['spans']['event']):,} rectangles" in done.stdout
    (track,) = (track for track in drawn["tracks"] if track["events"])
    (row,) = (line for line in done.stdout.splitlines() if line.rstrip().endswith(track["name"]))
    assert row.split()[0] == f"{track['events']:,}"


def test_a_part_without_events(run: Run, store: Path) -> None:
    times = ("--from", str(10**15), "--to", str(10**40), "--width", "800")
    done = run("timeline", "train", "--store", store, *times)
    assert done.status == 0
    assert "Nothing ran then" in done.stdout


def test_a_profile_without_events(run: Run, tmp_path: Path) -> None:
    figures = Profile(Manifest(name="train", created="", format="nxdi_report"))
    Store(tmp_path).add(attribute(figures))
    done = run("timeline", "train", "--store", tmp_path, "--from", "0", "--to", "9", "--width", "9")
    assert done.status == 0
    assert "no events" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from", "0", "--to", "9"],
        ["--from", "9", "--to", "9", "--width", "5"],
        ["--from", "0", "--to", "9", "--width", "0"],
        ["--from", "-1", "--to", "9", "--width", "5"],
        ["--from", "0", "--to", "1e3", "--width", "5"],
    ],
)
def test_wrong_usage(run: Run, store: Path, arguments: list[str]) -> None:
    assert run("timeline", "train", "--store", store, *arguments).status == 2


def test_a_profile_that_is_not_there(run: Run, store: Path) -> None:
    times = ("--from", "0", "--to", "9", "--width", "9")
    assert run("timeline", "other", "--store", store, *times, "--json").status == 3
