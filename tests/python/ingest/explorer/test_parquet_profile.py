"""Whole folders of tables: what they are recognised by, and both profiles in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.explorer_tables import Row, write_tables

EXECUTION_START_NS = 1_766_072_156_592_459_482
"""When a core began to execute, since 1970."""

EXECUTIONS: list[Row] = [
    {
        "id": number,
        "name": "nc_exec_running",
        "start_ts": EXECUTION_START_NS + 5 * number,
        "end_ts": EXECUTION_START_NS + 1000,
        "duration_ns": 1000 - 5 * number,
        "trace_event_source": "neuron_hw",
        "instance_id": "i-0b1e",
        "process_id": 7,
        "thread_id": 7,
        "nc_idx": 0,
        "pcore_idx": number,
        "flow_id": ["2"],
        "extra_attributes_json": '{"model_id": 10001}',
    }
    for number in (0, 1)
]


def instructions(zero_ns: int) -> list[Row]:
    return [
        {
            "start_ts": zero_ns + start_ns,
            "end_ts": zero_ns + start_ns + 200,
            "engine": "tensor",
            "opcode": "MATMUL",
            "nki_source_location": f"/u/kernel.py:{line}",
        }
        for start_ns, line in ((0, 4), (200, 5), (400, 5))
    ]


def spans(profile: Profile, category: Category) -> list[tuple[int, int]]:
    """Starts since 1970, and durations."""
    events = profile.events
    return [
        (profile.manifest.start_unix_ns + int(start_ns), int(duration_ns))
        for kind, start_ns, duration_ns in zip(
            events["category"], events["start_ns"], events["duration_ns"], strict=True
        )
        if kind == category
    ]


def note_codes(profile: Profile) -> set[str]:
    return {note.code for note in profile.manifest.quality}


@pytest.mark.parametrize("below", ["", "data/profiles/global/mlp@latest"])
def test_a_folder_opens_and_so_does_one_of_its_tables(tmp_path: Path, below: str) -> None:
    folder = tmp_path / "run" / below
    write_tables(folder, {"Instruction": instructions(0)}, pieces={"Instruction": 2})
    for path in (folder, folder / "Instruction_1.parquet", tmp_path / "run"):
        profile = ingest.read(path)
        assert profile.manifest.format == "explorer_parquet"
        assert len(profile.events) == 3
        assert str(folder / "Instruction_0.parquet") in profile.manifest.inputs
    assert ingest.read(folder).manifest.name == folder.name.removesuffix("@latest")


def test_the_clock_counts_since_1970_where_the_profile_knows_when_it_began(tmp_path: Path) -> None:
    write_tables(
        tmp_path,
        {
            "Instruction": instructions(5_000),
            "Metadata": [
                {
                    "first_ts": "2025-12-18 15:35:56.592459482 +0000 UTC",
                    "first_hw_timestamp": 4_000,
                }
            ],
        },
    )
    profile = ingest.read(tmp_path)
    assert spans(profile, Category.ENGINE_WORK)[0] == (EXECUTION_START_NS + 1_000, 200)


@pytest.mark.parametrize(
    "text", ["", "1970-01-01 00:00:00+00:00", "yesterday", "2025-99-99 00:00:00Z"]
)
def test_a_clock_that_begins_anywhere_stays(tmp_path: Path, text: str) -> None:
    write_tables(
        tmp_path,
        {
            "Instruction": instructions(5_000),
            "Metadata": [{"first_ts": text, "first_hw_timestamp": 0}],
        },
    )
    assert spans(ingest.read(tmp_path), Category.ENGINE_WORK)[0] == (5_000, 200)


@pytest.mark.parametrize(("zero_ns", "guessed"), [(EXECUTION_START_NS, False), (77, True)])
def test_instructions_say_whose_an_execution_was(
    tmp_path: Path, zero_ns: int, guessed: bool
) -> None:
    """Both profiles in one folder: the execution is the time, instructions divide it."""
    write_tables(
        tmp_path, {"SystemProfileEvents": EXECUTIONS, "Instruction": instructions(zero_ns)}
    )
    profile = ingest.read(tmp_path)
    assert ("clocks_set_by_guess" in note_codes(profile)) == guessed
    assert spans(profile, Category.DEVICE) == [(EXECUTION_START_NS, 1000)]
    assert spans(profile, Category.ENGINE_WORK)[0] == (EXECUTION_START_NS, 200)
    report = line_report(attribute(profile), "/u")
    assert report.device_time_ns == 1000
    assert {line.line: line.self_ns for line in report.lines} == {4: 200, 5: 400}
    assert report.unattributed_ns == 400
