"""Device profiles made from the schema reference alone, against plain readings of the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sidelight.ingest.sessions.tables import read as read_tables
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.explorer_tables import Row, pa, write_tables

Chain = tuple[tuple[str, int], ...]
"""Files and lines of a calling context, root first."""


def instruction(start_ns: int, end_ns: int, **more: Any) -> Row:
    return {
        "start_ts": start_ns,
        "end_ts": end_ns,
        "duration_ns": end_ns - start_ns,
        "engine": "tensor",
        "opcode": "MATMUL",
        "pcore_idx": 0,
        **more,
    }


FRAMES: Mapping[str, Sequence[Row]] = {
    "StackFrameFileName": [
        {"id": "1", "name": "/home/user/train.py"},
        {"id": "2", "name": "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py"},
        {"id": "3", "name": "model.py"},
    ],
    "StackFrameFunctionName": [{"id": "1", "name": "main"}, {"id": "2", "name": "MLP.forward"}],
    "StackFrameFileLocation": [
        {"id": "1", "file_name_id": 1, "function_name_id": 1, "line_number": 80},
        {"id": "2", "file_name_id": 3, "function_name_id": 2, "line_number": 12},
        {"id": "3", "file_name_id": 2, "function_name_id": 9, "line_number": 134},
        {"id": "4", "file_name_id": 3, "function_name_id": 2, "line_number": 13},
    ],
    "StackFrame": [
        {"id": "1", "file_location_id": 1, "parent_frame_id": "0"},
        {"id": "2", "file_location_id": 2, "parent_frame_id": "1"},
        {"id": "3", "file_location_id": 3, "parent_frame_id": "2"},
        {"id": "4", "file_location_id": 4, "parent_frame_id": "1"},
        {"id": "5", "file_location_id": 3, "parent_frame_id": "0"},
    ],
}
TRAIN = ("/home/user/train.py", 80)
LINEAR = ("/opt/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", 134)


def opened(folder: Path, tables: Mapping[str, Sequence[Row]], **options: Any) -> Profile:
    return read_tables(write_tables(folder, tables, **options))


def rows(profile: Profile, category: Category) -> list[int]:
    return [row for row, kind in enumerate(profile.events["category"]) if kind == category]


def shown(profile: Profile, row: int) -> tuple[str, str, int, int]:
    """Track, name, start by the profile's clock, and duration."""
    events = profile.events
    return (
        profile.tracks[int(events["track"][row])].name,
        profile.strings[int(events["name"][row])],
        int(events["start_ns"][row]),
        int(events["duration_ns"][row]),
    )


def work_of(profile: Profile, row: int) -> dict[str, int]:
    (place,) = [i for i, event in enumerate(profile.work["event"]) if event == row]
    return {name: int(profile.work[name][place]) for name in ("wait_ns", "flops")} | {
        name: int(profile.work[name][place])
        for name in ("transpose_flops", "hbm_read_bytes", "hbm_write_bytes", "moved_bytes")
    }


def chains_of(profile: Profile, row: int) -> set[Chain]:
    found: set[Chain] = set()
    for event, node in zip(profile.origins["event"], profile.origins["stack"], strict=True):
        if event != row:
            continue
        chain: list[tuple[str, int]] = []
        above = int(node)
        while above >= 0:
            frame = profile.stacks["frame"][above]
            file = profile.files[int(profile.frames["file"][frame])].path
            chain.append((file, int(profile.frames["line"][frame])))
            above = int(profile.stacks["parent"][above])
        found.add(tuple(reversed(chain)))
    return found


def chains_by_name(
    folder: Path, instructions: Sequence[Row], **tables: Any
) -> dict[str, set[Chain]]:
    """The calling contexts of instructions, by opcode."""
    profile = opened(folder, {**FRAMES, "Instruction": instructions, **tables})
    return {
        shown(profile, row)[1]: chains_of(profile, row)
        for row in rows(profile, Category.ENGINE_WORK)
    }


def notes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def test_instructions_are_work_of_their_engines(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        {
            "Metadata": [{"num_physical_cores": 2, "neuroncore_idx": 3}],
            "Instruction": [
                instruction(1000, 1010, raw_flops=64, flops_transpose=0, evt_wait_time_ns=7),
                instruction(
                    1005, 1030, engine="vector", opcode="COPY", pcore_idx=1, operands=" x "
                ),
                instruction(1010, 1030, engine="sync", opcode="EVENT_SEMAPHORE"),
                instruction(1030, 1031, engine="sync", opcode="EVENT_SEMAPHORE_RANGE_CLEAR"),
            ],
        },
    )
    assert [shown(profile, row) for row in rows(profile, Category.ENGINE_WORK)] == [
        ("NeuronCore 3, core 0: Tensor Engine", "MATMUL", 0, 10),
        ("NeuronCore 3, core 1: Vector Engine", "COPY", 5, 25),
        ("NeuronCore 3, core 0: Sync Engine", "EVENT_SEMAPHORE_RANGE_CLEAR", 30, 1),
    ]
    assert [shown(profile, row) for row in rows(profile, Category.OTHER)] == [
        ("NeuronCore 3, core 0: Sync Engine", "EVENT_SEMAPHORE", 10, 20)
    ]
    engines = [track.engine for track in profile.tracks]
    assert sorted(map(str, engines)) == ["sync", "tensor", "vector"]
    assert {track.pid for track in profile.tracks} == {"NeuronCore 3"}
    first, second, _ = rows(profile, Category.ENGINE_WORK)
    assert work_of(profile, first)["wait_ns"] == 7
    assert (work_of(profile, first)["flops"], work_of(profile, second)["flops"]) == (64, -1)
    operands = [profile.strings[code] for code in map(int, profile.work["operands"]) if code >= 0]
    assert operands == ["x"]
    assert profile.manifest.start_unix_ns == 1000
    assert profile.manifest.device == "neuron"
    assert profile.manifest.format == "explorer_parquet"


@pytest.mark.parametrize(
    ("given", "flops", "transpose_flops"),
    [
        ({"raw_flops": 100, "flops_transpose": 0, "tensor_elements": 9}, 100, 0),
        ({"raw_flops": 100, "flops_transpose": 100}, 100, 100),
        ({"tensor_elements": 16384}, 32768, 0),
        ({"tensor_elements": 16384, "tensor_elements_transpose": 16384}, 32768, 32768),
        ({"tensor_elements": 8, "tensor_instruction_type": "TRANSPOSE"}, 16, 16),
        ({"raw_flops": -5}, -1, -1),
        ({"raw_flops": 2**62}, -1, -1),
        ({"raw_flops": 100, "engine": "scalar"}, -1, -1),
        ({}, -1, -1),
    ],
)
def test_flops(tmp_path: Path, given: Row, flops: int, transpose_flops: int) -> None:
    profile = opened(tmp_path, {"Instruction": [instruction(0, 10, **given)]})
    work = work_of(profile, 0)
    assert (work["flops"], work["transpose_flops"]) == (flops, transpose_flops)


def test_lines_come_from_the_frameworks_stack_frames(tmp_path: Path) -> None:
    found = chains_by_name(
        tmp_path,
        [
            instruction(0, 1, opcode="ONE", stack_frame_ids="[2]"),
            instruction(1, 2, opcode="PLAIN", stack_frame_ids="2"),
            instruction(2, 3, opcode="SEVERAL", stack_frame_ids="[2, 4]"),
            instruction(3, 4, opcode="IN_LIBRARY", stack_frame_ids="[3]"),
            instruction(4, 5, opcode="ONLY_LIBRARY", stack_frame_ids="[5]"),
            instruction(5, 6, opcode="SAME_LINE", stack_frame_ids="[2, 3]"),
            instruction(6, 7, opcode="NONE", stack_frame_ids="[]"),
            instruction(7, 8, opcode="UNKNOWN", stack_frame_ids="[99]"),
        ],
    )
    model = (TRAIN, ("model.py", 12))
    assert found == {
        "ONE": {model},
        "PLAIN": {model},
        "SEVERAL": {model, (TRAIN, ("model.py", 13))},
        "IN_LIBRARY": {model},
        "ONLY_LIBRARY": {(LINEAR,)},
        "SAME_LINE": {model},
        "NONE": set(),
        "UNKNOWN": set(),
    }


def test_lines_come_from_kernels_and_the_compiler_where_no_frame_is_known(tmp_path: Path) -> None:
    found = chains_by_name(
        tmp_path,
        [
            instruction(0, 1, opcode="KERNEL", nki_source_location="kernel.py:42"),
            instruction(1, 2, opcode="LIST", nki_source_location='["a.py:1", "b.py:2", "a.py:1"]'),
            instruction(2, 3, opcode="BARE_LIST", nki_source_location="[a.py:1, /x, y/b.py:2:7]"),
            instruction(3, 4, opcode="COMPILER", bir_debug_info_source_location="a.py:3"),
            instruction(
                *(4, 5),
                opcode="MIXED",
                bir_debug_info_source_location='["pass.cpp:9", "a.py:3"]',
            ),
            instruction(5, 6, opcode="CPP", bir_debug_info_source_location="pass.cpp:9"),
            instruction(
                *(6, 7),
                opcode="BOTH",
                nki_source_location="kernel.py:42",
                bir_debug_info_source_location="a.py:3",
            ),
            instruction(7, 8, opcode="NO_PLACE", nki_source_location="kernel.py"),
            instruction(
                8, 9, opcode="UNKNOWN", stack_frame_ids="[99]", nki_source_location="k.py:1"
            ),
        ],
    )
    assert found == {
        "KERNEL": {(("kernel.py", 42),)},
        "LIST": {(("a.py", 1),), (("b.py", 2),)},
        "BARE_LIST": {(("a.py", 1),), (("/x, y/b.py", 2),)},
        "COMPILER": {(("a.py", 3),)},
        "MIXED": {(("a.py", 3),)},
        "CPP": {(("pass.cpp", 9),)},
        "BOTH": {(("kernel.py", 42),)},
        "NO_PLACE": set(),
        "UNKNOWN": {(("k.py", 1),)},
    }


def test_a_kernels_line_is_called_by_the_frameworks(tmp_path: Path) -> None:
    found = chains_by_name(
        tmp_path,
        [
            instruction(0, 1, opcode="A", stack_frame_ids="[2]", nki_source_location="kernel.py:4"),
            instruction(
                *(1, 2), opcode="B", stack_frame_ids="[2]", nki_source_location="src/model.py:99"
            ),
            instruction(2, 3, opcode="C", stack_frame_ids="[2]", kernel_instruction_name="i.7:0"),
        ],
        KernelInstructions=[
            {
                "kernel_instruction_name": "i.7:0",
                "stack_frame_id": 42,
                "file_path": "/home/user/kernel.py",
                "line_number": 76,
            }
        ],
        KernelStackFrames=[{"stack_frame_id": 42, "fully_qualified_function_name": "k.softmax"}],
    )
    model = (TRAIN, ("model.py", 12))
    assert found == {
        "A": {(*model, ("kernel.py", 4))},
        # Its frames reach into that file by themselves.
        "B": {model},
        "C": {(*model, ("/home/user/kernel.py", 76))},
    }


def test_lists_that_are_columns_of_lists(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        {
            **FRAMES,
            "Instruction": [
                instruction(0, 1, stack_frame_ids=[2, 4]),
                instruction(1, 2, nki_source_location=["a.py:1", "b.py:2"]),
            ],
        },
        retyped={
            "Instruction.stack_frame_ids": pa.list_(pa.int64()),
            "Instruction.nki_source_location": pa.list_(pa.string()),
        },
    )
    assert len(chains_of(profile, 0)) == 2
    assert chains_of(profile, 1) == {(("a.py", 1),), (("b.py", 2),)}


def test_frames_among_their_own_callers_and_missing_ones(tmp_path: Path) -> None:
    frames = [
        {"id": "1", "file_location_id": 1, "parent_frame_id": "2"},
        {"id": "2", "file_location_id": 2, "parent_frame_id": "1"},
        {"id": "3", "file_location_id": 2, "parent_frame_id": "77"},
        {"id": "4", "file_location_id": 66, "parent_frame_id": "3"},
    ]
    profile = opened(
        tmp_path,
        {
            **FRAMES,
            "StackFrame": frames,
            "Instruction": [
                instruction(0, 1, stack_frame_ids="[1]"),
                instruction(1, 2, stack_frame_ids="[4]"),
            ],
        },
    )
    assert chains_of(profile, 0) == {(("model.py", 12), TRAIN)}
    assert chains_of(profile, 1) == {(("model.py", 12),)}
    assert notes(profile)["broken_stack_frames"] == 3


def test_very_deep_stacks_end_somewhere(tmp_path: Path) -> None:
    frames = [
        {"id": str(number), "file_location_id": 1, "parent_frame_id": str(number - 1)}
        for number in range(1, 50_001)
    ]
    profile = opened(
        tmp_path,
        {
            **FRAMES,
            "StackFrame": frames,
            "Instruction": [instruction(0, 1, stack_frame_ids="[50000]")],
        },
    )
    ((chain),) = chains_of(profile, 0)
    assert set(chain) == {TRAIN}
    assert len(chain) == 1000


def test_operators_name_their_instructions(tmp_path: Path) -> None:
    large = 2**60 + 1
    profile = opened(
        tmp_path,
        {
            "FrameworkInstruction": [
                {
                    "raw_framework_id": large,
                    "framework_name": "MLP[0]/aten.mm",
                    "start_ts": 0,
                    "end_ts": 40,
                    "time_intervals": "[[0, 10], [30, 40]]",
                },
                {
                    "raw_framework_id": large + 1,
                    "framework_name": "other",
                    "start_ts": 0,
                    "end_ts": 1,
                },
            ],
            "HloInstruction": [
                {"raw_hlo_id": 7, "hlo_name": "dot.7", "start_ts": 0, "end_ts": 40},
            ],
            "FrameworkNode": [{"node_name": "MLP", "start_ts": 0, "end_ts": 40}],
            "Instruction": [
                instruction(0, 10, raw_framework_id=large, raw_hlo_id=7),
                instruction(10, 20, raw_framework_id=5, raw_hlo_id=7),
                instruction(20, 30, raw_hlo_id=8, hlo_name="add.8"),
                instruction(30, 35, layer="norm", hlo_name="add.8"),
                instruction(35, 40),
                instruction(50, 60, layer="Unknown", hlo_name="add.8"),
            ],
        },
    )
    events = profile.events
    operator = {
        int(events["external_id"][row]): shown(profile, row)[1]
        for row in rows(profile, Category.COMPILED_OPERATOR)
        if events["external_id"][row] >= 0
    }
    named = [
        operator.get(int(events["external_id"][row])) for row in rows(profile, Category.ENGINE_WORK)
    ]
    assert named == ["MLP[0]/aten.mm", "dot.7", "add.8", "norm", None, "add.8"]
    assert [shown(profile, row) for row in rows(profile, Category.COMPILED_OPERATOR)] == [
        ("NeuronCore 0: framework operators", "MLP[0]/aten.mm", 0, 10),
        ("NeuronCore 0: framework operators", "other", 0, 1),
        ("NeuronCore 0: framework operators", "MLP[0]/aten.mm", 30, 10),
        ("NeuronCore 0: HLO operators", "dot.7", 0, 40),
        ("NeuronCore 0: framework modules", "MLP", 0, 40),
        ("NeuronCore 0: operators", "add.8", 20, 40),
        ("NeuronCore 0: operators", "norm", 30, 5),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[5, 9], [0, 6], [9, 12], [30, 40]]", [(0, 12), (30, 10)]),
        ("", [(0, 40)]),
        ("[[0, 50]]", [(0, 40)]),
        ("[[-5, 9]]", [(0, 40)]),
        ("no list", [(0, 40)]),
        ("[[9, 5], [10, 20]]", [(10, 10)]),
        ("[[0, 1], " * 4000, [(0, 40)]),
    ],
)
def test_stretches_of_operators(tmp_path: Path, text: str, expected: list[tuple[int, int]]) -> None:
    profile = opened(
        tmp_path,
        {
            "HloInstruction": [
                {
                    "raw_hlo_id": 7,
                    "hlo_name": "dot",
                    "start_ts": 0,
                    "end_ts": 40,
                    "time_intervals": text,
                }
            ],
            "Instruction": [instruction(0, 40)],
        },
    )
    found = [shown(profile, row)[2:] for row in rows(profile, Category.COMPILED_OPERATOR)]
    assert found == expected


def test_packets_count_and_their_transfer_names_them(tmp_path: Path) -> None:
    tables: dict[str, Sequence[Row]] = {
        "DmaPacketAggregated": [
            {
                "id": 2**62,
                "start_ts": 0,
                "end_ts": 100,
                "variable": "weights",
                "source": "[DRAM]",
                "dest": "[SB]",
                "queue_name": "qInput",
                "transfer_bytes": 96,
            }
        ],
        "DmaPacket": [
            {
                "start_ts": start_ns,
                "end_ts": start_ns + 10,
                "packet_aggregation_id": 2**62,
                "transfer_bytes": 48,
                "queue_name": "qInput",
                "queue_type": "input",
            }
            for start_ns in (0, 90)
        ]
        + [
            {
                "start_ts": 5,
                "end_ts": 8,
                "packet_aggregation_id": 1,
                "queue_type": "software_dynamic",
            }
        ],
    }
    profile = opened(tmp_path / "both", tables)
    found = rows(profile, Category.ENGINE_WORK)
    assert Counter(shown(profile, row) for row in found) == {
        ("NeuronCore 0: qInput", "weights", 0, 10): 1,
        ("NeuronCore 0: qInput", "weights", 90, 10): 1,
        ("NeuronCore 0: DMA", "software dynamic DMA", 5, 3): 1,
    }
    assert sum(max(work_of(profile, row)["moved_bytes"], 0) for row in found) == 96
    assert {profile.strings[code] for code in profile.work["operands"] if code >= 0} == {
        "from [DRAM] to [SB]"
    }
    assert {track.engine for track in profile.tracks} == {"dma"}
    assert notes(profile)["dma_names_unknown"] == 1
    del tables["DmaPacket"]
    profile = opened(tmp_path / "transfers", tables)
    assert [shown(profile, row) for row in rows(profile, Category.ENGINE_WORK)] == [
        ("NeuronCore 0: qInput", "weights", 0, 100)
    ]


def test_collectives(tmp_path: Path) -> None:
    operation = {
        "start_ts": 0,
        "end_ts": 50,
        "operation": "AllGather",
        "algorithm": "Ring",
        "dtype": "fp16",
        "stream_index": 1,
        "input_size": 10,
        "output_size": 40,
    }
    instruction_of_core = {"start_ts": 5, "end_ts": 9, "core_idx": 8, "description": "DMA_ADVANCE"}
    profile = opened(
        tmp_path / "both", {"CcOp": [operation], "CcInstruction": [instruction_of_core]}
    )
    (row,) = rows(profile, Category.ENGINE_WORK)
    assert shown(profile, row) == ("NeuronCore 0: collectives 1", "AllGather", 0, 50)
    assert work_of(profile, row)["moved_bytes"] == 40
    assert profile.strings[int(profile.work["operands"][0])] == "algorithm=Ring dtype=fp16"
    (beside,) = rows(profile, Category.OTHER)
    assert shown(profile, beside) == ("NeuronCore 0: CC-Core 8", "DMA_ADVANCE", 5, 4)
    profile = opened(tmp_path / "cores", {"CcInstruction": [instruction_of_core]})
    assert len(rows(profile, Category.ENGINE_WORK)) == 1


def test_active_times_stand_for_instructions(tmp_path: Path) -> None:
    active = {"start_ts": 5, "end_ts": 9, "engine": "gpsimd", "pcore_idx": 0}
    profile = opened(tmp_path / "alone", {"ActiveTime": [active]})
    assert [shown(profile, row) for row in rows(profile, Category.ENGINE_WORK)] == [
        ("NeuronCore 0: GpSimd Engine", "active", 0, 4)
    ]
    profile = opened(
        tmp_path / "both", {"ActiveTime": [active], "Instruction": [instruction(5, 9)]}
    )
    assert len(rows(profile, Category.ENGINE_WORK)) == 1


def test_times_that_cannot_be(tmp_path: Path) -> None:
    instructions: list[Row] = [
        instruction(100, 110, opcode="GOOD"),
        {"start_ts": 100, "duration_ns": 5, "opcode": "NO_END"},
        {"end_ts": 100, "duration_ns": 5, "opcode": "NO_START"},
        {"start_ts": 100, "end_ts": 105, "duration_ns": 99, "opcode": "CONTRADICTION"},
        {"start_ts": 100, "end_ts": 90, "opcode": "NEGATIVE"},
        {"start_ts": 100, "opcode": "NOTHING"},
        {"opcode": "LESS"},
        {"start_ts": 0, "end_ts": 2**62, "opcode": "AGES"},
        {"start_ts": -(2**63), "end_ts": 2**63 - 1, "opcode": "ALL"},
        {"start_ts": 2**63 - 5, "end_ts": 2**63 - 1, "opcode": "LATE"},
    ]
    profile = opened(tmp_path, {"Instruction": instructions})
    found = {
        shown(profile, row)[1]: shown(profile, row)[2:]
        for row in rows(profile, Category.ENGINE_WORK)
    }
    assert found == {
        "GOOD": (5, 10),
        "NO_END": (5, 5),
        "NO_START": (0, 5),
        "CONTRADICTION": (5, 5),
    }
    assert notes(profile)["bad_duration"] == 6


def test_counters_become_samples(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        {
            "Instruction": [instruction(0, 100)],
            "DmaUsage": [
                {"timestamp": 50, "current_throughput": 2.5e9, "pcore_idx": 1},
                {"timestamp": 20, "current_throughput": 1e9, "pcore_idx": 1},
            ],
            "SbufUsage": [{"timestamp": 10, "avg_util_percent": 0.5}],
            "PsumUsage": [{"timestamp": 10, "avg_util_percent": 50.0}],
            "PendingDma": [{"timestamp": None, "value": 3}, {"timestamp": 7, "value": 4}],
            "Throttle": [
                {"timestamp": 10, "duration": 10, "k": 1, "n": 4, "type": "activity_0"},
                {"timestamp": 20, "duration": 10, "k": 1, "n": 2, "type": "activity_0"},
                {"timestamp": 20, "duration": 10, "k": 1, "n": 0, "type": "activity_0"},
            ],
        },
    )
    found: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
    for number, at_ns, value in zip(
        profile.samples["series"], profile.samples["at_ns"], profile.samples["value"], strict=True
    ):
        series = profile.manifest.series[int(number)]
        found.setdefault((series.name, series.unit, series.owner), []).append(
            (int(at_ns), float(value))
        )
    assert found == {
        ("DMA throughput", "bytes_per_s", "NeuronCore 0, core 1"): [(20, 1e9), (50, 2.5e9)],
        ("SBUF in use", "fraction", "NeuronCore 0"): [(10, 0.5)],
        ("PSUM in use", "fraction", "NeuronCore 0"): [(10, 0.5)],
        ("pending DMA", "", "NeuronCore 0"): [(7, 4.0)],
        ("utilisation limit, activity_0", "fraction", "NeuronCore 0"): [
            (10, 0.25),
            (20, 0.5),
            (30, 1.0),
        ],
    }


def test_what_the_profile_says_of_itself(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        {
            "Instruction": [instruction(0, 100)],
            "Metadata": [
                {
                    "num_physical_cores": 2,
                    "first_hw_timestamp": 3,
                    "last_hw_timestamp": 903,
                    "tensor_engine_num_rows": 128,
                    "tensor_engine_num_cols": 128,
                    "tensor_engine_clock_freq": 2.4,
                    "hbm_ddr_bandwidth": 716e9,
                    "instance_type": "trn2.3xlarge",
                    "explorer_version": "2.31.0",
                    "profile_name": "my mlp",
                }
            ],
            "NeffHeader": [{"uuid": "ae5a8d94ac9c4104b0e01ece540d4097"}],
            "Summary": [
                {"total_time": 9e-7, "hardware_flops": 2**60 + 1, "hfu_estimated_percent": 0.25}
            ],
            "Warning": [
                {"message": "Layers \x1b[31mare missing.\nRe-compile.", "category": "Missing Data"},
                {"message": "Layers \x1b[31mare missing.\nRe-compile.", "category": "Missing Data"},
            ],
            "Error": [
                {"type": "Errors", "description": "EMBD OOB", "error_type_id": 1, "timestamp": 5}
            ],
        },
    )
    manifest = profile.manifest
    assert manifest.name == "my mlp"
    assert manifest.core is not None
    assert manifest.core.tensor_clock_hz == 2.4e9
    assert manifest.core.hbm_bytes_per_s == 716e9
    assert (manifest.core.first_ns, manifest.core.last_ns) == (3, 903)
    assert manifest.core.physical_cores == 2
    assert manifest.core.instance_type == "trn2.3xlarge"
    assert manifest.versions["neuron_explorer"] == "2.31.0"
    assert manifest.versions["neff_uuid"] == "ae5a8d94ac9c4104b0e01ece540d4097"
    assert manifest.vendor_metrics == {
        "total_time": 9e-7,
        "hardware_flops": float(2**60 + 1),
        "hfu_estimated_percent": 0.25,
    }
    texts = {note.code: note for note in manifest.quality}
    assert texts["profiler_warning"].message.startswith(
        "Neuron Explorer warns: Missing Data - Layers [31mare missing. Re-compile. "
    )
    assert texts["profiler_warning"].count == 2
    assert "Errors - EMBD OOB" in texts["hardware_event"].message


def test_figures_without_events(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        {"Summary": [{"hardware_flops": 12}], "NeffHeader": [{"uuid": "ae5a"}]},
    )
    assert len(profile.events) == 0
    assert profile.manifest.vendor_metrics == {"hardware_flops": 12.0}
    assert "figures_alone" in notes(profile)


def test_very_long_lists_of_places_end_with_a_whole_one(tmp_path: Path) -> None:
    places = ", ".join(["k.py:7"] * 5000) + ", k.py:1234"
    profile = opened(
        tmp_path,
        {
            **FRAMES,
            "Instruction": [
                instruction(0, 1, nki_source_location=f"[{places}]"),
                instruction(1, 2, stack_frame_ids="[" + "2, " * 5460 + "44]"),
            ],
        },
    )
    assert chains_of(profile, 0) == {(("k.py", 7),)}
    assert chains_of(profile, 1) == {(TRAIN, ("model.py", 12))}
    assert "broken_stack_frames" not in notes(profile)


def test_a_simulated_profile_says_so(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, {"Instruction": [instruction(0, 1)], "Metadata": [{"is_simulation": True}]}
    )
    assert profile.manifest.time_kind == "predicted"
    assert "simulated_profile" in notes(profile)


@pytest.mark.parametrize(
    ("version", "is_known"),
    [("7.4.0", True), ("12.0.1", True), ("13.0.0", False), ("6.9.1", False), ("new", False)],
)
def test_versions_of_the_schema(tmp_path: Path, version: str, is_known: bool) -> None:
    profile = opened(tmp_path, {"Instruction": [instruction(0, 1)]}, version=version)
    assert ("unknown_schema_version" not in notes(profile)) == is_known
    assert notes(profile)["unverified_format"] == 1


def test_a_profile_without_its_version(tmp_path: Path) -> None:
    profile = opened(tmp_path, {"Instruction": [instruction(0, 1)]}, version=None)
    assert "unknown_schema_version" in notes(profile)


def test_other_units_and_other_columns(tmp_path: Path) -> None:
    write_tables(
        tmp_path,
        {
            "Instruction": [instruction(1, 2, new=5), instruction(4, 5)],
            "SchemaFields": [
                {"table_name": "Instruction", "field_name": name, "field_unit": "microseconds"}
                for name in ("start_timestamp", "end_ts", "duration")
            ],
        },
        renamed={
            "Instruction.start_ts": "start_timestamp",
            "Instruction.duration_ns": "duration",
        },
        added={"Instruction.new": pa.int64()},
        without={"Instruction.operands", "Instruction.stack_frame_ids"},
    )
    profile = read_tables(tmp_path)
    found = [shown(profile, row)[2:] for row in rows(profile, Category.ENGINE_WORK)]
    assert found == [(0, 1000), (3000, 1000)]
    assert notes(profile)["renamed_columns"] == 2
    assert notes(profile)["missing_columns"] == 1


def test_tables_without_rows_or_with_damage(tmp_path: Path) -> None:
    empty = {"Instruction": [instruction(0, 1)]}
    write_tables(tmp_path, empty)
    damaged = tmp_path / "Instruction.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-30])
    with pytest.raises(UnreadableInputError, match=r"Instruction\.parquet is damaged") as raised:
        read_tables(tmp_path)
    assert raised.value.code == "broken_table"
    damaged.unlink()
    with pytest.raises(UnreadableInputError, match="holds no events") as raised:
        read_tables(tmp_path)
    assert raised.value.code == "no_events"
    write_tables(tmp_path, {"DmaUsage": [{"timestamp": 1, "current_throughput": 1.0}], **empty})
    (tmp_path / "DmaUsage.parquet").write_bytes(b"PAR1 and nothing else")
    profile = read_tables(tmp_path)
    assert notes(profile)["broken_table"] == 1


def test_names_that_are_hostile_are_text_only(tmp_path: Path) -> None:
    name = "<script>\x1b[2J\x00\u202e" + "x" * 100_000
    profile = opened(tmp_path, {"Instruction": [instruction(0, 1, opcode=name, engine=name)]})
    shown_name = shown(profile, 0)[1]
    assert shown_name.startswith("<script>\x1b[2J\x00\u202exxx")
    assert len(shown_name) < 20_000
    assert notes(profile)["unknown_engine"] == 1


def test_very_many_queues_share_a_track(tmp_path: Path) -> None:
    packets = [
        {"start_ts": number, "end_ts": number + 1, "queue_name": f"q{number}"}
        for number in range(10_000)
    ]
    profile = opened(tmp_path, {"DmaPacket": packets})
    assert len(profile.events) == 10_000
    assert len(profile.tracks) < 5000
