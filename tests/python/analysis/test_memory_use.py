"""Memory over time: peaks, places and parts, worked out by hand and by a plain walk."""

from __future__ import annotations

import math
import random

import pytest
from profiles import Event, make_profile
from test_idle_causes import of_line, place

from sidelight.analysis.attribution import attribute
from sidelight.analysis.memory.series import MOST_POINTS, MemoryMoment, memory_series
from sidelight.analysis.memory.use import MemoryPart, memory_use
from sidelight.profile.manifest import CoreFigures, DeviceMemory, Pricing, Series
from sidelight.profile.model import Profile
from sidelight.profile.tables import SAMPLE_COLUMNS, Category, Table

HBM = Series("HBM, total", "bytes", "Neuron device 0, HBM 1")
SPILL = Series("HBM, dram spill", "bytes", "Neuron device 0, HBM 1")
CPU = Series("CPU", "fraction", "a machine")
HOST = Series("Host memory", "bytes", "a machine")


def sampled(series: list[tuple[Series, list[tuple[int, float]]]]) -> Profile:
    """A profile of two steps and two lines, with these samples."""
    events = [of_line(0, 0, 50), of_line(1, 50, 100), Event(Category.OPERATOR, 10, 5)]
    profile = attribute(make_profile(events, [(0, 40), (60, 100)]))
    profile.manifest.series = [each for each, _ in series]
    rows = [(number, *row) for number, (_, values) in enumerate(series) for row in values]
    profile.samples = Table.of(
        SAMPLE_COLUMNS,
        {name: [row[column] for row in rows] for column, name in enumerate(SAMPLE_COLUMNS)},
    )
    return profile


def test_the_peak_has_a_place() -> None:
    profile = sampled(
        [
            (CPU, [(0, 0.5)]),
            (HBM, [(5, 100.0), (70, 300.0), (75, 300.0), (90, 200.0)]),
            (SPILL, [(5, 20.0)]),
            (HOST, [(55, 9e9)]),
        ]
    )
    found = memory_use(profile)
    assert found is not None
    assert found.device is not None
    assert (found.device.peak_bytes, found.device.source, found.device.owner) == (
        300,
        "samples",
        "Neuron device 0, HBM 1",
    )
    assert found.device.moment == MemoryMoment(70, 1, *place((0, 11)))
    # Nothing says of which chip that is.
    assert (found.device.capacity_bytes, found.device.share) == (None, None)
    assert found.device.capacity_source.startswith("the profile does not say of which chip")
    assert [(each.name, each.kind, each.last_bytes) for each in found.series] == [
        ("HBM, total", "device", 200),
        ("HBM, dram spill", "device", 20),
        ("Host memory", "host", 9_000_000_000),
    ]
    # The host's peak is between two steps.
    assert found.series[2].peak == MemoryMoment(55, None, *place((0, 11)))
    assert found.series[0].points == [(5, 100), (70, 300), (75, 300), (90, 200)]


@pytest.mark.parametrize("nothing", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_no_value(nothing: float) -> None:
    values = [(5, 100.0), (70, nothing), (75, 300.0), (90, nothing)]
    (series,) = memory_series(sampled([(HBM, values), (HOST, [(5, nothing)])]))
    assert series.points == [(5, 100), (75, 300)]
    assert (series.samples, series.peak_bytes, series.last_bytes) == (2, 300, 300)


GIB = 2**30


@pytest.mark.parametrize(
    ("instance_type", "stack_bytes"),
    [
        ("trn1.32xlarge", 16 * GIB),  # 32 GiB in 2 stacks
        ("trn2.3xlarge", 24 * GIB),  # 96 GiB in 4
        ("trn3.48xlarge", 36 * GIB),  # 144 GiB in 4
        ("inf2.8xlarge", 16 * GIB),
        ("p5.48xlarge", None),
        ("", None),
    ],
)
def test_a_stack_of_hbm_is_as_large_as_those_of_its_chip_are(
    instance_type: str, stack_bytes: int | None
) -> None:
    profile = sampled([(HBM, [(5, 3.0 * GIB)]), (SPILL, [(5, 20.0)]), (HOST, [(5, 9e9)])])
    profile.manifest.core = CoreFigures(instance_type=instance_type, hbm_capacity_bytes=7)
    found = memory_use(profile)
    assert found is not None
    assert found.device is not None
    assert found.device.capacity_bytes == stack_bytes
    assert [each.capacity.capacity_bytes for each in found.series] == [
        stack_bytes,
        stack_bytes,
        None,
    ]
    if stack_bytes is not None:
        assert found.device.share == 3 * GIB / stack_bytes


def test_what_the_file_says_of_the_device_is_its_capacity() -> None:
    series = Series("Device memory, reserved", "bytes", "device 0", 400)
    found = memory_use(sampled([(series, [(5, 100.0)])]))
    assert found is not None
    assert found.device is not None
    assert (found.device.capacity_bytes, found.device.share) == (400, 0.25)
    assert found.device.capacity_source == "as the trace has it of the device"


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_out_of_many_values_is_no_peak(seed: int) -> None:
    drawn = random.Random(seed)
    values: list[tuple[int, float]] = []
    for _ in range(MOST_POINTS + drawn.randrange(1, 2_000)):
        at_ns = (values[-1][0] if values else 7) + drawn.choice((0, 1, 40, 900))
        values.append((at_ns, float(drawn.randrange(1_000))))
    (found,) = memory_series(sampled([(HBM, values)]))
    assert len(found.points) <= MOST_POINTS
    assert set(found.points) <= {(at, int(value)) for at, value in values}
    assert found.points == sorted(found.points)
    assert max(value for _, value in found.points) == found.peak_bytes
    assert found.peak_bytes == max(value for _, value in values)
    assert found.points[-1] == (values[-1][0], int(values[-1][1]))
    # Whatever is left out, a value at least as large is near: in the same part of the time.
    part_ns = (values[-1][0] - values[0][0]) / (MOST_POINTS - 1)
    for at, value in values:
        assert any(value <= shown and abs(at - when) <= part_ns for when, shown in found.points)


def pricing(hbm_bytes: int) -> Pricing:
    return Pricing(chip="trn2", lnc=2, label="trn2, LNC 2", auto_cast="none", hbm_bytes=hbm_bytes)


def test_an_estimate_has_parts_and_a_capacity() -> None:
    profile = sampled([])
    profile.manifest.memory = DeviceMemory(
        peak_bytes=100,
        weights_bytes=20,
        gradients_bytes=20,
        optimizer_bytes=25,
        activations_bytes=35,
    )
    profile.manifest.pricing = pricing(80)
    found = memory_use(profile)
    assert found is not None
    assert found.device is not None
    assert (found.device.kind, found.device.source, found.device.share) == (
        "predicted",
        "tensors",
        1.25,
    )
    assert found.device.parts[0] == MemoryPart("activations and the rest", 35)
    assert sum(part.size_bytes for part in found.device.parts) == found.device.peak_bytes
    assert found.series == []


def test_a_program_says_what_it_takes() -> None:
    profile = sampled([])
    profile.manifest.core = CoreFigures(
        hbm_bytes_by_use={"io": 30, "weights": 50}, hbm_capacity_bytes=160
    )
    found = memory_use(profile)
    assert found is not None
    assert found.device is not None
    assert (found.device.peak_bytes, found.device.share, found.device.kind) == (80, 0.5, "measured")
    assert [part.name for part in found.device.parts] == ["weights", "io"]


@pytest.mark.parametrize(("total", "rest"), [(80, []), (95, [("the rest", 15)])])
def test_a_sum_among_the_uses_is_none_of_them(total: int, rest: list[tuple[str, int]]) -> None:
    profile = sampled([])
    profile.manifest.core = CoreFigures(hbm_bytes_by_use={"Total": total, "IO": 30, "Weights": 50})
    found = memory_use(profile)
    assert found is not None
    assert found.device is not None
    assert (found.device.peak_bytes, found.device.capacity_bytes) == (total, None)
    parts = [(part.name, part.size_bytes) for part in found.device.parts]
    assert parts == [("Weights", 50), ("IO", 30), *rest]


def test_where_nothing_is_known_nothing_is_told() -> None:
    assert memory_use(sampled([(CPU, [(0, 0.5)])])) is None
