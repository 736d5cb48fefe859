"""``sidelight summary``: the document, and what a person reads."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cli.contract import QUALITY, Json, check, check_report
from cli.recorded import training_profile
from cli.running import Run
from sidelight.analysis.annotate import annotate
from sidelight.analysis.attribution import attribute
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import CoreFigures, Kpi, Manifest, Series, Track
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import Category

METRIC: Json = {
    "type": "object",
    "properties": {
        "value": {"type": ["number", "null"]},
        "source": {"enum": ["rows", "vendor", "predicted"]},
    },
    "required": ["value", "source"],
    "additionalProperties": False,
}
SUMMARY: Json = {
    "type": "object",
    "properties": {
        "metrics": {
            "type": "object",
            "additionalProperties": METRIC,
            "required": [
                "total_time",
                "hfu_estimated_percent",
                "mfu_estimated_percent",
                "mbu_estimated_percent",
                "mm_arithmetic_intensity",
                "tensor_engine_active_time_percent",
                "dma_active_time_percent",
                "device_time_ns",
            ],
        },
        "kpis": {"type": "object", "additionalProperties": {"type": ["number", "null"]}},
        "quality": {"type": "array", "items": QUALITY},
    },
    "required": ["metrics", "kpis", "quality"],
}


def core_profile() -> Profile:
    """Two engines at work for one line and another, half of the time."""
    builder = ProfileBuilder()
    lines = [builder.stacks.code((-1, builder.frame("/src/k.py", n, "k"))) for n in (3, 4)]
    builder.add_rows(
        {
            "track": [
                builder.tracks.code(Track("device", engine, "nc0", engine, engine))
                for engine in ("tensor", "vector")
            ],
            "category": [Category.ENGINE_WORK] * 2,
            "name": [builder.strings.code(name) for name in ("MATMUL", "COPY")],
            "start_ns": [500, 500],
            "duration_ns": [1000, 500],
        },
        work={"flops": [50_000_000, -1], "transpose_flops": [0, -1], "wait_ns": [7, -1]},
        origins=[lines, lines[:1]],
    )
    builder.add_samples(Series("SBUF", "bytes", "nc0"), [500, 700], [0.0, 4096.0])
    manifest = new_manifest("kernel", "test", [])
    manifest.device = "neuron"
    manifest.core = CoreFigures(tensor_clock_hz=2.4e9, first_ns=0, last_ns=2000)
    manifest.vendor_metrics = {"mbu_estimated_percent": 0.125}
    return attribute(builder.build(manifest, "it"))


def benchmark_profile() -> Profile:
    manifest = Manifest(name="bench", created="2026-01-01T00:00:00Z", format="test")
    manifest.kpis = [Kpi("ttft_p50_ms", "", 12.5), Kpi("latency_p50_ms", "vision", None)]
    return attribute(Profile(manifest))


@pytest.fixture
def cores(tmp_path: Path) -> Path:
    for profile in (core_profile(), benchmark_profile()):
        Store(tmp_path / "cores").add(profile)
    return tmp_path / "cores"


def test_the_document_of_a_core(run: Run, cores: Path) -> None:
    done = run("summary", "kernel", "--store", cores, "--json")
    assert (done.status, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    check(document, SUMMARY)
    metrics = document["metrics"]
    assert metrics["total_time"] == {"value": 2e-6, "source": "rows"}
    assert metrics["mbu_estimated_percent"] == {"value": 0.125, "source": "vendor"}
    assert metrics["tensor_engine_active_time_percent"]["value"] == 0.5
    assert metrics["device_time_ns"]["value"] == 1000


def test_the_document_of_a_script(run: Run, store: Path) -> None:
    document = json.loads(run("summary", "train", "--store", store, "--json").stdout)
    check(document, SUMMARY)
    report = json.loads(run("lines", "train", "--store", store, "--json").stdout)
    assert document["metrics"]["device_time_ns"]["value"] == report["device_time_ns"]
    assert document["metrics"]["hfu_estimated_percent"]["value"] is None


def test_the_document_of_a_benchmark(run: Run, cores: Path) -> None:
    document = json.loads(run("summary", "bench", "--store", cores, "--json").stdout)
    check(document, SUMMARY)
    assert document["kpis"] == {"ttft_p50_ms": 12.5, "vision.latency_p50_ms": None}


def test_what_a_person_reads_of_a_core(run: Run, cores: Path) -> None:
    done = run("summary", "kernel", "--store", cores)
    assert done.status == 0
    assert done.stdout.splitlines()[:8] == [
        "kernel: 1.00 µs of device time a step, measured on Neuron",
        "",
        "Time",
        "  hardware, start to end  2.00 µs",
        "  of it, anything active    50.0%",
        "  device time             1.00 µs",
        "  device busy             1.00 µs",
        "  first work to last      1.00 µs",
    ]
    assert "  Tensor  50.0%\n" in done.stdout
    # Of 2 x 128 x 128 x 2.4e9 FLOP/s for 2 µs.
    assert "  HFU                       31.8%\n" in done.stdout
    assert "  MBU  12.5%  as the file's summary has it\n" in done.stdout


def test_what_a_person_reads_of_a_cores_use(run: Run, cores: Path) -> None:
    shown = run("summary", "kernel", "--store", cores).stdout
    # 2 x 128 x 128 x 2.4e9 FLOP/s for 2 us are 157 MFLOP.
    start = shown.index("Of the Tensor Engines' peak")
    assert shown[start:].splitlines()[:4] == [
        "Of the Tensor Engines' peak",
        "  useful             31.8%  50.0 MFLOP",
        "  transpose           0.0%  0 FLOP",
        "  idle or throttled  68.2%  107 MFLOP",
    ]


def test_sections_of_the_document_are_there_also_where_nothing_is_known(
    run: Run, cores: Path
) -> None:
    for name in ("kernel", "bench"):
        document = json.loads(run("summary", name, "--store", cores, "--json").stdout)
        for table in document["tables"].values():
            named = {column["name"] for column in table["columns"]}
            assert all(set(row) == named for row in table["rows"])
        assert {each["name"] for each in document["performance"]["definitions"]} >= {"MFU", "MBU"}
        whole_ns = document["metrics"]["device_time_ns"]["value"] or 0
        for graph in ("by_line", "by_module"):
            assert document["flame"][graph]["total_ns"] == whole_ns
    assert document["roofline"] is None
    assert document["core"]["flops"] is None
    assert document["performance"]["generation"]["phases_from"] == "report"


def test_what_a_person_reads_of_a_benchmark(run: Run, cores: Path) -> None:
    assert run("summary", "bench", "--store", cores).stdout.splitlines() == [
        "bench: 2 figures of a benchmark, no device time",
        "",
        "Benchmark",
        "  ttft_p50_ms                    12.5",
        "  vision.latency_p50_ms  not reported",
    ]


def test_what_a_person_reads_of_a_summary_alone(run: Run, tmp_path: Path) -> None:
    manifest = Manifest(name="whole", created="2026-01-01T00:00:00Z", format="test")
    manifest.vendor_metrics = {"total_time": 0.214, "event_type_count.nc_exec_running": 40.0}
    Store(tmp_path / "store").add(attribute(Profile(manifest)))
    shown = run("summary", "whole", "--store", tmp_path / "store").stdout.splitlines()
    assert shown == [
        "whole: figures of a summary, without the events that they are of",
        "",
        "Time",
        "  hardware, start to end  214 ms  as the file's summary has it",
        "",
        "Other figures of the file",
        "  event_type_count.nc_exec_running  40",
    ]
    document = json.loads(run("summary", "whole", "--store", tmp_path / "store", "--json").stdout)
    assert document["metrics"]["device_time_ns"] == {"value": None, "source": "rows"}


def test_what_has_figures_alone_says_how_to_see_them(run: Run, cores: Path) -> None:
    stored = Store(cores).resolve("bench").directory
    shown = run("open", stored, "--store", cores).stdout.splitlines()
    assert shown[-2].startswith("Figures  sidelight summary bench --store ")
    shown = run("open", Store(cores).resolve("kernel").directory, "--store", cores).stdout
    assert shown.splitlines()[-2].startswith("All lines  sidelight lines kernel --store ")


def test_a_profile_that_is_not_there(run: Run, cores: Path) -> None:
    done = run("summary", "none", "--store", cores, "--json")
    assert done.status == 3
    assert json.loads(done.stdout)["error"]["code"] == "profile_not_found"


def test_more_than_all_of_the_peak_is_shown_as_it_is(run: Run, tmp_path: Path) -> None:
    profile = core_profile()
    profile.work = profile.work.with_columns({"flops": profile.work["flops"] * 10})
    Store(tmp_path).add(profile)
    assert (
        "  HFU                       318%\n" in run("summary", "kernel", "--store", tmp_path).stdout
    )


def test_other_verbs_take_profiles_without_events(run: Run, cores: Path) -> None:
    for verb in (("lines", "bench"), ("compare", "bench", "kernel"), ("profiles",)):
        assert run(*verb, "--store", cores).status == 0
    document = json.loads(run("lines", "bench", "--store", cores, "--json").stdout)
    check_report(document)
    assert (document["events"], document["device_time_ns"]) == (0, 0)
    stored = Store(cores).resolve("bench")
    index = TimelineIndex(stored.load())
    assert index.overview(stored.manifest).tracks == []
    assert index.window(0, 1000, 100).count == 0
    assert index.line("/src/k.py", 3) is None
    assert annotate(stored.load()).files == []


def test_lines_of_a_core_are_as_the_contract_says(run: Run, cores: Path) -> None:
    document = json.loads(run("lines", "kernel", "--store", cores, "--json").stdout)
    check_report(document)
    assert document["attribution"] == "apportioned"
    assert {line["line"]: line["self_ns"] for line in document["lines"]} == {3: 500, 4: 500}
    assert {line["line"]: line["engines"] for line in document["lines"]} == {
        3: {"Tensor": 500, "Vector": 500},
        4: {"Tensor": 500},
    }


def test_all_tables_of_a_core_are_stored(cores: Path) -> None:
    made, stored = core_profile(), Store(cores).load("kernel")
    for name in ("work", "origins", "shares", "samples", "stacks", "events"):
        mine, other = getattr(made, name), getattr(stored, name)
        assert len(mine)
        assert list(mine) == list(other)
        for column in mine:
            np.testing.assert_array_equal(mine[column], other[column])
            assert mine[column].dtype == other[column].dtype
    for name in ("core", "series", "vendor_metrics", "kpis", "attribution"):
        assert getattr(made.manifest, name) == getattr(stored.manifest, name)


def test_a_script_has_none_of_the_tables_of_cores(tmp_path: Path) -> None:
    stored = Store(tmp_path).add(training_profile())
    assert not stored.manifest.more_tables
    assert not len(stored.load().work)
    assert not (stored.directory / "work.npz").exists()
