"""The table of categories against Kineto's own list, real traces, and what torch writes here."""

from __future__ import annotations

import gzip
import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.ingest.categories import is_listed, meaning_of
from sidelight.profile.model import Profile
from sidelight.profile.tables import DEVICE_TIME_LEVELS, Category

TRACES = sorted((Path(__file__).parents[4] / "shared" / "traces" / "torch").glob("*.json.gz"))

OF_DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "mtia_ccp_events"}
STANDS_FOR_DEVICE = {"privateuse1_driver", "privateuse1_runtime"}
CALLS = {"cpu_op", "python_function", "collective_comm", "hpu_op"}
RUNTIMES = {f"{maker}_runtime" for maker in ("cuda", "mtia", "glow", "xpu")}
DRIVERS = {"cuda_driver", "xpu_driver"}
WAITS_AND_MARKS = {"cuda_sync", "cuda_event", "overhead", "cpu_instant_event"}
REGIONS = {"user_annotation", "gpu_user_annotation", "external_correlation"}
COUNTERS = {"mtia_insight", "mtia_counters", "cuda_profiler_range", "xpu_scope_profiler"}
NO_DEVICE_TIME = CALLS | RUNTIMES | DRIVERS | WAITS_AND_MARKS | REGIONS | COUNTERS
"""What Kineto's ``ActivityType.h`` and its writers say of each: work of a device, or not."""


@pytest.fixture(scope="module")
def installed_torch() -> Path:
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    return Path(spec.origin).parent


def kineto_categories(torch_directory: Path) -> list[str]:
    """The names that the installed library writes as ``cat``, which lie in it one after another."""
    library = (torch_directory / "lib" / "libtorch_python.so").read_bytes()
    found = re.search(rb"\0((?:cpu_op\0user_annotation\0)(?:[a-z0-9_]+\0)+)ENUM_COUNT\0", library)
    assert found
    return found[1].decode().rstrip("\0").split("\0")


def test_every_category_of_the_installed_kineto_is_judged(installed_torch: Path) -> None:
    written = kineto_categories(installed_torch)
    header = (installed_torch / "include" / "kineto" / "ActivityType.h").read_text()
    assert [*written, "ENUM_COUNT"] == re.findall(r'\{"(\w+)", ActivityType::', header)
    assert set(written) == OF_DEVICE | STANDS_FOR_DEVICE | NO_DEVICE_TIME
    assert [name for name in written if not is_listed(name)] == []
    counted = {name for name in written if meaning_of(name).category in DEVICE_TIME_LEVELS}
    assert counted == OF_DEVICE | STANDS_FOR_DEVICE
    finest = {name for name in written if meaning_of(name).category == Category.DEVICE}
    assert finest == OF_DEVICE


def test_what_torch_records_here_is_listed(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch")
    with torch.profiler.profile(
        record_shapes=True, profile_memory=True, with_stack=True, with_modules=True
    ) as profiler:
        weights = torch.ones(4, 4, requires_grad=True)
        with torch.profiler.record_function("forward"):
            (weights @ weights).sum().backward()
        profiler.step()
    profiler.export_chrome_trace(str(tmp_path / "t.json"))
    events: list[dict[str, Any]] = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    written = {event["cat"] for event in events if event["ph"] == "X"}
    assert {"cpu_op", "python_function", "user_annotation"} <= written
    assert {name for name in written if not is_listed(name)} == set()
    assert "unknown_categories" not in codes(ingest.read(tmp_path / "t.json"))


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not beside the checkout")
def test_every_category_of_real_traces_is_listed() -> None:
    written = {
        event["cat"]
        for path in TRACES
        for event in json.loads(gzip.decompress(path.read_bytes())).get("traceEvents", [])
        if event["ph"] == "X"
    }
    assert len(written) > 10
    assert {name for name in written if not is_listed(name)} == set()


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def categories_by_name(profile: Profile) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    names: list[int] = profile.events["name"].tolist()
    for name, category in zip(names, profile.events["category"].tolist(), strict=True):
        found.setdefault(profile.strings[name], set()).add(category)
    return found


def row(category: str, name: str, start_us: int, duration_us: int) -> dict[str, Any]:
    times = {"ts": start_us, "dur": duration_us}
    return {"ph": "X", "cat": category, "name": name, "pid": 0, "tid": 7, **times}


def read(path: Path, events: list[dict[str, Any]]) -> Profile:
    path.write_text(json.dumps({"traceEvents": events}))
    return ingest.read(path)


def test_rows_of_an_unknown_category_are_kept_and_told(tmp_path: Path) -> None:
    kinds = [
        "npu_op",
        "npu_op",
        "tpu_op",
        "kernel",
        "Trace",
        "Kernel",
        *map("kind{}".format, range(4)),
    ]
    events = [row(kind, f"row {at}", 10 * at, 5) for at, kind in enumerate(kinds)]
    del events[4]["cat"]
    profile = read(tmp_path / "t.json", events)
    (note,) = (each for each in profile.manifest.quality if each.code == "unknown_categories")
    assert (note.severity, note.count) == ("warning", 7)
    assert "(npu_op, tpu_op, kind0, kind1 and 2 more)" in note.message
    kinds_by_name = categories_by_name(profile)
    assert kinds_by_name.keys() == {event["name"] for event in events}
    device = {name for name, kinds in kinds_by_name.items() if kinds == {Category.DEVICE}}
    assert device == {"row 3", "row 5"}


def test_waits_of_a_stream_are_no_device_time(tmp_path: Path) -> None:
    waits = [
        ("mtia_ccp_events", "event_wait"),
        ("mtia_ccp_events", "event_record"),
        ("cuda_sync", "Stream Wait Event"),
        ("cuda_sync", "Context Sync"),
        ("cuda_event", "cudaEventRecord"),
        ("xpu_sync", "zeEventHostSynchronize"),
        ("cuda_runtime", "hipStreamWaitEvent"),
        ("mtia_runtime", "synchronizeStream"),
    ]
    # A kernel may be called as it likes: only what MTIA calls a wait is one.
    work = [("mtia_ccp_events", "pe_exe"), ("kernel", "event_wait"), ("gpu_memcpy", "Memcpy DtoH")]
    events = [row(*each, 10 * at, 5) for at, each in enumerate(waits + work)]
    profile = read(tmp_path / "t.json", events)
    by_name = categories_by_name(profile)
    device = {name for name, kinds in by_name.items() if Category.DEVICE in kinds}
    assert device == {name for _, name in work}
    assert by_name["event_wait"] == {Category.OTHER, Category.DEVICE}
    assert by_name["event_record"] == {Category.OTHER}
    assert "unknown_categories" not in codes(profile)


def test_a_device_that_only_waits_has_no_rows_of_work(tmp_path: Path) -> None:
    events = [row("cpu_op", "aten::add", 0, 9), row("mtia_ccp_events", "event_wait", 1, 5)]
    assert read(tmp_path / "t.json", events).manifest.device == "cpu"
