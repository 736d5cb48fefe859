"""A small good input of every format, written into a directory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cli.priced import write_program
from ingest.explorer.system_sample import EPOCH_NS, SystemRows
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from support import explorer_tables, neuron_json
from support.exported import write_exported
from traces import chrome, neuron_binaries, perfetto
from traces.damage import sound_events

SEQUENCE = 1 << 48


def _torch_trace(directory: Path) -> Path:
    function = chrome.row("python_function", "train.py(3): step", 0, 1500)
    halves = [
        {"ph": phase, "cat": "cpu_op", "name": "half", "pid": chrome.PID, "tid": 4, "ts": at}
        for phase, at in (("B", 5), ("E", 9))
    ]
    return chrome.write(directory / "trace.json", [function, *halves, *sound_events()])


def _capture(directory: Path) -> Path:
    inputs: dict[str, Any] = {"External id": 1, "Input Dims": [[2], [2]]}
    events = [
        chrome.row("user_annotation", "sidelight:0", 0, 100),
        chrome.row("cpu_op", "aten::mm", 1, 50, **inputs),
        chrome.row("kernel", "gemm", 60, 20, pid=0, tid=7, **{"External id": 1}),
    ]
    return chrome.write_capture(
        directory / "run",
        {"trace.json": events},
        files=[{"path": "train.py"}],
        frames=[[0, 1, "<module>"]],
        labels=[[0, 1]],
    )


def _instruction(start_ns: int, **more: Any) -> explorer_tables.Row:
    return {
        "start_ts": start_ns,
        "end_ts": start_ns + 40,
        "duration_ns": 40,
        "engine": "tensor",
        "opcode": "MATMUL",
        "pcore_idx": 0,
        "stack_frame_ids": "1",
        **more,
    }


def _system_rows() -> list[dict[str, Any]]:
    rows = SystemRows()
    rows.host("a.py(1): main", 0, 90)
    rows.host("aten::mm", 10, 20)
    rows.work("aten::mm", 30, 40, "7")
    rows.wait(45, 60, "7")
    rows.execution(50, 58, "7", 0)
    rows.execution(51, 58, "7", 1)
    return rows.rows


def _explorer_parquet(directory: Path) -> Path:
    return explorer_tables.write_tables(
        directory / "tables",
        {
            "Instruction": [
                _instruction(at, operands="a b", id=SEQUENCE + at) for at in (0, 20, 100)
            ],
            "Flow": [
                {"in_id": SEQUENCE, "in_table": "instruction", "out_id": SEQUENCE + 20}
                | {"out_table": "instruction"}
            ],
            "SbufAllocation": [
                {"start_ts": 0, "end_ts": 40, "start_address": 0, "end_address": 63}
                | {"partition": 32}
            ],
            "StackFrame": [{"id": "1", "file_location_id": 1, "parent_frame_id": "0"}],
            "StackFrameFileLocation": [
                {"id": "1", "file_name_id": 1, "function_name_id": 1, "line_number": 8}
            ],
            "StackFrameFileName": [{"id": "1", "name": "/src/train.py"}],
            "StackFrameFunctionName": [{"id": "1", "name": "main"}],
            "SystemProfileEvents": _system_rows(),
        },
    )


def _device_json(directory: Path) -> Path:
    instructions = [neuron_json.matmul(at, 40, 128) for at in (0, 50)]
    document = neuron_json.device_profile(
        [*instructions, neuron_json.instruction(10, 20)], [neuron_json.transfer(5, 30)]
    )
    return neuron_json.write_json(directory / "ntff.json", document)


def _system_json(directory: Path) -> Path:
    events: list[dict[str, Any]] = []
    for name, at, core in (("nc_exec_running", 50, 0), ("nc_exec_running", 51, 1), ("load", 2, 0)):
        events.append(
            {
                "name": name,
                "timestamp": EPOCH_NS + at,
                "duration": 9,
                "timestamp_unit": "ns",
                "instance_id": "i-0",
                "process_id": "17",
                "thread_id": 7,
                "exec_id": 3,
                "lnc_idx": "0",
                "nc_idx": core,
                "device_core_idx": core,
                "flow_id": ["7"],
            }
        )
    lists: dict[str, Any] = {"trace_event": events, "mem_usage": []}
    return _written(directory / "system_profile.json", lists)


def _written(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document))
    return path


def _summary(directory: Path) -> Path:
    figures = {"total_time": 0.25, "tensor_engine_active_time_percent": 2e-6, "hbm_read_bytes": 8}
    return _written(directory / "summary.json", {"n_" + "7792fe1d" * 5: figures})


def _nxdi(directory: Path) -> Path:
    part = {f"latency_ms_{name}": 20.5 for name in ("p50", "p90", "p95", "p99", "p100", "avg")}
    report = {
        name: {**part, "throughput": 100.0}
        for name in ("e2e_model", "context_encoding_model", "token_generation_model")
    }
    return _written(directory / "benchmark_report.json", report)


def _vllm(directory: Path) -> Path:
    served = {
        "model_id": "m",
        "num_prompts": 10,
        "request_rate": "inf",
        "duration": 12.5,
        "completed": 10,
        "failed": 0,
        "total_input_tokens": 9,
        "total_output_tokens": "5",
        "request_throughput": 0.8,
        "output_throughput": "40.0",
        "mean_ttft_ms": 30.5,
        "total_token_throughput": 120.0,
        "p99_ttft_ms": 41.0,
        "mean_e2el_ms": 900.0,
    }
    return _written(directory / "served.json", served)


def _perfetto(directory: Path) -> Path:
    packets = [
        perfetto.clocks((6, 1_000), (1, EPOCH_NS)),
        perfetto.track(1, process=(17, "python")),
        perfetto.track(2, parent=1, thread=(17, 18, "main")),
        *perfetto.slice_of(2, 10, 90, "aten::mm", category="cpu_op", External__id=5),
        perfetto.track(3, "NeuronCore 0"),
        *perfetto.slice_of(3, 20, 60, "nc_exec_running", flow_id="7"),
        perfetto.counter(3, 30, 1.5),
    ]
    return perfetto.write(directory / "trace.pftrace", packets)


def _session(directory: Path) -> Path:
    folder = directory / "i-0_pid_17"
    folder.mkdir()
    _torch_trace(folder)
    _explorer_parquet(folder)
    _ntff(folder)
    _neff(folder)
    return directory


def _ntff(directory: Path) -> Path:
    return neuron_binaries.written(directory / "profile.ntff", neuron_binaries.ntff())


def _neff(directory: Path) -> Path:
    return neuron_binaries.written(directory / "model.neff", neuron_binaries.neff())


def _runtime(directory: Path) -> Path:
    return neuron_binaries.written(directory / "trace_info.pb", b"\x0a\x03abc")


def _exported_trace(directory: Path) -> Path:
    profile = attribute(ingest.read(write_program(directory / "recorded")))
    price(profile, PricingRequest())
    opened = directory / "opened"
    opened.mkdir()
    write_exported(opened / "trace.json", profile, "chrome")
    shutil.rmtree(directory / "recorded")
    return opened / "trace.json"


INPUTS: dict[str, Callable[[Path], Path]] = {
    "neuron_session": _session,
    "capture": _capture,
    "explorer_parquet": _explorer_parquet,
    "ntff": _ntff,
    "neff": _neff,
    "neuron_runtime": _runtime,
    "perfetto_trace": _perfetto,
    "neuron_profile_json": _device_json,
    "neuron_system_json": _system_json,
    "neuron_summary": _summary,
    "sidelight_trace": _exported_trace,
    "torch_trace": _torch_trace,
    "nxdi_report": _nxdi,
    "vllm_report": _vllm,
}
"""What writes an input, by its format; the path that it gives is what is opened."""
