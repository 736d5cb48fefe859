"""Real device profiles, against plain walks over the same JSON and the tool's own summary."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sidelight import ingest
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

FOLDER = Path(__file__).parents[4].parent / "shared" / "traces" / "neuron" / "kernel-fusion"
FILES = sorted(FOLDER.glob("*_profile_full.json"))

pytestmark = [
    pytest.mark.skipif(not FILES, reason="the folder of public traces is not beside the checkout"),
    pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split("_json")[0]),
]


def union_ns(intervals: Iterable[tuple[int, int]]) -> int:
    """How many whole nanoseconds any of the intervals holds: marked one by one."""
    marked = np.zeros(200_000, bool)
    for start, end in intervals:
        marked[start:end] = True
    return int(marked.sum())


def intervals(profile: Profile, *engines: str) -> list[tuple[int, int]]:
    events = profile.events
    return [
        (int(events["start_ns"][row]), int(events["start_ns"][row] + events["duration_ns"][row]))
        for row in map(int, np.flatnonzero(events["category"] == Category.ENGINE_WORK))
        if profile.tracks[int(events["track"][row])].engine in engines
    ]


ENGINES = ("tensor", "vector", "scalar", "gpsimd", "sync")


def test_active_times_are_the_tools_own(path: Path) -> None:
    summary = json.loads(path.read_bytes())["summary"][0]
    profile = ingest.read(path)
    assert profile.manifest.format == "neuron_profile_json"
    for engine in ENGINES:
        active_ns = union_ns(intervals(profile, engine))
        assert active_ns == pytest.approx(summary[f"{engine}_engine_active_time"] * 1e9, rel=0.005)
    dma_ns = union_ns(intervals(profile, "dma"))
    assert dma_ns == pytest.approx(summary["dma_active_time"] * 1e9, rel=0.001)
    total_ns = union_ns(intervals(profile, "dma", *ENGINES))
    assert total_ns == pytest.approx(summary["total_active_time"] * 1e9, rel=0.001)


def test_work_adds_up_to_the_tools_own_figures(path: Path) -> None:
    document = json.loads(path.read_bytes())
    summary = document["summary"][0]
    profile = ingest.read(path)

    def total(column: str) -> int:
        values = profile.work[column]
        return int(values[values > 0].sum())

    assert total("flops") == summary["hardware_flops"]
    assert total("transpose_flops") == summary["transpose_flops"]
    assert total("hbm_read_bytes") == summary["hbm_read_bytes"]
    assert total("hbm_write_bytes") == summary["hbm_write_bytes"]
    assert total("moved_bytes") == sum(row["transfer_size"] for row in document["dma"])
    core = profile.manifest.core
    assert core is not None
    assert core.last_ns is not None
    assert core.first_ns is not None
    assert core.last_ns - core.first_ns == int(summary["total_time"] * 1e9)
    assert profile.manifest.vendor_metrics == {
        name: value for name, value in summary.items() if not isinstance(value, str)
    }


def test_rows_are_those_of_a_plain_walk(path: Path) -> None:
    document = json.loads(path.read_bytes())
    profile = ingest.read(path)
    expected: Counter[Any] = Counter()
    for row in document["instruction"]:
        is_wait = row["opcode"] == "EVENT_SEMAPHORE"
        kind = Category.OTHER if is_wait else Category.ENGINE_WORK
        expected[kind, row["subgroup"].lower(), row["timestamp"], row["duration"]] += 1
    for row in document["dma"]:
        expected[Category.ENGINE_WORK, "dma", row["timestamp"], row["duration"]] += 1
    for row in document["layer_summary"]:
        expected[Category.COMPILED_OPERATOR, None, row["start"], row["duration"]] += 1
    events = profile.events
    zero_ns = profile.manifest.start_unix_ns
    found = Counter(
        (
            Category(events["category"][row]),
            profile.tracks[int(events["track"][row])].engine,
            int(events["start_ns"][row]) + zero_ns,
            int(events["duration_ns"][row]),
        )
        for row in range(len(events))
    )
    assert found == expected
    assert profile.manifest.series
    assert len(profile.samples)
    assert [note.severity for note in profile.manifest.quality if note.code == "no_stacks"]


def test_tensors_are_as_large_as_their_shapes(path: Path) -> None:
    """Each holds two or four bytes a number, as all of these programs compute in bf16 or fp32."""
    profile = ingest.read(path)
    tensors = profile.tensors
    assert len(tensors) >= 5
    for shape, size_bytes in zip(
        tensors["shape"].tolist(), tensors["size_bytes"].tolist(), strict=True
    ):
        numbers = math.prod(map(int, profile.strings[int(shape)].strip("[]").split(", ")))
        assert size_bytes in (2 * numbers, 4 * numbers)


def test_memory_by_use_is_all_that_is_listed(path: Path) -> None:
    listed = json.loads(path.read_bytes())["nc_mem_usage"]
    core = ingest.read(path).manifest.core
    assert core is not None
    assert sum(core.hbm_bytes_by_use.values()) == sum(row["amount_bytes"] for row in listed)
