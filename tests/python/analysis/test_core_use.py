"""What a core was used for: parts that add up, worked out by hand, and on real cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from test_oracle import BOUNDED

from cli.priced import write_program
from cli.recorded import training_profile
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.metrics.summary import summarize
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.analysis.splits.core_use import CoreUse, core_use
from sidelight.analysis.splits.split import Split, split
from sidelight.analysis.splits.throttling import lost_time
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import CoreFigures, Series, Throttling, Track, TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

REAL = Path(__file__).parents[4] / "shared" / "traces" / "neuron" / "kernel-fusion"
REAL_PROFILES = sorted(REAL.glob("*_profile_full.json"))


def core_profile(
    throttling: Sequence[Throttling] = (),
    limits: Mapping[tuple[str, str], Sequence[tuple[int, float]]] | None = None,
    spill: Mapping[str, int] | None = None,
) -> Profile:
    """A microsecond of a logical core of two physical ones: 2 x 2 x 10 x 5 x 1e9 FLOP/s, so
    200,000 FLOP of which 6,000 were used, and 2,000 bytes of which 700 were."""
    builder = ProfileBuilder()
    rows: list[tuple[TrackEngine, str, int, dict[str, int]]] = [
        ("tensor", "MATMUL", 100, {"flops": 5000, "transpose_flops": 0}),
        ("tensor", "MATMUL", 200, {"flops": 1000, "transpose_flops": 1000}),
        ("sync", "LOAD", 300, {"hbm_read_bytes": 500, "hbm_write_bytes": 200, **(spill or {})}),
        ("dma", "q0", 400, {"moved_bytes": 64}),
        ("dma", "q0", 500, {"moved_bytes": 8192}),
        ("dma", "q0", 600, {"moved_bytes": 4095}),
    ]
    for engine, name, start_ns, work in rows:
        builder.add_rows(
            {
                "track": [builder.tracks.code(Track("device", engine, "nc0", engine, engine))],
                "category": [Category.ENGINE_WORK],
                "name": [builder.strings.code(name)],
                "start_ns": [start_ns],
                "duration_ns": [100],
            },
            work={column: [value] for column, value in work.items()},
        )
    for (owner, name), samples in (limits or {}).items():
        at_ns, values = [at for at, _ in samples], [value for _, value in samples]
        builder.add_samples(Series(name, "fraction", owner), at_ns, values)
    manifest = new_manifest("core", "test", [])
    manifest.core = CoreFigures(
        instance_type="trn2.3xlarge",
        physical_cores=2,
        tensor_rows=10,
        tensor_columns=5,
        tensor_clock_hz=1e9,
        hbm_bytes_per_s=2e9,
        first_ns=0,
        last_ns=1_000,
        throttling=list(throttling),
    )
    return attribute(builder.build(manifest, "it"))


def use_of(profile: Profile) -> CoreUse:
    return core_use(profile, summarize(profile).metrics)


def amounts(found: Split | None) -> dict[str, int | None]:
    assert found is not None
    assert sum(part.amount or 0 for part in found.parts) == found.capacity
    fractions = [part.fraction for part in found.parts if part.fraction is not None]
    assert sum(fractions) == pytest.approx(1)
    assert all(fraction >= 0 for fraction in fractions)
    return {part.name: part.amount for part in found.parts}


def test_without_limits_the_rest_is_idle_or_throttled() -> None:
    found = use_of(core_profile()).flops
    assert amounts(found) == {
        "useful": 5000,
        "transpose": 1000,
        "throttled": None,
        "idle or throttled": 194_000,
    }
    assert found is not None
    assert (found.capacity, found.source, found.unit) == (200_000, "rows", "FLOP")
    assert "not known" in found.remark


def test_limits_take_what_they_forbid_of_the_cores_they_are_of() -> None:
    # Half of a core's throughput for 300 ns is 0.15 us of 100,000 FLOP; before the first, all.
    limits = {("nc0, core 0", "utilisation limit"): [(200, 0.5), (500, 1.0), (900, 1.0)]}
    found = use_of(core_profile(limits=limits)).flops
    assert amounts(found) == {
        "useful": 5000,
        "transpose": 1000,
        "throttled": 15_000,
        "idle": 179_000,
    }
    assert found is not None
    assert "1 of 2 physical cores" in found.remark
    both = {**limits, ("nc0, core 1", "utilisation limit"): [(0, 1.0), (500, 0.25)]}
    found = use_of(core_profile(limits=both)).flops
    assert amounts(found)["throttled"] == 15_000 + 15_000  # until the last row ends, at 700 ns
    assert found is not None
    assert found.remark == ""


def test_of_several_limits_at_once_the_lowest_counts() -> None:
    limits = {
        ("nc0, core 0", "utilisation limit, heat"): [(0, 0.8), (400, 1.0)],
        ("nc0, core 0", "utilisation limit, power"): [(200, 0.5), (600, 1.0)],
    }
    # 0.2 for 200 ns, then 0.5 until 600.
    found = lost_time(core_profile(limits=limits))
    assert found is not None
    assert (found.lost_ns, found.physical_cores) == (pytest.approx(40 + 200), 1)


def test_a_summary_of_limits_stands_in_where_they_are_not_told_over_time() -> None:
    throttling = [
        Throttling(core=0, kind="heat", active_ns=500, allowed_fraction=0.5),
        Throttling(core=0, kind="all", active_ns=400, allowed_fraction=0.75),
        Throttling(core=1, kind="heat", active_ns=100, allowed_fraction=0.9),
        Throttling(core=1, kind="power", active_ns=300, allowed_fraction=0.5),
        Throttling(core=2, kind="power", active_ns=None, allowed_fraction=0.5),
    ]
    found = use_of(core_profile(throttling)).flops
    # Of core 0 everything together is told: 100 ns; of core 1 the larger: 150 ns.
    assert amounts(found)["throttled"] == 25_000


def test_what_was_done_in_spite_of_limits_was_not_taken_by_them() -> None:
    limits = {(f"nc0, core {n}", "utilisation limit"): [(-300, 0.0)] for n in range(2)}
    assert amounts(use_of(core_profile(limits=limits)).flops) == {
        "useful": 5000,
        "transpose": 1000,
        "throttled": 194_000,
        "idle": 0,
    }


def test_bandwidth_is_read_written_spilled_and_unused() -> None:
    found = use_of(core_profile()).hbm
    assert amounts(found) == {
        "read": 500,
        "write": 200,
        "spill save": None,
        "spill reload": None,
        "unused": 1300,
    }
    assert found is not None
    assert "spilled is not known" in found.remark
    spill = {"spill_save_bytes": 50, "spill_reload_bytes": 120}
    found = use_of(core_profile(spill=spill)).hbm
    assert amounts(found) == {
        "read": 380,
        "write": 150,
        "spill save": 50,
        "spill reload": 120,
        "unused": 1300,
    }
    assert found is not None
    assert found.remark == ""


def test_spills_that_exceed_all_traffic_are_no_split() -> None:
    spill = {"spill_save_bytes": 201, "spill_reload_bytes": 0}
    assert use_of(core_profile(spill=spill)).hbm is None


def test_transfers_too_small_for_the_bandwidth_are_counted() -> None:
    dma = use_of(core_profile()).dma
    assert dma is not None
    assert (dma.transfers, dma.moved_bytes) == (3, 64 + 8192 + 4095)
    assert (dma.small_transfers, dma.small_bytes) == (2, 64 + 4095)
    assert dma.mean_bytes == pytest.approx(12351 / 3)
    assert dma.active_fraction == pytest.approx(300 / 1000)
    assert dma.bytes_per_s == pytest.approx(12351 / 300e-9)
    # A quarter of the chip's 3.5 TB/s.
    assert dma.efficiency == pytest.approx(12351 / 300e-9 / (3.5e12 / 4))


def test_of_a_summary_alone_the_counts_are_the_files() -> None:
    profile = core_profile()
    profile.work = profile.work.with_columns({"moved_bytes": profile.work["moved_bytes"] * 0 - 1})
    assert use_of(profile).dma is None
    profile.manifest.vendor_metrics = {
        "dma_transfer_count": 40.0,
        "dma_transfer_total_bytes": 8000.0,
    }
    dma = use_of(profile).dma
    assert dma is not None
    assert (dma.transfers, dma.mean_bytes, dma.source) == (40, 200, "vendor")
    assert (dma.small_transfers, dma.small_bytes) == (None, None)


def test_engines_are_as_the_figures_say() -> None:
    profile = core_profile()
    metrics = summarize(profile).metrics
    engines = {each.engine: each.active for each in use_of(profile).engines}
    assert engines["tensor"].value == pytest.approx(0.2)
    assert engines["dma"] == metrics["dma_active_time_percent"]
    assert engines["collectives"].value is None
    assert set(engines) == {
        "tensor",
        "vector",
        "scalar",
        "gpsimd",
        "sync",
        "dma",
        "collectives",
    }


def test_a_script_on_a_cpu_used_no_core() -> None:
    use = use_of(training_profile())
    assert (use.flops, use.hbm, use.dma) == (None, None, None)
    assert {each.active.value for each in use.engines} == {None}


def test_a_priced_run_is_predicted_as_far_as_predictions_go(tmp_path: Path) -> None:
    profile = attribute(ingest.read(write_program(tmp_path / "run")))
    price(profile, PricingRequest("trn2", lnc=2))
    use = use_of(profile)
    metrics = summarize(profile).metrics
    found = amounts(use.flops)
    assert found["useful"] == 4 * 2 * 4096 * 1024 * 2048
    assert (found["transpose"], found["throttled"]) == (None, None)
    assert use.flops is not None
    assert use.flops.source == "predicted"
    assert use.flops.parts[0].fraction == pytest.approx(metrics["mfu_estimated_percent"].value)
    moved = amounts(use.hbm)
    assert moved["read"] is None, "which way is not predicted"
    assert use.hbm is not None
    (fraction,) = [part.fraction for part in use.hbm.parts if part.name == "read or write"]
    assert fraction == pytest.approx(metrics["mbu_estimated_percent"].value)


def test_figures_that_no_core_has_are_no_capacity() -> None:
    profile = core_profile(limits={("nc0, core 0", "utilisation limit"): [(0, float("nan"))]})
    assert amounts(use_of(profile).flops)["throttled"] == 0
    for impossible in (float("inf"), float("nan")):
        assert split("FLOP", impossible, {"useful": 1}, "idle", "rows") is None


def test_parts_that_contradict_each_other_are_no_split() -> None:
    assert split("FLOP", 100, {"useful": -20, "transpose": 50}, "idle", "rows") is None


@BOUNDED
@given(
    st.floats(0, 1e18),
    st.dictionaries(
        st.text(min_size=1, max_size=2), st.none() | st.integers(0, 10**15), max_size=5
    ),
)
def test_known_parts_add_up_to_the_capacity_or_there_is_no_split(
    capacity: float, used: dict[str, int | None]
) -> None:
    found = split("FLOP", capacity, used, "the rest", "rows")
    known = sum(amount or 0 for amount in used.values())
    if found is None:
        assert known > round(capacity) or round(capacity) == 0
    else:
        assert amounts(found)["the rest"] == round(capacity) - known


@pytest.mark.skipif(not REAL_PROFILES, reason="needs the shared traces")
@pytest.mark.parametrize("path", REAL_PROFILES, ids=lambda path: path.name[10:30])
def test_real_cores_lost_to_limits_what_the_vendor_sums_up(path: Path) -> None:
    profile = attribute(ingest.read(path))
    use, vendor = use_of(profile), profile.manifest.vendor_metrics
    found, core = amounts(use.flops), profile.manifest.core
    assert core is not None
    assert use.flops is not None
    lost = sum(
        vendor[f"throttle_activity_{n}_active_time_nc0_percent"]
        * (1 - vendor[f"throttle_activity_{n}_avg_util_limit_nc0_percent"])
        for n in range(2)
    )
    # The file has limits of one of the two physical cores. When the last ends it does not say.
    of_one = use.flops.capacity / 2
    assert found["throttled"] is not None
    extent_ns = (core.last_ns or 0) - (core.first_ns or 0)
    assert found["throttled"] / of_one == pytest.approx(lost, abs=5 / extent_ns)
    assert found["useful"] == vendor["hardware_flops"] - vendor["transpose_flops"]
    assert found["transpose"] == vendor["transpose_flops"]
    moved = amounts(use.hbm)
    assert (moved["read"], moved["write"]) == (vendor["hbm_read_bytes"], vendor["hbm_write_bytes"])
    assert use.dma is not None
    moved_bytes = sum(
        vendor[f"{kind}_dma_size"] for kind in ("static", "hardware_dynamic", "software_dynamic")
    )
    assert use.dma.moved_bytes == moved_bytes
