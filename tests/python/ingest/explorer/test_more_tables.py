"""What device profiles hold beside rows and lines: levels, arrows, tensors, memory, throttling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ingest.explorer.system_sample import SystemRows
from ingest.explorer.whole_sample import rows_of
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.ingest.sessions.tables import read
from sidelight.profile.manifest import Throttling
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from support.explorer_tables import Row, write_tables

BIG = 2**60 + 1
"""An id whose neighbours a float takes for itself."""


def opened(folder: Path, **tables: Sequence[Row]) -> Profile:
    return read(write_tables(folder, tables))


def instruction(start_ns: int, opcode: str, **more: object) -> dict[str, Any]:
    times = {"start_ts": start_ns, "end_ts": start_ns + 10, "duration_ns": 10}
    return {**times, "engine": "vector", "opcode": opcode, **more}


def name_of(profile: Profile, event: int) -> str:
    return profile.strings[int(profile.events["name"][event])]


def work_by_name(profile: Profile, *columns: str) -> dict[str, tuple[int, ...]]:
    work = profile.work
    return {
        name_of(profile, event): tuple(int(work[column][place]) for column in columns)
        for place, event in enumerate(work["event"].tolist())
    }


def texts_by_name(profile: Profile, *columns: str) -> dict[str, tuple[str | None, ...]]:
    return {
        name: tuple(profile.strings[code] if code >= 0 else None for code in codes)
        for name, codes in work_by_name(profile, *columns).items()
    }


CLOCK: list[Row] = [{"first_ts": "2025-12-18 15:35:57Z", "first_hw_timestamp": 0}]
"""That of the system profile's rows."""


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


LEVELS: Mapping[str, Sequence[Row]] = {
    "HloInstruction": [
        {"raw_hlo_id": BIG, "hlo_name": "dot.1", "start_ts": 0, "end_ts": 9},
        {"raw_hlo_id": BIG + 1, "hlo_name": "add.2", "start_ts": 0, "end_ts": 9},
        {"raw_hlo_id": None, "hlo_name": "of no id", "start_ts": 0, "end_ts": 9},
    ],
    "PenguinInstruction": [
        {"raw_penguin_id": BIG, "penguin_name": "float32<1 x 2048> $1345"},
        {"raw_penguin_id": BIG, "penguin_name": "called again"},
        {"raw_penguin_id": BIG + 1, "penguin_name": "float32<2> $7"},
    ],
    "BirInstruction": [{"raw_bir_id": BIG, "bir_name": "I-83-1"}],
}


def test_the_compilers_levels_of_instructions(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        **LEVELS,
        FrameworkInstruction=[
            {"raw_framework_id": 5, "framework_name": "aten.mm", "start_ts": 0, "end_ts": 9}
        ],
        Instruction=[
            instruction(0, "ALL", raw_framework_id=5, raw_hlo_id=BIG, raw_penguin_id=BIG)
            | {"raw_bir_id": BIG},
            instruction(10, "OWN", raw_hlo_id=BIG, hlo_name="own.3", raw_penguin_id=BIG + 1)
            | {"raw_bir_id": BIG, "bir_instruction_name": "I-1-own"},
            instruction(20, "UNKNOWN", raw_hlo_id=77, hlo_name="Unknown", raw_penguin_id=77)
            | {"raw_bir_id": 77},
            instruction(30, "NONE"),
        ],
    )
    assert texts_by_name(profile, "hlo", "penguin", "bir") == {
        "ALL": ("dot.1", "float32<1 x 2048> $1345", "I-83-1"),
        "OWN": ("own.3", "float32<2> $7", "I-1-own"),
        "UNKNOWN": (None, None, None),
        "NONE": (None, None, None),
    }


def test_what_was_spilled(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        Instruction=[
            instruction(0, "SAVE", hbm_write_bytes=64, spill_save_bytes=48, spill_reload_bytes=0),
            instruction(10, "RELOAD", hbm_read_bytes=32, spill_reload_bytes=32),
            instruction(20, "WRONG", spill_save_bytes=-7),
        ],
    )
    assert work_by_name(profile, "spill_save_bytes", "spill_reload_bytes") == {
        "SAVE": (48, 0),
        "RELOAD": (-1, 32),
        "WRONG": (-1, -1),
    }


def packet(start_ns: int, name: str, transfer: int) -> Row:
    times = {"start_ts": start_ns, "end_ts": start_ns + 10, "duration_ns": 10}
    return {**times, "id": start_ns, "variable": name, "packet_aggregation_id": transfer}


FLOWS: list[Row] = [
    # A transfer before an instruction: from its last packet; and one after, to its first.
    {"in_id": BIG, "in_table": "dma_block", "out_id": BIG, "out_table": "instruction"}
    | {"dependency_type": "FLOW_DEPENDENCE"},
    {"in_id": BIG, "in_table": "instruction", "out_id": BIG + 1, "out_table": "dma_block"},
    {"in_id": BIG, "in_table": "Instruction", "out_id": BIG + 1, "out_table": "Instruction"},
    {"in_id": BIG, "in_table": "Instruction", "out_id": BIG + 1, "out_table": "Instruction"},
    {"in_id": 9, "in_table": "instruction", "out_id": BIG, "out_table": "instruction"},
    {"in_id": BIG, "in_table": "semaphore", "out_id": BIG, "out_table": "instruction"},
]
EXPECTED_FLOWS = {
    ("third of one", "FIRST", "FLOW_DEPENDENCE"),
    ("FIRST", "first of other", None),
    ("FIRST", "SECOND", None),
}


def flows_of(profile: Profile) -> set[tuple[str, str, str | None]]:
    flows = profile.flows
    assert flows["source"].tolist() == sorted(flows["source"].tolist())
    return {
        (
            name_of(profile, source),
            name_of(profile, target),
            profile.strings[int(kind)] if kind >= 0 else None,
        )
        for source, target, kind in rows_of(flows, "source", "target", "kind")
    }


def of_flows() -> dict[str, Sequence[Row]]:
    return {
        "Instruction": [instruction(200, "SECOND", id=BIG + 1), instruction(100, "FIRST", id=BIG)],
        "DmaPacket": [
            packet(0, "first of one", BIG),
            packet(40, "third of one", BIG),
            packet(20, "second of one", BIG),
            packet(140, "second of other", BIG + 1),
            packet(120, "first of other", BIG + 1),
        ],
        "Flow": FLOWS,
    }


def test_arrows_lead_from_what_was_waited_for_to_what_waited(tmp_path: Path) -> None:
    profile = opened(tmp_path, **of_flows())
    assert flows_of(profile) == EXPECTED_FLOWS
    assert len(profile.flows) == 3, "what is said twice is one arrow"
    assert codes(profile)["flows_left_out"] == 2


def test_arrows_tensors_and_levels_outlast_joining_and_storing(tmp_path: Path) -> None:
    """In a session every row gets another number, and every text too."""
    rows = SystemRows()
    rows.host("a text that shifts the others", 0, 5)
    rows.execution(0, 1_000, "1", 0)
    write_tables(tmp_path / "system@latest", {"SystemProfileEvents": rows.rows})
    tables = {**of_flows(), **LEVELS, "TensorInfo": TENSORS, "Metadata": CLOCK}
    of_first: Row = {**tables["Instruction"][0], "raw_penguin_id": BIG}
    tables["Instruction"] = [of_first, *tables["Instruction"][1:]]
    write_tables(tmp_path / "core@latest", tables)
    (recording,) = ingest.recordings(tmp_path)
    (profile,) = recording.read(None)
    stored = Store(tmp_path / "store").add(attribute(profile)).load()
    assert flows_of(stored) == EXPECTED_FLOWS
    assert texts_by_name(stored, "penguin")["SECOND"] == ("float32<1 x 2048> $1345",)
    assert tensors_of(stored) == EXPECTED_TENSORS


TENSORS: list[Row] = [
    {"variable_name": "input0", "type": "IN", "format": "NC", "shape": "[128 64]", "size": 16384}
    | {"load_to_sbuf_dma_count": 4, "load_to_sbuf_total_size_bytes": 32768, "pcore_idx": 1},
    {"variable_name": "w", "type": "WEIGHT", "shape": "128 128 1 1"},
    {"variable_name": None, "node": 3},
    {"variable_name": "odd", "type": "Constant", "shape": "unknown", "size": -5},
]
EXPECTED_TENSORS = {
    "input0": ("input", None, "[128, 64]", "NC", 16384, 4, 32768, 1),
    "w": ("weight", None, "[128, 128, 1, 1]", None, -1, -1, -1, -1),
    "odd": ("constant", None, None, None, -1, -1, -1, -1),
}


def tensors_of(profile: Profile) -> dict[str, tuple[object, ...]]:
    texts = ("name", "use", "dtype", "shape", "layout")
    numbers = ("size_bytes", "loads", "loaded_bytes", "physical_core")
    found: dict[str, tuple[object, ...]] = {}
    for row in rows_of(profile.tensors, *texts, *numbers):
        name, *others = (profile.strings[int(code)] if code >= 0 else None for code in row[:5])
        found[str(name)] = (*others, *row[5:])
    return found


def test_tensors_of_the_program(tmp_path: Path) -> None:
    profile = opened(tmp_path, Instruction=[instruction(0, "COPY")], TensorInfo=TENSORS)
    assert tensors_of(profile) == EXPECTED_TENSORS


def test_what_is_occupied_of_sbuf_over_time(tmp_path: Path) -> None:
    def range_of(start_ns: int, end_ns: int, first: int, last: int, **more: object) -> Row:
        return {"start_ts": start_ns, "end_ts": end_ns, "start_address": first} | {
            "end_address": last,
            "partition": 32,
            "pcore_idx": 1,
            **more,
        }

    profile = opened(
        tmp_path,
        Instruction=[instruction(0, "COPY")],
        SbufAllocation=[
            range_of(0, 50, 0, 63),
            range_of(20, 50, 64, 95),
            range_of(50, 60, 0, 0),  # the last byte of it is in it
            range_of(10, 30, 0, 9, partition=0),
            range_of(10, 30, 9, 0),  # no range
            range_of(10, 30, -4, 9),
            range_of(30, 10, 0, 9),
        ],
    )
    found: dict[str, list[tuple[int, float]]] = {}
    for series, at_ns, value in rows_of(profile.samples, "series", "at_ns", "value"):
        each = profile.manifest.series[int(series)]
        assert each.unit == "bytes"
        found.setdefault(f"{each.owner}: {each.name}", []).append((at_ns, value))
    assert found == {
        "NeuronCore 0, core 1: SBUF occupied, partition 32": [(0, 64), (20, 96), (50, 1), (60, 0)],
        "NeuronCore 0, core 1: SBUF occupied, partition 0": [(10, 10), (30, 0)],
    }


def test_throttling_is_summed_up_and_said(tmp_path: Path) -> None:
    column = "max_achievable_util_with_throttling_percent"
    profile = opened(
        tmp_path,
        Instruction=[instruction(0, "COPY")],
        ThrottleSummary=[
            {"nc_idx": 4, "throttle_type": "activity_0", "throttle_active_time_ns": 2_000}
            | {column: 0.75},
            {"nc_idx": 4, "throttle_type": "all", "throttle_active_time_ns": 3_000, column: 7.0},
            {"nc_idx": 5, "throttle_type": None, "throttle_active_time_ns": -1},
        ],
    )
    assert profile.manifest.core is not None
    assert profile.manifest.core.throttling == [
        Throttling(core=4, kind="activity_0", active_ns=2_000, allowed_fraction=0.75),
        Throttling(core=4, kind="all", active_ns=3_000),
        Throttling(core=5, kind="unknown"),
    ]
    (note,) = (note for note in profile.manifest.quality if note.code == "throttled")
    assert "slowed the core for 3.00 µs" in note.message
    assert note.count == 1


@pytest.mark.parametrize("active_ns", [0, None])
def test_a_core_that_was_not_throttled_is_not_said_to_be(
    tmp_path: Path, active_ns: int | None
) -> None:
    summary = {"nc_idx": 0, "throttle_type": "all", "throttle_active_time_ns": active_ns}
    profile = opened(tmp_path, Instruction=[instruction(0, "COPY")], ThrottleSummary=[summary])
    assert "throttled" not in codes(profile)


def test_memory_by_use_and_its_capacity(tmp_path: Path) -> None:
    def use(core: int, kind: str, size_bytes: int) -> Row:
        return {"neuron_device_idx": 0, "neuroncore_idx": core, "usage_type": kind} | {
            "usage_bytes": size_bytes
        }

    of_core = {
        "Instruction": [instruction(0, "COPY")],
        "HbmUsageSummaryByType": [
            *(use(0, "Weights", 100), use(1, "Weights", 20)),
            *(use(0, "Tensors", 5), use(0, "IO", 0), use(0, "Spill", -1)),
        ],
    }
    rows = SystemRows()
    rows.execution(0, 1_000, "1", 0)
    of_system: dict[str, Sequence[Row]] = {
        "SystemProfileEvents": rows.rows,
        "SystemProfileMetadata": [{"hbm_capacity_bytes": 24 << 30}],
    }
    core = opened(tmp_path / "core", **of_core).manifest.core
    assert core is not None
    assert core.hbm_bytes_by_use == {"Weights": 120, "Tensors": 5}
    assert core.hbm_capacity_bytes is None
    system = opened(tmp_path / "system", **of_system).manifest.core
    assert system is not None
    assert system.hbm_capacity_bytes == 24 << 30
    write_tables(tmp_path / "both" / "core@latest", {**of_core, "Metadata": CLOCK})
    write_tables(tmp_path / "both" / "system@latest", of_system)
    (recording,) = ingest.recordings(tmp_path / "both")
    joined = recording.read(None)[0].manifest.core
    assert joined is not None
    assert (joined.hbm_capacity_bytes, joined.hbm_bytes_by_use["Tensors"]) == (24 << 30, 5)
