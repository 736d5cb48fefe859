"""Profiles of a core by their own clock, in a session: under which execution they are placed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ingest.explorer.system_sample import EPOCH_NS, INSTANCE, PID, SystemRows
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.explorer_tables import Row, pa, write_tables

SEQUENCE = (7 << 60) + 5
"""An ``nrt_sequence_id`` beyond 2^62, and so negative in 64 bits; its neighbours are ids, too."""

PLACED = {"placed_by_sequence_id", "placed_by_program", "clocks_set_by_guess", "not_joined"}
"""What may be said of where a core's profile was put."""


def write_system(folder: Path, listed: Sequence[Row] = ()) -> None:
    """Three executions on core 0, of the models 77, 78 and 77, and one of 78 on core 1."""
    rows = SystemRows()
    for number, (start_ns, model, core) in enumerate(
        [(1_000, 77, 0), (3_000, 78, 0), (5_000, 77, 0), (500, 78, 2)]
    ):
        sequence = str(SEQUENCE + number)
        rows.work("aten::mm", start_ns - 400, start_ns + 900, sequence)
        rows.wait(start_ns - 300, start_ns + 850, sequence, str(number))
        rows.execution(
            *(start_ns, start_ns + 800, str(number), core),
            extra_attributes_json=json.dumps({"model_id": model}),
        )
    write_tables(folder, {"SystemProfileEvents": rows.rows, "DeviceProfileList": listed})


def write_core(
    folder: Path, *executions: Row, zero_ns: int = 5, starts_ns: Sequence[int] = (0,)
) -> None:
    """An instruction of a line at each start; by a clock that begins anywhere."""
    instructions = [
        {"start_ts": zero_ns + start_ns, "end_ts": zero_ns + start_ns + 300, "engine": "tensor"}
        | {"opcode": "MATMUL", "nki_source_location": f"/u/kernel.py:{10 + number}"}
        for number, start_ns in enumerate(starts_ns)
    ]
    infos = [
        {
            **execution,
            "execution_index": number,
            "execution_start_ts": zero_ns + starts_ns[number],
            "execution_end_ts": zero_ns + starts_ns[number] + 800,
        }
        for number, execution in enumerate(executions)
    ]
    write_tables(
        folder,
        {"Instruction": instructions, "ExecutionInfo": infos},
        added={"ExecutionInfo.nrt_sequence_id": pa.string()},
    )


def opened(folder: Path) -> list[Profile]:
    return [
        attribute(profile)
        for recording in ingest.recordings(folder)
        for profile in recording.read(None)
    ]


def codes(profile: Profile) -> set[str]:
    return {note.code for note in profile.manifest.quality}


def instructions_at(profile: Profile) -> list[int]:
    """When instructions began, from the zero of the system profile's rows."""
    events = profile.events
    starts_ns = events["start_ns"][events["category"] == Category.ENGINE_WORK]
    return [int(start) + profile.manifest.start_unix_ns - EPOCH_NS for start in starts_ns]


def time_by_line(profile: Profile) -> dict[int, int]:
    return {line.line: line.self_ns for line in line_report(profile, "/u").lines if line.self_ns}


def test_a_sequence_id_tells_the_very_execution(tmp_path: Path) -> None:
    write_system(tmp_path / "system@latest")
    sequence = {"neff_name": "neff_78.neff", "nrt_sequence_id": str(SEQUENCE + 2)}
    write_core(tmp_path / "core@latest", sequence)
    (profile,) = opened(tmp_path)
    assert instructions_at(profile) == [5_000]
    assert "placed_by_sequence_id" in codes(profile)
    assert not codes(profile) & {"clocks_set_by_guess", "placed_by_program", "not_joined"}
    # Four executions of 800 ns; the instruction refines one of them and adds nothing.
    assert line_report(profile, "/u").device_time_ns == 4 * 800
    assert time_by_line(profile) == {10: 300}


@pytest.mark.parametrize(
    "name", ["neff_77.neff", "neff_77_vnc_0.neff", "/cache/77.neff", "77_instid_0_vnc_0.ntff"]
)
def test_as_many_executions_of_a_program_are_matched_in_order(tmp_path: Path, name: str) -> None:
    write_system(tmp_path / "system@latest")
    twice = ({"neff_name": name}, {"neff_name": name})
    write_core(tmp_path / "core@latest", *twice, starts_ns=(0, 4_000))
    (profile,) = opened(tmp_path)
    assert instructions_at(profile) == [1_000, 5_000]
    assert "placed_by_program" in codes(profile)
    assert time_by_line(profile) == {10: 300, 11: 300}


def test_the_system_profile_lists_which_model_a_profile_is_of(tmp_path: Path) -> None:
    names = {"device_profile_name": "core", "instance_id": INSTANCE, "process_id": PID, "nc_id": 0}
    write_system(tmp_path / "system@latest", [{**names, "model_id": 78}])
    write_core(tmp_path / "core@latest")
    (profile,) = opened(tmp_path)
    assert instructions_at(profile) == [3_000], "that of core 1 is of the model, too"
    assert "placed_by_program" in codes(profile)


def test_the_older_profilers_files_have_the_model_in_their_names(tmp_path: Path) -> None:
    executions = [
        {"name": "nc_exec_running", "timestamp": EPOCH_NS + start, "duration": 800}
        | {"nc_idx": 0, "device_core_idx": 0, "model_id": model, "process_id": "42"}
        | {"instance_id": INSTANCE, "flow_id": str(start), "trace_event_source": "neuron_hw"}
        for start, model in ((1_000, 77), (3_000, 78))
    ]
    (tmp_path / "system_profile.json").write_text(json.dumps({"trace_event": executions}))
    instruction = {"timestamp": 7, "duration": 300, "subgraph": "sg00", "subgroup": "tensor"}
    for model in (78, 77):
        (tmp_path / f"device_profile_model_{model}.json").write_text(
            json.dumps(
                {
                    "instruction": [{**instruction, "opcode": "MATMUL"}],
                    "metadata": [{"first_hw_timestamp": 0}],
                    "summary": [{"total_time": 1e-6}],
                }
            )
        )
    (profile,) = opened(tmp_path)
    assert sorted(instructions_at(profile)) == [1_000, 3_000]
    assert "placed_by_program" in codes(profile)


def test_of_unlike_numbers_of_executions_the_first_is_taken_and_said(tmp_path: Path) -> None:
    write_system(tmp_path / "system@latest")
    write_core(tmp_path / "core@latest", {"neff_name": "neff_77.neff"})
    (profile,) = opened(tmp_path)
    assert instructions_at(profile) == [1_000]
    assert "clocks_set_by_guess" in codes(profile)


def test_where_nothing_tells_the_first_execution_on_the_core_is_taken(tmp_path: Path) -> None:
    write_system(tmp_path / "system@latest")
    write_core(tmp_path / "core@latest")
    (profile,) = opened(tmp_path)
    assert instructions_at(profile) == [1_000], "the one before is on another core"
    assert "clocks_set_by_guess" in codes(profile)


def test_of_several_that_nothing_tells_none_is_placed(tmp_path: Path) -> None:
    write_system(tmp_path / "system@latest")
    for name in ("one", "other"):
        write_core(tmp_path / f"{name}@latest")
    system, *cores = opened(tmp_path)
    assert instructions_at(system) == []
    assert "not_joined" in codes(system)
    assert [line_report(core, "/u").device_time_ns for core in cores] == [300, 300]


def test_without_executions_nothing_is_placed(tmp_path: Path) -> None:
    rows = SystemRows()
    rows.host("aten::mm", 0, 10)
    write_tables(tmp_path / "system@latest", {"SystemProfileEvents": rows.rows})
    write_core(tmp_path / "core@latest")
    core, system = opened(tmp_path)
    assert "not_joined" in codes(core)
    assert line_report(core, "/u").device_time_ns == 300
    assert system.manifest.device == "cpu"


def test_in_one_folder_of_tables_the_same_tells(tmp_path: Path) -> None:
    """The system's tables and the core's beside one another, by different clocks."""
    for folder, execution, expected_ns, code in (
        ("sequence", {"nrt_sequence_id": str(SEQUENCE + 2)}, 5_000, "placed_by_sequence_id"),
        ("program", {"neff_name": "neff_78.neff"}, 3_000, "placed_by_program"),
        ("nothing", None, 1_000, "clocks_set_by_guess"),
    ):
        write_system(tmp_path / folder)
        write_core(tmp_path / folder, *([execution] if execution else []))
        for path in (tmp_path / folder, tmp_path / folder / "Instruction.parquet"):
            (profile,) = opened(path)
            assert instructions_at(profile) == [expected_ns]
            assert codes(profile) & PLACED == {code}
            assert profile.manifest.format == "explorer_parquet"
            assert len(profile.manifest.inputs) == len(set(profile.manifest.inputs))
            assert line_report(profile, "/u").device_time_ns == 4 * 800
            assert time_by_line(profile) == {10: 300}


def test_without_executions_what_lies_in_one_folder_of_tables_begins_together(
    tmp_path: Path,
) -> None:
    rows = SystemRows()
    rows.host("aten::mm", 70, 80)
    write_tables(tmp_path, {"SystemProfileEvents": rows.rows})
    write_core(tmp_path)
    (profile,) = opened(tmp_path)
    assert instructions_at(profile) == [70]
    assert codes(profile) & PLACED == {"clocks_set_by_guess"}
    assert line_report(profile, "/u").device_time_ns == 300


def test_tables_of_another_day_in_the_same_folder_are_a_profile_of_their_own(
    tmp_path: Path,
) -> None:
    write_system(tmp_path)
    write_core(tmp_path, zero_ns=EPOCH_NS + 24 * 3600 * 10**9)
    system, core = opened(tmp_path)
    assert "not_joined" in codes(system)
    assert [line_report(each, "/u").device_time_ns for each in (system, core)] == [4 * 800, 300]
