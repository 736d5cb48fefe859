"""Memory over time from torch.profiler's instants, against what the file itself says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.memory.use import memory_use
from sidelight.analysis.timelines.counters import Counters
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile

REAL = (
    Path(__file__).parents[4]
    / "shared/traces/torch/tracelens__h100_gaunernst_bert-small-uncased__1016001.json.gz"
)


def instant(ts: float, **arguments: Any) -> dict[str, Any]:
    named = {name.replace("_", " "): value for name, value in arguments.items()}
    where = {"cat": "cpu_instant_event", "s": "t", "pid": 1, "tid": 1}
    return {"ph": "i", "name": "[memory]", **where, "ts": ts, "args": named}


def read(
    folder: Path, *events: dict[str, Any], base_ns: int = 0, properties: object = None
) -> Profile:
    operator = {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 1, "tid": 1}
    rows = [{**operator, "ts": 100.0, "dur": 50.0}, *events]
    path = folder / "trace.json"
    header = {"baseTimeNanoseconds": base_ns, "deviceProperties": properties}
    path.write_text(json.dumps({**header, "traceEvents": rows}))
    return ingest.read(path)


def samples_of(profile: Profile) -> dict[Series, list[tuple[int, float]]]:
    found: dict[Series, list[tuple[int, float]]] = {each: [] for each in profile.manifest.series}
    for series, at_ns, value in zip(
        *(profile.samples[name].tolist() for name in ("series", "at_ns", "value")), strict=True
    ):
        found[profile.manifest.series[series]].append((at_ns, value))
    return found


@pytest.mark.parametrize(
    ("device_type", "properties", "capacity_bytes"),
    [
        (1, [{"id": 1, "totalGlobalMem": 7}, {"id": 0, "totalGlobalMem": 4_096}], 4_096),
        (6, [{"id": 0, "totalGlobalMem": 4_096}], 4_096),
        # Properties are of CUDA's and HIP's devices; another kind has numbers of its own.
        (20, [{"id": 0, "totalGlobalMem": 4_096}], None),
        (1, [{"id": 0, "totalGlobalMem": 1}, {"id": 0, "totalGlobalMem": 2}], None),
        (1, [{"id": 0, "totalGlobalMem": 0}], None),
        (1, [{"id": "0", "totalGlobalMem": "many"}, 7], None),
        (1, {"id": 0}, None),
        (1, None, None),
    ],
)
def test_a_device_has_the_capacity_that_the_trace_says(
    tmp_path: Path, device_type: int, properties: object, capacity_bytes: int | None
) -> None:
    held = instant(110.0, Total_Allocated=512, Device_Type=device_type, Device_Id=0)
    profile = read(tmp_path, held, properties=properties)
    (series,) = profile.manifest.series
    assert series.capacity_bytes == capacity_bytes
    # The timeline draws it beside the curve.
    (counter,) = Counters(profile).overview
    assert counter.capacity == capacity_bytes


@pytest.mark.parametrize("base_ns", [0, 1_700_000_000_000_000_000])
def test_a_series_for_each_device_and_quantity(tmp_path: Path, base_ns: int) -> None:
    on_device = {"Device_Type": 1, "Device_Id": 0}
    without_time = instant(0, Total_Allocated=3, **on_device)
    del without_time["ts"]
    profile = read(
        tmp_path,
        instant(120.5, Total_Allocated=700, Total_Reserved=1024, **on_device),
        instant(110.25, Total_Allocated=512, Total_Reserved=1024, **on_device),
        instant(130.0, Total_Allocated=9, Device_Type=1, Device_Id=1),
        # The CPU's allocator does not sum up; what cannot be is none; nor is what lacks a time.
        instant(111.0, Total_Allocated=5, Device_Type=0, Device_Id=-1),
        instant(112.0, Total_Allocated=-5, Total_Reserved="none", **on_device),
        without_time,
        base_ns=base_ns,
    )
    allocated, reserved = "Device memory, allocated", "Device memory, reserved"
    assert samples_of(profile) == {
        Series(allocated, "bytes", "device 0"): [(10_250, 512.0), (20_500, 700.0)],
        Series(reserved, "bytes", "device 0"): [(10_250, 1024.0), (20_500, 1024.0)],
        Series(allocated, "bytes", "device 1"): [(30_000, 9.0)],
    }
    # An instant is no event that takes time.
    assert len(profile.events) == 1


def test_a_trace_without_them_has_no_series(tmp_path: Path) -> None:
    profile = read(tmp_path)
    assert (profile.manifest.series, len(profile.samples)) == ([], 0)


@pytest.mark.skipif(not REAL.exists(), reason="the real traces are not here")
def test_a_real_trace() -> None:
    events = json.loads(gzip.decompress(REAL.read_bytes()))["traceEvents"]
    told = [event["args"] for event in events if event["name"] == "[memory]"]
    allocated = [each["Total Allocated"] for each in told if each["Device Type"] == 1]
    found = memory_use(attribute(ingest.read(REAL)))
    assert found is not None
    assert found.device is not None
    of_allocated = next(each for each in found.series if each.name == "Device memory, allocated")
    assert (of_allocated.peak_bytes, of_allocated.samples) == (max(allocated), len(allocated))
    assert of_allocated.peak.file is not None
