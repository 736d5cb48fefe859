"""Modules as regions of the timeline, against plain walks over the events."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from sidelight.analysis.attribution import attribute
from sidelight.analysis.modules.calls import calls_of_events, module_calls
from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.regions import Regions
from sidelight.analysis.timelines.told_types import Details, Find
from sidelight.ingest import read
from sidelight.profile.model import Profile
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.profile.tables import Category
from support.fake_runs import fake_run

TRACES = Path(__file__).parents[4] / "shared" / "traces" / "torch"
WITH_MODULES = TRACES / "tracelens__h100_gaunernst_bert-small-uncased__1016001.json.gz"

SCRIPT = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(64, 256), nn.Linear(256, 64)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Block() for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.randn(32, 64)).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    directory = tmp_path_factory.mktemp("regions")
    script = directory / "script.py"
    script.write_text(SCRIPT)
    return fake_run(directory / "store", script, options=("--warmup", "1", "--steps", "2")).profile


def device_rows(profile: Profile) -> list[int]:
    return [
        row
        for row, category in enumerate(profile.events["category"].tolist())
        if category == Category.DEVICE
    ]


def test_each_spans_the_rows_that_its_calls_operators_launched(profile: Profile) -> None:
    events, calls, regions = profile.events, module_calls(profile), Regions(profile)
    column = {name: events[name].tolist() for name in events}
    operators = {number: row for row, number in enumerate(column["external_id"])
                 if column["category"][row] == Category.OPERATOR}  # fmt: skip
    forwards = {
        (column["track"][row], column["sequence_nr"][row]): row
        for row in operators.values()
        if column["sequence_nr"][row] >= 0 and column["forward_thread"][row] == 0
    }

    def calls_around(row: int) -> list[int]:
        end_ns = column["start_ns"][row] + column["duration_ns"][row]
        return [
            call
            for call in range(len(calls))
            if calls.track[call] == column["track"][row]
            and calls.start_ns[call] <= column["start_ns"][row]
            and calls.end_ns[call] >= end_ns
        ]

    def forward_of(row: int) -> int | None:
        """The forward operator of a backward one, by the first number on the way outwards."""
        while row >= 0:
            if column["forward_thread"][row] > 0:
                key = (column["forward_thread"][row] - 1, column["sequence_nr"][row])
                return forwards.get(key)
            row = column["parent"][row]
        return None

    spans: defaultdict[tuple[int, bool], list[tuple[int, int, int]]] = defaultdict(list)
    for row in device_rows(profile):
        launching = operators[column["external_id"][row]]
        is_backward = column["backward"][row] == 1
        if is_backward:
            forward = forward_of(launching)
            if forward is None:
                continue
            launching = forward
        start_ns = column["start_ns"][row]
        recorded_ns = column["device_ns"][row] if column["step"][row] >= 0 else 0
        for call in calls_around(launching):
            spans[call, is_backward].append(
                (start_ns, start_ns + column["duration_ns"][row], recorded_ns)
            )

    found = {
        (int(regions.call[each]), bool(regions.backward[each])): (
            int(regions.start_ns[each]),
            int(regions.end_ns[each]),
            int(regions.device_ns[each]),
        )
        for each in range(len(regions))
        if profile.tracks[int(regions.lane[each])].kind == "device"
    }
    assert len({backward for _, backward in spans}) == 2
    assert found == {
        key: (
            min(start_ns for start_ns, _, _ in rows),
            max(end_ns for _, end_ns, _ in rows),
            sum(recorded_ns for _, _, recorded_ns in rows),
        )
        for key, rows in spans.items()
    }


def test_names_tell_layers_apart_and_forward_from_backward(profile: Profile) -> None:
    regions = Regions(profile)
    streams = Counter(
        regions.name(each)
        for each in range(len(regions))
        if profile.tracks[int(regions.lane[each])].kind == "device"
    )
    blocks = [f"layers.{number} (Block)" for number in range(3)]
    assert {name: streams[name] for name in blocks} == dict.fromkeys(blocks, 3)
    assert {name: streams[f"{name}, backward"] for name in blocks} == dict.fromkeys(blocks, 3)
    threads = Counter(
        regions.name(each)
        for each in range(len(regions))
        if profile.tracks[int(regions.lane[each])].kind == "host"
    )
    assert threads == {"Net": 3, **dict.fromkeys(blocks, 3), "up (Linear)": 9, "down (Linear)": 9}


def test_a_profile_without_modules_has_none(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import torch\nx = torch.ones(8, 8)\nfor _ in range(3):\n    x = x @ x\n")
    assert len(Regions(fake_run(tmp_path / "store", script).profile)) == 0


@pytest.mark.skipif(not WITH_MODULES.exists(), reason="the folder of traces is absent")
def test_rows_of_modules_in_a_real_trace_give_the_time_that_its_modules_have() -> None:
    profile = read(WITH_MODULES)
    attribute(profile)
    regions, modules = Regions(profile), Modules(profile)
    events = profile.events
    counted = [row for row in device_rows(profile) if events["step"][row] >= 0]
    node = modules.of(events["operator"][counted], events["stack"][counted])
    in_modules_ns = int(events["device_ns"][counted][node >= 0].sum())

    outermost = [
        each for each in range(len(regions)) if regions.calls.caller[regions.call[each]] < 0
    ]
    assert in_modules_ns > 0
    assert int(regions.device_ns[outermost].sum()) == in_modules_ns
    # They are drawn on their thread as it is: only streams get regions.
    assert {profile.tracks[lane].kind for lane in regions.lanes} == {"device"}
    of_host = calls_of_events(profile, regions.calls)
    assert (of_host >= 0).any()


def manifest_of(profile: Profile) -> StoredManifest:
    assert isinstance(profile.manifest, StoredManifest)
    return profile.manifest


def test_they_are_drawn_over_what_they_are_of_and_tell_their_lines(profile: Profile) -> None:
    index = TimelineIndex(profile)
    tracks = index.overview(manifest_of(profile)).tracks
    numbers = [track.track for track in tracks]
    over = [(numbers.index(track.track), track) for track in tracks if track.regions_of is not None]
    assert len(over) == 2
    for place, track in over:
        below = tracks[place + 1]
        assert below.track == track.regions_of
        assert track.name == f"modules of {below.name}"
        assert (track.kind, track.depth) == (below.kind, 3)

    find = Find(text="layers.1 (block)")
    match = index.match(find, None, 0, "next")
    assert match is not None
    assert match.count == 3 + 2 * 3  # over the thread, and forward and backward over the stream
    found: dict[str, Details] = {}
    for _ in range(match.count):
        assert match is not None
        details = index.event(match.event)
        found.setdefault(details.name, details)
        match = index.match(find, match.event, 0, "next")
    assert set(found) == {"layers.1 (Block)", "layers.1 (Block), backward"}
    for details in found.values():
        assert details.category == "module"
        assert {fact.term: fact.text for fact in details.facts}["Called in"] == "Net"
        called = SCRIPT.splitlines()[details.places[0].line - 1]
        assert called.strip() == "x = layer(x)"
        assert details.owners == 1


def test_they_take_no_part_in_what_is_summed_up(profile: Profile) -> None:
    index = TimelineIndex(profile)
    overview = index.overview(manifest_of(profile))
    whole = (overview.start_ns, overview.end_ns + 1)
    assert index.area(*whole, []).events == len(profile.events) == overview.events
    of_regions = [track.track for track in overview.tracks if track.regions_of is not None]
    assert index.area(*whole, of_regions).events == 0
    used = index.utilisation(*whole, 100, [of_regions])
    assert used.groups[0].busy_ns == 0
