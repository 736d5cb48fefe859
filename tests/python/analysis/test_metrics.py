"""Headline figures: worked out by hand on small cores, and against the vendor's on real ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest

from cli.priced import write_program
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.metrics.figures import NAMES, Metric
from sidelight.analysis.metrics.notes import notes_on_metrics
from sidelight.analysis.metrics.summary import summarize
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import CoreFigures, Kpi, Manifest, Track, TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

REAL = Path(__file__).parents[4] / "shared" / "traces" / "neuron" / "kernel-fusion"
REAL_PROFILES = sorted(REAL.glob("*_profile_full.json"))

CORE = CoreFigures(
    physical_cores=2,
    tensor_rows=10,
    tensor_columns=5,
    tensor_clock_hz=1e9,
    hbm_bytes_per_s=2e9,
    first_ns=1_000,
    last_ns=2_000,
)
"""2 x 10 x 5 x 1e9 = 1e11 FLOP/s a physical core; a microsecond long."""


def made_core(
    vendor: Mapping[str, float] | None = None, core: CoreFigures | None = CORE
) -> Profile:
    """Two products of which one is a transpose, an overlapping pass, a wait and two transfers."""
    builder = ProfileBuilder()
    rows: list[tuple[TrackEngine, Category, str, int, int, dict[str, int]]] = [
        ("tensor", Category.ENGINE_WORK, "MATMUL", 100, 100, {"flops": 5000, "transpose_flops": 0}),
        (
            "tensor",
            Category.ENGINE_WORK,
            "MATMUL",
            150,
            100,
            {"flops": 1000, "transpose_flops": 1000},
        ),
        ("tensor", Category.OTHER, "EVENT_SEMAPHORE", 250, 500, {}),
        (
            "vector",
            Category.ENGINE_WORK,
            "COPY",
            200,
            100,
            {"hbm_read_bytes": 300, "hbm_write_bytes": 100},
        ),
        ("dma", Category.ENGINE_WORK, "q0", 400, 50, {"moved_bytes": 64}),
        ("dma", Category.ENGINE_WORK, "q0", 425, 50, {"moved_bytes": 64}),
    ]
    for engine, category, name, start_ns, duration_ns, work in rows:
        builder.add_rows(
            {
                "track": [builder.tracks.code(Track("device", engine, "nc0", engine, engine))],
                "category": [category],
                "name": [builder.strings.code(name)],
                "start_ns": [start_ns],
                "duration_ns": [duration_ns],
            },
            work={column: [value] for column, value in work.items()},
        )
    manifest = new_manifest("core", "test", [])
    manifest.core = core
    manifest.vendor_metrics = dict(vendor or {})
    return attribute(builder.build(manifest, "it"))


def test_figures_of_rows() -> None:
    metrics = summarize(made_core()).metrics
    expected = {
        "total_time": 1e-6,
        "total_active_time_percent": (200 + 75) / 1000,
        "tensor_engine_active_time_percent": 150 / 1000,
        "vector_engine_active_time_percent": 100 / 1000,
        "scalar_engine_active_time_percent": 0,
        "dma_active_time_percent": 75 / 1000,
        "tensor_engine_instruction_count": 3,
        "tensor_engine_instruction_time": 200e-9,
        "matmul_instruction_count": 2,
        "hardware_flops": 6000,
        "transpose_flops": 1000,
        # Of 2e11 FLOP/s for a microsecond.
        "hfu_estimated_percent": 6000 / 200_000,
        "mfu_inst_estimated_percent": 5000 / 200_000,
        "mfu_estimated_percent": 5000 / 200_000,
        "hbm_read_bytes": 300,
        "mbu_estimated_percent": 400 / 2000,
        "mm_arithmetic_intensity": 5000 / 400,
        "peak_flops_bandwidth_ratio": 1e11 / 2e9,
        "device_time_ns": 275,
        "unattributed_ns": 275,
    }
    assert {name: metrics[name].value for name in expected} == pytest.approx(expected)
    assert {metrics[name].source for name in expected} == {"rows"}
    assert metrics["cc_op_active_time_percent"] == Metric(None, "rows")


def test_without_the_cores_figures_time_is_that_of_the_rows_and_peaks_are_unknown() -> None:
    metrics = summarize(made_core(core=None)).metrics
    assert metrics["total_time"].value == pytest.approx(375e-9)
    assert metrics["tensor_engine_active_time_percent"].value == pytest.approx(150 / 375)
    assert metrics["hfu_estimated_percent"].value is None
    assert metrics["mm_arithmetic_intensity"].value == 12.5


def test_the_files_figures_stand_in_where_rows_know_nothing() -> None:
    metrics = summarize(
        made_core(
            {"cc_op_active_time_percent": 0.25, "mbu_estimated_percent": 0.2, "some_new_one": 7.0}
        )
    ).metrics
    assert metrics["cc_op_active_time_percent"] == Metric(0.25, "vendor")
    assert metrics["some_new_one"] == Metric(7.0, "vendor")
    # What rows say of memory is not all of it.
    assert metrics["mbu_estimated_percent"] == Metric(0.2, "vendor")


def test_the_compilers_count_of_the_models_products_goes_before_that_of_instructions() -> None:
    figures = {"model_flops": 4000.0, "mfu_estimated_percent": 0.02}
    metrics = summarize(made_core(figures)).metrics
    assert metrics["mfu_estimated_percent"] == Metric(0.02, "vendor")
    assert metrics["mfu_inst_estimated_percent"].source == "rows"


TRUE = {
    "total_time": 1e-6,
    "hardware_flops": 6000.0,
    "transpose_flops": 1000.0,
    "hfu_estimated_percent": 0.03,
    "tensor_engine_active_time_percent": 0.15,
    "dma_active_time_percent": 0.075,
    "mbu_estimated_percent": 0.2,
}


@pytest.mark.parametrize(
    ("name", "false"),
    [
        ("total_time", 1.002e-6),
        ("hardware_flops", 6002.0),
        ("transpose_flops", 1002.0),
        ("hfu_estimated_percent", 0.03001),
        ("tensor_engine_active_time_percent", 0.17),
        ("dma_active_time_percent", 0.1),
        ("mbu_estimated_percent", 0.3),
    ],
)
def test_a_false_figure_is_told_with_both_numbers(name: str, false: float) -> None:
    assert "vendor_figure_differs" not in codes(made_core(TRUE))
    profile = made_core({**TRUE, name: false})
    (note,) = [n for n in profile.manifest.quality if n.code == "vendor_figure_differs"]
    assert note.severity == "warning"
    assert note.count == 1
    for number in (false, TRUE[name]):
        assert f"{number:.9g}" in note.message
    assert name in note.message
    value = summarize(profile).metrics[name]
    assert (value.value, value.source) == (
        (false, "vendor") if name == "mbu_estimated_percent" else (TRUE[name], "rows")
    )


def test_figures_that_are_no_numbers_are_none() -> None:
    profile = made_core({"hardware_flops": math.nan, "throttled_percent": math.inf})
    assert "vendor_figure_differs" in codes(profile)
    profile.manifest.kpis = [Kpi("ttft_p50_ms", "", math.nan)]
    summary = summarize(profile)
    assert summary.metrics["throttled_percent"].value is None
    assert summary.kpis == {"ttft_p50_ms": None}


def codes(profile: Profile) -> set[str]:
    return {note.code for note in profile.manifest.quality}


def test_a_report_of_a_benchmark_has_nothing_but_its_figures() -> None:
    manifest = Manifest(name="bench", created="2026-01-01T00:00:00Z", format="test")
    manifest.kpis = [
        Kpi("ttft_p50_ms", "", 12.5),
        Kpi("latency_p50_ms", "token_generation_model", None),
    ]
    summary = summarize(attribute(Profile(manifest)))
    assert summary.kpis == {"ttft_p50_ms": 12.5, "token_generation_model.latency_p50_ms": None}
    assert all(summary.metrics[name].value is None for name in NAMES)
    assert summary.metrics["device_time_ns"].value is None, "nothing was measured: unknown, not 0"


def test_figures_of_a_priced_run_are_predicted(tmp_path: Path) -> None:
    profile = attribute(ingest.read(write_program(tmp_path / "run")))
    assert summarize(profile).metrics["hfu_estimated_percent"].value is None
    price(profile, PricingRequest("trn2", lnc=2))
    report = line_report(profile, "")
    metrics = summarize(profile).metrics
    # Two products of [4096, 1024] x [1024, 2048] in each of two steps, on 2 x 128 x 128 cells.
    flops = 4 * 2 * 4096 * 1024 * 2048
    hbm_bytes = sum(line.hbm_bytes or 0 for line in report.lines)
    assert report.predicted_ns
    total_s = report.predicted_ns / 1e9
    expected = {
        "total_time": total_s,
        "model_flops": flops,
        "mfu_estimated_percent": flops / total_s / (2 * 2 * 128 * 128 * 2.4e9),
        "mbu_estimated_percent": hbm_bytes / total_s / (2.9e12 / 4),
        "mm_arithmetic_intensity": flops / hbm_bytes,
        "predicted_ns": report.predicted_ns,
    }
    assert {name: metrics[name].value for name in expected} == pytest.approx(expected)
    assert {metrics[name].source for name in expected} == {"predicted"}
    assert metrics["device_time_ns"] == Metric(report.device_time_ns, "rows")
    for name in ("tensor_engine", "dma", "cc_op"):
        part = metrics[f"{name}_active_time_percent"].value
        assert part is not None
        assert 0 <= part <= 1


@pytest.mark.skipif(not REAL_PROFILES, reason="needs the shared traces")
@pytest.mark.parametrize("path", REAL_PROFILES, ids=lambda path: path.name[10:30])
def test_real_cores_agree_with_the_vendors_own_summary(path: Path) -> None:
    profile = attribute(ingest.read(path))
    vendor = dict(profile.manifest.vendor_metrics)
    metrics = summarize(profile).metrics
    assert "vendor_figure_differs" not in codes(profile)

    def check_rows(metrics: Mapping[str, Metric]) -> None:
        for name in ("hardware_flops", "transpose_flops"):
            assert metrics[name] == Metric(vendor[name], "rows")
        total_time = metrics["total_time"]
        assert total_time.source == "rows"
        assert total_time.value is not None
        assert round(total_time.value * 1e9) == int(vendor["total_time"] * 1e9)
        for name in ("hfu_estimated_percent", "mfu_inst_estimated_percent"):
            assert metrics[name].source == "rows"
            assert metrics[name].value == pytest.approx(vendor[name], rel=1e-4)
        for name in ("tensor", "vector", "scalar", "gpsimd", "sync"):
            figure = f"{name}_engine_active_time_percent"
            assert metrics[figure].value == pytest.approx(vendor[figure], rel=5e-3)
        for figure in ("dma_active_time_percent", "total_active_time_percent"):
            assert metrics[figure].source == "rows"
            assert metrics[figure].value == pytest.approx(vendor[figure], rel=5e-3)

    check_rows(metrics)
    for name in ("mbu_estimated_percent", "mm_arithmetic_intensity"):
        assert metrics[name] == Metric(vendor[name], "vendor")

    profile.manifest.vendor_metrics = {}
    check_rows(summarize(profile).metrics)

    profile.manifest.vendor_metrics = {**vendor, "hfu_estimated_percent": 0.9}
    (note,) = notes_on_metrics(profile)
    assert note.code == "vendor_figure_differs"
    assert "0.9 there" in note.message
