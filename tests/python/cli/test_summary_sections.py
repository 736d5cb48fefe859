"""Steps, idle time, collectives and memory in ``sidelight summary``: the document and its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.recorded import Recording
from cli.running import Run
from sidelight.analysis.attribution import attribute
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import Series, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.store import Store
from sidelight.profile.tables import Category

ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32"
COPY = "Memcpy HtoD (Pageable -> Device)"
LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


def training() -> Profile:
    """Two kernels, a collective and a copy of 100 ns, 200 ns idle while a batch is fetched."""
    builder = ProfileBuilder()
    thread = builder.tracks.code(Track("host", "main", "1", "1"))
    stream = builder.tracks.code(Track("device", "stream 7", "0", "7"))
    line = builder.frame("/src/train.py", 12, "main")
    rows: list[tuple[int, Category, str, int, int, int, int]] = [
        (thread, Category.LINE, "line", 0, 700, -1, line),
        (thread, Category.RUNTIME, "launch", 10, 5, 1, -1),
        (thread, Category.RUNTIME, "launch", 20, 5, 2, -1),
        (thread, Category.RUNTIME, "launch", 30, 5, 3, -1),
        (thread, Category.ANNOTATION, LOADER, 350, 250, -1, -1),
        (thread, Category.RUNTIME, "launch", 600, 0, 4, -1),
        (stream, Category.DEVICE, "k", 100, 100, 1, -1),
        (stream, Category.DEVICE, ALL_REDUCE, 200, 100, 2, -1),
        (stream, Category.DEVICE, COPY, 300, 100, 3, -1),
        (stream, Category.DEVICE, "k", 600, 100, 4, -1),
    ]
    columns = list(zip(*rows, strict=True))
    builder.add_rows(
        {
            "track": columns[0],
            "category": columns[1],
            "name": [builder.strings.code(name) for name in columns[2]],
            "start_ns": columns[3],
            "duration_ns": columns[4],
            "correlation_id": columns[5],
            "frame": columns[6],
        }
    )
    builder.add_samples(Series("HBM, total", "bytes", "device 0"), [0, 150], [1e9, 3e9])
    manifest = new_manifest("train", "test", [])
    manifest.device, manifest.line_level = "cuda", "line"
    return attribute(builder.build(manifest, "it"))


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    Store(tmp_path / "trained").add(training())
    return tmp_path / "trained"


def test_the_document(run: Run, trained: Path) -> None:
    document: dict[str, Any] = json.loads(
        run("summary", "train", "--store", trained, "--json").stdout
    )
    time, idle = document["step_time"], document["idle"]
    assert time["total"] == {
        "duration_ns": 700,
        "compute_ns": 200,
        "collectives_ns": 100,
        "dma_ns": 100,
        "host_ns": 300,
        "idle_ns": 0,
    }
    metrics = document["metrics"]
    assert idle["idle_ns"] == metrics["span_ns"]["value"] - metrics["device_busy_ns"]["value"]
    assert [(each["cause"], each["duration_ns"]) for each in idle["causes"]] == [
        ("data_loader", 200)
    ]
    assert (idle["causes"][0]["lines"][0]["file"], idle["causes"][0]["lines"][0]["line"]) == (
        "/src/train.py",
        12,
    )
    assert [(each["cause"], each["duration_ns"]) for each in idle["waiting"]] == [
        ("collective_wait", 100),
        ("dma_wait", 100),
    ]
    assert (document["headline"]["bound"], document["headline"]["busy_share"]) == ("host", 4 / 7)
    (group,) = document["collectives"]["groups"]
    assert (group["kind"], group["count"], group["median_ns"]) == ("all-reduce", 1, 100.0)
    assert document["memory"]["device"]["peak_bytes"] == 3_000_000_000


def test_what_a_person_reads(run: Run, trained: Path) -> None:
    text = run("summary", "train", "--store", trained).stdout
    assert (
        "The step takes 700 ns, of that\n"
        "  computing          28.6%  200 ns\n"
        "  collectives alone  14.3%  100 ns\n"
        "  moving data alone  14.3%  100 ns\n"
        "  the host alone     42.9%  300 ns\n"
        "  Host-bound: the device is busy for 57.1% of a step, mostly because the host fetches "
        "batches\n  meanwhile.\n"
    ) in text
    assert (
        "Why the device was idle for 200 ns a step, between its work\n"
        "  the host fetched a batch  100%  100% of it at train.py:12\n"
    ) in text
    assert "Lines with most device time, a step\n  train.py:12  400 ns  100%\n" in text
    assert "Collectives, median time\n  all-reduce  100 ns  once\n" in text
    assert (
        "  at its peak    3.00 GB  as it was sampled, at train.py:12\n"
        "  capacity     not known  nothing that is recorded says how much there is\n"
    ) in text


def test_on_a_cpu_host_and_device_are_one(run: Run, tmp_path: Path) -> None:
    recording = Recording()
    for _ in range(2):
        recording.step()
        with recording.line("/src/train.py", 3):
            recording.operator("aten::mul", 600)
            recording.now_ns += 300
            recording.operator("aten::add", 100)
    manifest = new_manifest("train", "test", [])
    manifest.target, manifest.device, manifest.line_level = "cpu", "cpu", "line"
    Store(tmp_path / "store").add(recording.profile(manifest, [SourceFile("/src/train.py")]))
    text = run("summary", "train", "--store", tmp_path / "store").stdout
    assert (
        "A mean step takes 1.00 µs, of that\n"
        "  computing          70.0%  700 ns\n"
        "  outside operators  30.0%  300 ns\n"
    ) in text
    assert (
        "What ran between operators, for 300 ns a step\n"
        "  the program itself  100%  100% of it at train.py:3\n"
    ) in text
    assert "late" not in text
    document = json.loads(run("summary", "train", "--store", tmp_path / "store", "--json").stdout)
    assert document["step_time"]["rule"].startswith("The CPU is the device here.")
    (cause,) = document["idle"]["causes"]
    assert (cause["cause"], cause["duration_ns"]) == ("between_operators", 600)
