"""One profile with rows in every table of the schema, and what it says without any index into it.

The rows that matter are written by hand; tables that nothing reads get a row of plain values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ingest.explorer.system_sample import EPOCH_NS, INSTANCE, PID, SystemRows
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.profile.model import Profile
from sidelight.profile.tables import (
    TENSOR_COLUMNS,
    TENSOR_TEXTS,
    WORK_COLUMNS,
    WORK_TEXTS,
    Table,
)
from support.explorer_tables import TABLES, Row

BIG = 2**60 + 1
"""An id whose neighbours a float takes for itself."""

ZERO_NS = 4_000
"""The device's first instant by its own clock."""

_PLAIN_VALUES: Mapping[str, Any] = {
    "int64": 1,
    "int32": 1,
    "float": 0.5,
    "double": 0.5,
    "bool": False,
    "string": "x",
    "int64[]": [1],
    "string[]": ["x"],
}


def whole_profile() -> dict[str, Sequence[Row]]:
    """Rows of every table: a system profile, and below one of its executions a device profile."""
    tables: dict[str, Sequence[Row]] = {
        name: [{column: _PLAIN_VALUES[kind.removesuffix("?")] for column, kind in columns.items()}]
        for name, columns in TABLES.items()
        if name != "SchemaFields"
    }
    return {**tables, **_system(), **_sources(), **_operators(), **_core(), **_over_time()}


def _system() -> dict[str, Sequence[Row]]:
    rows = SystemRows()
    rows.host("train.py(3): step", 0, 9_000)
    rows.host("aten::mm", 100, 8_000)
    rows.work("aten::mm", 200, 7_000, str(BIG))
    rows.wait(300, 6_900, str(BIG), "2")
    for core in (0, 1):
        rows.execution(1_000 + core, 3_000, "2", core, extra_attributes_json='{"model_id": 77}')
    return {
        "SystemProfileEvents": rows.rows,
        "SystemProfileMetadata": [{"hbm_capacity_bytes": 24 << 30}],
        "CpuUsage": [
            {"timestamp": EPOCH_NS + 5, "util_percent": 50.0, "cpu_id": "average"}
            | {"instance_id": INSTANCE}
        ],
        "HostMemUsage": [
            {"timestamp": EPOCH_NS + 5, "used_bytes": 1000, "instance_id": INSTANCE},
        ],
        "SystemProfileHbmUsage": [
            {"timestamp": EPOCH_NS + 6, "total_bytes": 900, "weights_bytes": 600}
            | {"device_idx": 0, "hbm_idx": 1, "instance_id": INSTANCE}
        ],
        "DeviceProfileList": [
            {"device_profile_name": "x", "instance_id": INSTANCE, "process_id": PID, "nc_id": 0}
        ],
    }


def _sources() -> dict[str, Sequence[Row]]:
    return {
        "StackFrameFileName": [{"id": "1", "name": "/u/train.py"}],
        "StackFrameFunctionName": [{"id": "1", "name": "step"}],
        "StackFrameFileLocation": [
            {"id": "1", "file_name_id": 1, "function_name_id": 1, "line_number": 4},
            {"id": "2", "file_name_id": 1, "function_name_id": 1, "line_number": 5},
        ],
        "StackFrame": [
            {"id": "1", "file_location_id": 1, "parent_frame_id": "0"},
            {"id": "2", "file_location_id": 2, "parent_frame_id": "1"},
        ],
        "KernelStackFrames": [{"stack_frame_id": 42, "fully_qualified_function_name": "k.add"}],
        "KernelInstructions": [
            {"kernel_instruction_name": "i.7:0", "stack_frame_id": 42}
            | {"file_path": "/u/kernel.py", "line_number": 76}
        ],
    }


def _operators() -> dict[str, Sequence[Row]]:
    at = {"start_ts": ZERO_NS, "end_ts": ZERO_NS + 600}
    return {
        "FrameworkInstruction": [{**at, "raw_framework_id": BIG, "framework_name": "MLP/aten.mm"}],
        "FrameworkNode": [{**at, "node_name": "MLP"}],
        "HloInstruction": [
            {**at, "raw_hlo_id": BIG, "hlo_name": "dot.1"},
            {**at, "raw_hlo_id": BIG + 1, "hlo_name": "add.2"},
        ],
        "PenguinInstruction": [
            {**at, "raw_penguin_id": BIG, "penguin_name": "float32<1 x 2048> $1345"},
            {**at, "raw_penguin_id": BIG + 1, "penguin_name": "float32<2 x 2> $7"},
        ],
        "BirInstruction": [
            {**at, "raw_bir_id": BIG, "bir_name": "I-83-1"},
            {**at, "raw_bir_id": BIG + 1, "bir_name": "I-84-1"},
        ],
    }


def _row(start_ns: int, end_ns: int, **more: Any) -> dict[str, Any]:
    times = {"start_ts": ZERO_NS + start_ns, "end_ts": ZERO_NS + end_ns}
    return {**times, "duration_ns": end_ns - start_ns, **more}


def _core() -> dict[str, Sequence[Row]]:
    return {
        "Metadata": [
            {"num_physical_cores": 2, "neuroncore_idx": 0, "tensor_engine_clock_freq": 2.4}
            | {"tensor_engine_num_rows": 128, "tensor_engine_num_cols": 128}
            | {"hbm_ddr_bandwidth": 716e9, "first_hw_timestamp": ZERO_NS}
            # 1,000 ns after the rows of the host begin.
            | {"last_hw_timestamp": ZERO_NS + 700, "first_ts": "2025-12-18 15:35:57.000001Z"}
        ],
        "Instruction": [
            _row(0, 200, id=BIG, engine="tensor", opcode="MATMUL", raw_flops=64, flops_transpose=0)
            | {"stack_frame_ids": "[2]", "raw_framework_id": BIG, "raw_hlo_id": BIG}
            | {"raw_penguin_id": BIG, "raw_bir_id": BIG, "operands": "x"},
            _row(
                200, 500, id=BIG + 1, engine="vector", opcode="ADD", kernel_instruction_name="i.7:0"
            )
            | {"hlo_name": "add.2", "bir_instruction_name": "I-99", "raw_penguin_id": BIG + 1}
            | {"hbm_read_bytes": 8, "hbm_write_bytes": 4}
            | {"spill_save_bytes": 3, "spill_reload_bytes": 2, "evt_wait_time_ns": 5},
            _row(500, 550, id=BIG + 2, engine="sync", opcode="EVENT_SEMAPHORE"),
            _row(550, 600, id=BIG + 3, engine="sync", opcode="DRAIN")
            | {"nki_source_location": "/u/kernel.py:9"},
        ],
        "ActiveTime": [_row(0, 200, engine="tensor")],
        "DmaPacketAggregated": [
            _row(10, 90, id=BIG, variable="weights", queue_name="q", source="[DRAM]", dest="[SB]"),
        ],
        "DmaPacket": [
            _row(10, 40, id=BIG, packet_aggregation_id=BIG, transfer_bytes=48, queue_name="q"),
            _row(60, 90, id=BIG + 1, packet_aggregation_id=BIG, transfer_bytes=16, queue_name="q"),
        ],
        "CcOp": [_row(100, 150, op_id=BIG, operation="AllGather", stream_index=1, input_size=40)],
        "CcInstruction": [_row(110, 120, core_idx=8, description="DMA_ADVANCE")],
        "CoreBarriers": [_row(30, 35, engine_name="gpsimd", compiler_opcode="PSEUDO_CORE_BARRIER")],
        "ExecutionInfo": [
            {"execution_start_ts": ZERO_NS, "execution_end_ts": ZERO_NS + 600}
            | {"neff_name": "model.neff", "execution_index": 0}
        ],
        "Flow": [
            {"in_id": BIG, "in_table": "dma_block", "out_id": BIG, "out_table": "instruction"}
            | {"dependency_type": "FLOW_DEPENDENCE"},
            {
                "in_id": BIG,
                "in_table": "instruction",
                "out_id": BIG + 1,
                "out_table": "instruction",
            },
        ],
        "TensorInfo": [
            {"variable_name": "input0", "type": "IN", "format": "NC", "shape": "[128 64]"}
            | {"size": 16384, "load_to_sbuf_dma_count": 2, "load_to_sbuf_total_size_bytes": 32768}
        ],
        "Summary": [{"hardware_flops": 64, "total_time": 7e-7}],
        "NeffHeader": [{"uuid": "ae5a"}],
        "Warning": [{"message": "Layers are missing.", "category": "Missing Data"}],
        "Error": [{"type": "Errors", "description": "EMBD OOB", "timestamp": ZERO_NS}],
        "ThrottleSummary": [
            {"nc_idx": 0, "throttle_type": "all", "throttle_active_time_ns": 70}
            | {"max_achievable_util_with_throttling_percent": 0.5}
        ],
        "HbmUsageSummaryByType": [
            {"neuron_device_idx": 0, "neuroncore_idx": core, "usage_type": "Weights"}
            | {"usage_bytes": 100 + core}
            for core in (0, 1)
        ],
    }


def _over_time() -> dict[str, Sequence[Row]]:
    at = {"timestamp": ZERO_NS + 20, "pcore_idx": 0}
    return {
        "DmaUsage": [{**at, "current_throughput": 1e9}],
        "HbmUsage": [{**at, "current_throughput": 2e9}],
        "SbufUsage": [{**at, "avg_util_percent": 0.5}],
        "PsumUsage": [{**at, "avg_util_percent": 0.25}],
        "PendingDma": [{**at, "value": 3}],
        "Throttle": [{**at, "duration": 50, "k": 1, "n": 4, "type": "activity_0"}],
        "SbufAllocation": [
            {"start_ts": ZERO_NS + start_ns, "end_ts": ZERO_NS + end_ns, "start_address": address}
            | {"end_address": address + size - 1, "partition": 32, "pcore_idx": 0}
            for start_ns, end_ns, address, size in ((0, 50, 0, 64), (20, 50, 64, 32))
        ],
    }


def told_by(profile: Profile) -> dict[str, Any]:
    """What a profile says, by aspect; attributes it."""
    attribute(profile)
    rows = [_told_row(profile, event) for event in range(len(profile.events))]
    series = profile.manifest.series
    zero_ns = profile.manifest.start_unix_ns
    report = line_report(profile, "/u")
    return {
        "rows": Counter(rows),
        "time": (report.device_time_ns, report.device_busy_ns),
        "lines": {(line.file, line.line): line.self_ns for line in report.lines},
        "work": Counter(
            (rows[int(profile.work["event"][place])], _told(profile, place, "work"))
            for place in range(len(profile.work))
        ),
        "flows": Counter(
            (rows[int(source)], rows[int(target)], _text(profile, kind))
            for source, target, kind in rows_of(profile.flows, "source", "target", "kind")
        ),
        "tensors": Counter(
            _told(profile, place, "tensors") for place in range(len(profile.tensors))
        ),
        "samples": Counter(
            (series[int(number)], zero_ns + at_ns, value)
            for number, at_ns, value in rows_of(profile.samples, "series", "at_ns", "value")
        ),
        "core": profile.manifest.core and msgspec.structs.asdict(profile.manifest.core),
        "figures": dict(profile.manifest.vendor_metrics),
        "versions": dict(profile.manifest.versions),
    }


def rows_of(table: Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Rows of a table, as plain values."""
    values: list[list[Any]] = [table[column].tolist() for column in columns]
    return zip(*values, strict=True)


def _told_row(profile: Profile, event: int) -> Hashable:
    events = profile.events
    return (
        profile.tracks[int(events["track"][event])],
        int(events["category"][event]),
        _text(profile, int(events["name"][event])),
        profile.manifest.start_unix_ns + int(events["start_ns"][event]),
        int(events["duration_ns"][event]),
        _text(profile, int(events["name"][int(events["operator"][event])])),
    )


def _told(profile: Profile, place: int, name: str) -> Hashable:
    table = getattr(profile, name)
    columns, texts = (
        (WORK_COLUMNS, WORK_TEXTS) if name == "work" else (TENSOR_COLUMNS, TENSOR_TEXTS)
    )
    return tuple(
        _text(profile, int(table[column][place])) if column in texts else int(table[column][place])
        for column in columns
        if column != "event"
    )


def _text(profile: Profile, code: int) -> str | None:
    return profile.strings[code] if code >= 0 else None
