"""What people read of the rows that a capture leaves for machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_timeline import Columns, decode
from torch_runs import record, torch

from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.profile.shown_rows import shown_name
from sidelight.profile.tables import Category

CALLS = {
    "sidelight::synchronize": "synchronize: wait for the device",
    "sidelight::stream wait 3": "synchronize: wait for stream 3",
    "sidelight::stream await 12": "synchronize: wait for event 12",
    "sidelight::stream use 0": "use stream 0",
    "sidelight::stream record 3 12": "record event 12 on stream 3",
    "sidelight::stream hold 4 12": "stream 4 waits for event 12",
}
REGIONS = {
    "sidelight::graph::7": "compiled graph 7",
    "sidelight::compiled_region": "compiled region",
    "sidelight::compiling": "torch.compile compiles",
}


def program() -> None:
    for name in (*CALLS, *REGIONS):
        row: Any = torch._C._profiler._RecordFunctionFast(name)
        with row:
            torch.ones(2)


def test_a_timeline_shows_plain_names_and_calls_as_calls_of_the_runtime(tmp_path: Path) -> None:
    profile = record(program, tmp_path).profile
    index = TimelineIndex(profile)
    shown = {
        details.name: (details.category, details.event)
        for details in map(index.event, range(len(profile.events)))
    }
    assert {name: shown[name][0] for name in CALLS.values()} == dict.fromkeys(
        CALLS.values(), "runtime call"
    )
    assert [shown[name][0] for name in REGIONS.values()] == ["operator", "operator", "annotation"]
    assert not [name for name in shown if name.startswith("sidelight::")]

    called = [event for category, event in shown.values() if category == "runtime call"]
    start_ns, end_ns = (int(profile.events["start_ns"][row]) for row in (min(called), max(called)))
    window = index.window(start_ns, end_ns + 1, end_ns - start_ns)
    drawn: Columns = decode(window)
    texts = [window.names[int(name)] for name in drawn["name"]]
    names = dict(zip(drawn["event"], texts, strict=True))
    categories = dict(zip(drawn["event"], drawn["category"], strict=True))
    assert set(CALLS.values()) <= set(texts)
    for name, (category, event) in shown.items():
        if event in names:
            assert names[event] == name
            assert (categories[event] == Category.RUNTIME) == (category == "runtime call")


@pytest.mark.parametrize(
    "name",
    ["aten::mm", "synchronize", "sidelight::stream", "sidelight::stream use x", "sidelight::graph"],
)
def test_other_names_are_shown_as_they_are(name: str) -> None:
    assert shown_name(name) == name
