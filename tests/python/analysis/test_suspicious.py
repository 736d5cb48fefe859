"""What the report says of steps that wait for nothing, of overlaps, and of impossible speed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from profiles import Event, make_profile

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import CoreFigures, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

HOST, OTHER_HOST, _, STREAM, OTHER_STREAM = range(5)

SHARED = Path(__file__).parents[4] / "shared" / "traces"
REAL = [
    *sorted(SHARED.glob("torch/*[!t].json.gz")),
    *sorted(SHARED.glob("neuron/kernel-fusion/*_full.json")),
]

SUSPICIONS = {
    "no_synchronize",
    "overlapping_device_rows",
    "outlasting_host_rows",
    "impossibly_fast",
}


def suspicions(profile: Profile) -> dict[str, int]:
    """The counts of the notes that are tested here, by code."""
    notes = profile.manifest.quality
    return {note.code: note.count for note in notes if note.code in SUSPICIONS}


def found_in(*events: Event, steps: Any = ((0, 1000),)) -> dict[str, int]:
    return suspicions(attribute(make_profile(events, steps)))


def operator(start_ns: int, end_ns: int, number: int = -1, *, track: int = HOST) -> Event:
    return Event(
        Category.OPERATOR, start_ns, end_ns - start_ns, "aten::mm", track, external_id=number
    )


def kernel(start_ns: int, end_ns: int, number: int = -1, *, track: int = STREAM) -> Event:
    return Event(Category.DEVICE, start_ns, end_ns - start_ns, "kernel", track, external_id=number)


@pytest.mark.skipif(not REAL, reason="the folder of public traces is not beside the checkout")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name[:40])
def test_real_recordings_raise_no_false_alarm(path: Path) -> None:
    """All of these wait for their devices, and were looked at row by row."""
    assert suspicions(attribute(ingest.read(path))) == {}


def test_steps_that_end_before_their_work_is_done_are_counted() -> None:
    launches = operator(10, 20, 1), operator(110, 120, 2), operator(210, 220, 3)
    wait = Event(Category.RUNTIME, 900, 50, "cudaDeviceSynchronize")
    steps = ((0, 100), (100, 200), (200, 300))
    # The first goes on for more than a tenth of its step, the second for just that.
    work = kernel(20, 150, 1), kernel(150, 210, 2), kernel(210, 250, 3)
    assert found_in(*launches, *work, wait, steps=steps) == {"no_synchronize": 1}
    assert found_in(*launches, work[1], work[2], wait, steps=steps) == {}


def test_a_recording_that_ends_while_the_device_is_at_work_is_told() -> None:
    assert found_in(operator(10, 20, 1), kernel(20, 800, 1)) == {"no_synchronize": 1}
    wait = Event(Category.RUNTIME, 25, 780, "synchronize")
    assert found_in(operator(10, 20, 1), kernel(20, 800, 1), wait) == {}
    # The profiler's own rows are no wait.
    region = Event(Category.OTHER, 0, 1000, "PyTorch Profiler (0)")
    assert found_in(operator(10, 20, 1), kernel(20, 800, 1), region) == {"no_synchronize": 1}


def test_work_that_nothing_recorded_launched_says_nothing_of_the_host() -> None:
    assert found_in(operator(10, 20, 1), kernel(20, 800)) == {}


def test_what_is_stood_in_for_has_no_times_to_doubt() -> None:
    profile = make_profile((operator(10, 20, 1), kernel(20, 800, 1)), ((0, 1000),))
    profile.manifest.target = "virtual"
    assert suspicions(attribute(profile)) == {}


def test_device_rows_that_overlap_in_part_are_counted() -> None:
    rows = (
        kernel(0, 100),
        kernel(90, 150),
        kernel(150, 200),  # begins as the one before ends
        kernel(120, 180, track=OTHER_STREAM),
        kernel(170, 200, track=OTHER_STREAM),
        kernel(175, 250, track=OTHER_STREAM),
    )
    profile = attribute(make_profile(rows, ((0, 1000),)))
    assert suspicions(profile) == {"overlapping_device_rows": 3}
    assert profile.events["device_ns"].sum() == 100 + 60 + 50 + 60 + 30 + 75


def test_device_rows_within_one_another_do_not_overlap() -> None:
    assert found_in(kernel(0, 100), kernel(10, 60), kernel(70, 100)) == {}


def test_calls_that_outlast_the_one_they_began_in_are_counted() -> None:
    rows = (
        operator(0, 100),
        operator(10, 50),
        operator(40, 60),  # outlasts the second, and is within the first
        operator(90, 110),  # outlasts the first
        operator(105, 105),  # at an instant within the fourth
        operator(110, 120),
        Event(Category.RUNTIME, 115, 10, "cudaLaunchKernel"),
        Event(Category.ANNOTATION, 95, 500, "a region that a call opened"),
        operator(95, 300, track=OTHER_HOST),
    )
    assert found_in(*rows) == {"outlasting_host_rows": 3}


def made_core(
    flops: int,
    duration_ns: int,
    *,
    vendor: Mapping[str, float] | None = None,
    instance_type: str = "trn2.48xlarge",
) -> Profile:
    """One product on one core of Trainium2, whose Tensor Engine does 2 x 128 x 128 x 2.4 FLOP/ns.

    That is 78,643.2, and 2.0646 times that in fp8, by the core's 162.375 TFLOP/s.
    """
    builder = ProfileBuilder()
    track = Track("device", "tensor", "nc0", "tensor", "tensor")
    builder.add_rows(
        {
            "track": [builder.tracks.code(track)],
            "category": [Category.ENGINE_WORK],
            "name": [builder.strings.code("MATMUL")],
            "start_ns": [0],
            "duration_ns": [duration_ns],
        },
        work={"flops": [flops], "transpose_flops": [0]},
    )
    manifest = new_manifest("core", "test", [])
    manifest.core = CoreFigures(
        instance_type=instance_type,
        tensor_clock_hz=2.4e9,
        hbm_bytes_per_s=716e9,
        first_ns=0,
        last_ns=10 * duration_ns,
    )
    manifest.vendor_metrics = dict(vendor or {})
    return attribute(builder.build(manifest, "it"))


def test_an_instruction_that_beats_the_densest_format_is_impossible() -> None:
    assert suspicions(made_core(160_000 * 1000, 1000)) == {}
    assert suspicions(made_core(170_000 * 1000, 1000)) == {"impossibly_fast": 1}
    # Trainium3 has formats that are twice as dense; where it may be one, it is not told.
    for instance_type in ("trn3.48xlarge", ""):
        assert suspicions(made_core(170_000 * 1000, 1000, instance_type=instance_type)) == {}
    assert suspicions(made_core(170_000 * 1000, 1000, instance_type="trn1.2xlarge")) == {
        "impossibly_fast": 1
    }


def test_short_instructions_are_given_the_nanosecond_that_rounding_takes() -> None:
    assert suspicions(made_core(2 * 160_000, 1)) == {}
    assert suspicions(made_core(2 * 170_000, 1)) == {"impossibly_fast": 1}


def test_figures_of_the_file_that_no_chip_reaches_are_named() -> None:
    profile = made_core(1000, 1000, vendor={"mbu_estimated_percent": 1.3})
    assert suspicions(profile) == {}  # a core may reach the memory of its neighbours
    # All of the chip's 2.9 TB/s are 4.05 times one stack's 716 GB/s.
    profile = made_core(1000, 1000, vendor={"mbu_estimated_percent": 4.2})
    (note,) = (note for note in profile.manifest.quality if note.code == "impossibly_fast")
    assert "mbu_estimated_percent is 4.2 where 4.05 is the most" in note.message


def test_the_rows_own_utilization_is_looked_at_too() -> None:
    profile = made_core(100_000 * 1000, 1000)
    assert suspicions(profile) == {}
    core = profile.manifest.core
    assert core is not None
    # All of the instruction, in half of its time: 2.54 times the engine's peak, and all is useful.
    profile.manifest.core = msgspec.structs.replace(core, last_ns=500)
    assert suspicions(attribute(profile)) == {"impossibly_fast": 3}
