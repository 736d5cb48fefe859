"""Profiles of every kind that is exported: made by hand, on the CPU, predicted, and of a core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cli.priced import write_program
from cli.recorded import training_profile
from ingest.explorer.system_sample import SystemRows
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.predicted_timeline import lay_out_predictions
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.profile.model import Profile
from support import explorer_tables

KERNEL_LINES = (8, 9)


def training(directory: Path) -> Profile:
    """A training run with a backward pass, whose lines are known."""
    return training_profile()


def priced(directory: Path) -> Profile:
    """A program's measured times, with predicted ones beside them."""
    profile = attribute(ingest.read(write_program(directory)))
    price(profile, PricingRequest())
    return profile


def predicted(directory: Path) -> Profile:
    """A program that ran on no device: all of its times are predicted."""
    profile = attribute(ingest.read(write_program(directory)))
    profile.manifest.target = "virtual"
    lay_out_predictions(profile, price(profile, PricingRequest()))
    return profile


def executions(directory: Path) -> Profile:
    """Executions on a core that operators launched, and instructions beside them."""
    rows = SystemRows()
    rows.host("a.py(1): main", 0, 90)
    rows.host("aten::mm", 10, 20)
    rows.work("aten::mm", 30, 40, "7")
    rows.execution(50, 58, "7", 0)
    rows.execution(51, 58, "7", 1)
    return _explorer_profile(directory, {"SystemProfileEvents": rows.rows})


def core(directory: Path) -> Profile:
    """Instructions of a core's engines: some belong to two lines, one to none."""
    return _explorer_profile(directory, {})


def _explorer_profile(directory: Path, more: Mapping[str, list[dict[str, Any]]]) -> Profile:
    locations = [
        {"id": str(line), "file_name_id": 1, "function_name_id": 1, "line_number": line}
        for line in KERNEL_LINES
    ]
    frames = [
        {"id": str(line), "file_location_id": line, "parent_frame_id": "0"} for line in KERNEL_LINES
    ]
    instructions = [
        {
            "start_ts": start_ns,
            "end_ts": start_ns + 40,
            "duration_ns": 40,
            "engine": engine,
            "opcode": "MATMUL",
            "pcore_idx": 0,
            "operands": "a b",
            "stack_frame_ids": stacks,
            "id": (1 << 48) + start_ns,
        }
        for start_ns, engine, stacks in (
            (0, "tensor", "8"),
            (20, "vector", "9"),
            (100, "tensor", "8,9"),
            (150, "scalar", None),
        )
    ]
    tables = {
        "Instruction": instructions,
        "Flow": [
            {"in_id": 1 << 48, "in_table": "instruction", "out_id": (1 << 48) + 100}
            | {"out_table": "instruction"}
        ],
        "StackFrame": frames,
        "StackFrameFileLocation": locations,
        "StackFrameFileName": [{"id": "1", "name": "/src/train.py"}],
        "StackFrameFunctionName": [{"id": "1", "name": "main"}],
        **more,
    }
    return attribute(ingest.read(explorer_tables.write_tables(directory / "tables", tables)))


PROFILES: Mapping[str, Callable[[Path], Profile]] = {
    "training": training,
    "priced": priced,
    "predicted": predicted,
    "executions": executions,
    "core": core,
}
"""What makes each, given a directory to write its recording into."""
