"""A profiler that says itself that it lost events is believed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.profile.quality import QualityNote
from support import explorer_tables, neuron_json
from traces import chrome

FULL = (
    "WARNING:2026-02-08 10:38:45 948300:948300 CuptiActivityApi.cpp:154] Exceeded max GPU buffer "
    "count (33 >= 33) - terminating tracing"
)


def notes_of(path: Path, **header: Any) -> list[QualityNote]:
    """What is said of lost events, of a sound trace with this in its header."""
    chrome.write(path / "trace.json", [chrome.operator("aten::mm", 0, 5)], **header)
    notes = ingest.read(path / "trace.json").manifest.quality
    return [note for note in notes if note.code == "dropped_events"]


def test_the_profilers_words_are_quoted_without_its_place_in_the_source(tmp_path: Path) -> None:
    (note,) = notes_of(tmp_path, WARNING=[FULL, FULL], ERROR=['Dropped 17 records\x1b[2J "x"'])
    assert note.count == 3
    assert note.severity == "warning"
    assert '"Exceeded max GPU buffer count (33 >= 33) - terminating tracing"' in note.message
    assert "Dropped 17 records [2J 'x'" in note.message
    assert "CuptiActivityApi" not in note.message


@pytest.mark.parametrize(
    "header",
    [
        {"INFO": [FULL.replace("Exceeded", "Not exceeded")]},
        {"ERROR": ["ERROR:2026-01-08 08:51:59 865:3386 x.cpp:47] gpuGetDeviceCount failed"]},
        {"WARNING": "dropped"},
        {"WARNING": [None, 7, {"dropped": 1}, ["dropped"]]},
        {"ERROR": {"dropped": "events"}},
    ],
)
def test_nothing_else_is_taken_for_it(tmp_path: Path, header: dict[str, Any]) -> None:
    assert notes_of(tmp_path, **header) == []


WARNINGS = [
    {"category": "Missing Data", "message": "Dropped 12 DMA events: the buffer was full"},
    {"category": "Missing Data", "message": "Compiler metrics are missing"},
]


def told(path: Path) -> dict[str, str]:
    """The notes on what a tool warned of, by code."""
    notes = ingest.read(path).manifest.quality
    return {
        note.code: note.message
        for note in notes
        if note.code in ("dropped_events", "profiler_warning")
    }


def check_both(found: dict[str, str]) -> None:
    assert found.keys() == {"dropped_events", "profiler_warning"}
    assert '"Dropped 12 DMA events: the buffer was full"' in found["dropped_events"]
    assert "Dropped" not in found["profiler_warning"]
    assert "Compiler metrics are missing" in found["profiler_warning"]


def test_neurons_profilers_tell_it_among_their_warnings(tmp_path: Path) -> None:
    instruction = {
        "start_ts": 0,
        "end_ts": 5,
        "duration_ns": 5,
        "engine": "tensor",
        "opcode": "MATMUL",
        "pcore_idx": 0,
    }
    tables = {"Instruction": [instruction], "Warning": WARNINGS}
    check_both(told(explorer_tables.write_tables(tmp_path / "tables", tables)))
    document = neuron_json.device_profile([neuron_json.instruction(10, 20)], [])
    document["warnings"] = WARNINGS
    check_both(told(neuron_json.write_json(tmp_path / "ntff.json", document)))
