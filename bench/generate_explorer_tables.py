"""Write a device profile as Neuron Explorer's Parquet tables, of any size: a training step's.

    python bench/generate_explorer_tables.py folder --megabytes 200

Columns are those of the published schema that readers want, and some that they pass over. Engines
work side by side, a third of their instructions wait, every instruction is of an operator, which
has one to three stack frames, and DMA packets run beside them.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

# pyarrow has no types of its own.
pa: Any = importlib.import_module("pyarrow")
pq: Any = importlib.import_module("pyarrow.parquet")

ROWS: Final = 200_000
"""Rows of a group: what is made at a time."""

GROUPS_IN_A_FILE: Final = 10
ENGINES: Final = ("tensor", "vector", "scalar", "gpsimd", "sync")
OPCODES: Final = ("MATMUL", "TENSOR_TENSOR", "ACTIVATE", "TENSOR_LOAD", "EVENT_SEMAPHORE")
FRAMES: Final = 4000
LOCATIONS: Final = 2000
FILES: Final = 40
OPERATORS: Final = 3000


class Clock:
    """Gives rows their times: each lane's rows one after another, lanes side by side."""

    def __init__(self, random: np.random.Generator, lanes: int) -> None:
        self._random = random
        self._lanes = lanes
        self._now_ns = 0

    def next_rows(self, count: int) -> tuple[Any, Any, Any]:
        """Lane, start and duration of the next rows."""
        lane = np.arange(count) % self._lanes
        duration_ns = self._random.integers(20, 900, count)
        slot = np.arange(count) // self._lanes
        start_ns = self._now_ns + slot * 1000 + self._random.integers(0, 100, count)
        self._now_ns += (count // self._lanes + 1) * 1000
        return lane, start_ns, duration_ns


def picked(texts: list[str], index: npt.NDArray[np.int64]) -> Any:
    """A column of texts."""
    return pa.DictionaryArray.from_arrays(index.astype(np.int32), texts).cast(pa.string())


def frames_of_operators(random: np.random.Generator) -> list[str]:
    """The stack frames of each operator, as instructions name them."""
    return [
        f"[{', '.join(map(str, random.integers(1, FRAMES, 1 + number % 3).tolist()))}]"
        for number in range(OPERATORS)
    ]


def instructions(
    random: np.random.Generator, clock: Clock, frames: list[str], first_id: int
) -> Any:
    """The next group of ``Instruction``."""
    lane, start_ns, duration_ns = clock.next_rows(ROWS)
    engine = lane % len(ENGINES)
    ids = first_id + np.arange(ROWS) + (1 << 60)
    operands = [
        f"src=bf16@0x{address:x}[1,1,1][128,1,1] dst=fp32@0x{address ^ 0xFFFF:x}[1][512] 128*128"
        for address in random.integers(0, 1 << 40, ROWS).tolist()
    ]
    operator = random.integers(0, OPERATORS, ROWS)
    names = [f"I-{number}-1_sg0000" for number in range(5000)]
    return pa.table(
        {
            "start_ts": start_ns,
            "end_ts": start_ns + duration_ns,
            "duration_ns": duration_ns,
            "engine": picked(list(ENGINES), engine),
            "pcore_idx": lane // len(ENGINES),
            "opcode": picked(list(OPCODES), (engine + random.integers(0, 2, ROWS)) % len(OPCODES)),
            "operands": operands,
            "compiler_operands": operands,
            "id": ids,
            "pc": np.arange(ROWS),
            "bir_instruction_name": picked(names, random.integers(0, len(names), ROWS)),
            "evt_wait_time_ns": random.integers(0, 5000, ROWS),
            "raw_hlo_id": operator,
            "hlo_name": picked([f"dot.{number}" for number in range(OPERATORS)], operator),
            "stack_frame_ids": picked(frames, operator),
            "hbm_read_bytes": random.integers(0, 65536, ROWS),
            "hbm_write_bytes": random.integers(0, 65536, ROWS),
            "raw_flops": np.where(engine == 0, random.integers(0, 1 << 24, ROWS), 0),
        }
    )


def packets(random: np.random.Generator, clock: Clock, first_id: int) -> Any:
    """The next group of ``DmaPacket``."""
    lane, start_ns, duration_ns = clock.next_rows(ROWS)
    moved = random.integers(64, 65536, ROWS)
    return pa.table(
        {
            "start_ts": start_ns,
            "end_ts": start_ns + duration_ns,
            "duration_ns": duration_ns,
            "pcore_idx": lane % 2,
            "id": first_id + np.arange(ROWS),
            "packet_aggregation_id": (first_id + np.arange(ROWS)) // 50,
            "read_bytes": moved,
            "write_bytes": moved,
            "transfer_bytes": moved,
            "throughput": moved / duration_ns * 1e9,
            "queue_type": picked(["input", "data", "output"], lane % 3),
            "queue_name": picked([f"qIO{number}" for number in range(16)], lane),
            "variable": picked(
                [f"weights.{number}" for number in range(400)], random.integers(0, 400, ROWS)
            ),
            "crc": random.integers(0, 1 << 32, ROWS),
        }
    )


def write_sources(folder: Path, random: np.random.Generator) -> None:
    """The tables of stack frames and operators."""
    tables: dict[str, dict[str, Any]] = {
        "StackFrame": {
            "id": list(map(str, range(1, FRAMES + 1))),
            "file_location_id": random.integers(1, LOCATIONS + 1, FRAMES),
            "parent_frame_id": [str(number // 3) for number in range(1, FRAMES + 1)],
        },
        "StackFrameFileLocation": {
            "id": list(map(str, range(1, LOCATIONS + 1))),
            "file_name_id": random.integers(1, FILES + 1, LOCATIONS),
            "function_name_id": random.integers(1, FILES + 1, LOCATIONS),
            "line_number": random.integers(1, 900, LOCATIONS),
        },
        "StackFrameFileName": {
            "id": list(map(str, range(1, FILES + 1))),
            "name": [f"/home/user/project/part_{number}.py" for number in range(FILES)],
        },
        "StackFrameFunctionName": {
            "id": list(map(str, range(1, FILES + 1))),
            "name": [f"Block{number}.forward" for number in range(FILES)],
        },
        "HloInstruction": {
            "raw_hlo_id": np.arange(OPERATORS),
            "hlo_name": [f"dot.{number}" for number in range(OPERATORS)],
            "start_ts": np.zeros(OPERATORS, np.int64),
            "end_ts": np.full(OPERATORS, 10**6),
        },
        "Metadata": {
            "profile_schema_version": ["12.0.1"],
            "num_physical_cores": [2],
            "first_hw_timestamp": [0],
            "last_hw_timestamp": [10**9],
        },
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")


def write_large(
    folder: Path, name: str, size_bytes: int, group: Callable[[int], Any]
) -> tuple[int, int]:
    """Write a table in parts until it has a size; returns its rows and bytes."""
    rows = part = done_bytes = 0
    while done_bytes < size_bytes:
        path = folder / f"{name}_{part}.parquet"
        table = group(rows)
        with pq.ParquetWriter(path, table.schema) as writer:
            for _ in range(GROUPS_IN_A_FILE):
                writer.write_table(table)
                rows += len(table)
                if done_bytes + path.stat().st_size >= size_bytes:
                    break
                table = group(rows)
        done_bytes += path.stat().st_size
        part += 1
    return rows, done_bytes


def main() -> None:
    """Write the tables that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=int, default=200)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(20)
    write_sources(folder, random)
    frames = frames_of_operators(random)
    engines, queues = Clock(random, 2 * len(ENGINES)), Clock(random, 16)
    size_bytes = arguments.megabytes * 10**6
    rows, written = write_large(
        folder, "Instruction", size_bytes * 4 // 5, partial(instructions, random, engines, frames)
    )
    print(f"Instruction: {rows:,} rows, {written / 1e6:.0f} MB")
    rows, written = write_large(
        folder, "DmaPacket", size_bytes // 5, partial(packets, random, queues)
    )
    print(f"DmaPacket: {rows:,} rows, {written / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
