"""Public traces of several makers, against an independent walk over plain JSON."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.profile.tables import Category

FOLDER = Path(__file__).parents[3].parent / "shared" / "traces" / "torch"
TRACES = sorted(path for path in FOLDER.glob("*.gz") if not path.name.endswith("_et.json.gz"))

KINDS = {
    "cpu_op": Category.OPERATOR,
    "python_function": Category.FUNCTION,
    "kernel": Category.DEVICE,
    "gpu_memcpy": Category.DEVICE,
    "gpu_memset": Category.DEVICE,
    "mtia_ccp_events": Category.DEVICE,
    "cuda_runtime": Category.RUNTIME,
    "cuda_driver": Category.RUNTIME,
    "mtia_runtime": Category.RUNTIME,
    "gpu_user_annotation": Category.ANNOTATION,
}


def walk(path: Path) -> tuple[Counter[Any], Counter[Any], int]:
    """Counts and nanoseconds by (category, name), and the first start since 1970."""
    document = json.loads(gzip.decompress(path.read_bytes()), parse_float=Decimal)
    counts: Counter[Any] = Counter()
    sums: Counter[Any] = Counter()
    starts: list[int] = []
    for event in document["traceEvents"]:
        if event["ph"] != "X":
            continue
        kind = KINDS.get(event["cat"], Category.OTHER)
        if event["cat"] == "mtia_ccp_events" and event["name"] in ("event_wait", "event_record"):
            kind = Category.OTHER  # the stream waits for another, or is waited for
        if event["cat"] == "user_annotation":
            is_step = event["name"].startswith("ProfilerStep#")
            kind = Category.STEP if is_step else Category.ANNOTATION
        counts[kind, event["name"]] += 1
        sums[kind, event["name"]] += round(Decimal(event["dur"]) * 1000)
        starts.append(round(Decimal(event["ts"]) * 1000))
    return counts, sums, min(starts) + document.get("baseTimeNanoseconds", 0)


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not beside the checkout")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.split("_trace")[0])
def test_counts_and_sums_equal_a_plain_walk(path: Path) -> None:
    counts, sums, start_unix_ns = walk(path)
    profile = ingest.read(path)
    assert profile.manifest.start_unix_ns == start_unix_ns
    our_counts: Counter[Any] = Counter()
    our_sums: Counter[Any] = Counter()
    table = profile.events
    for kind, name, duration_ns in zip(
        table["category"], table["name"], table["duration_ns"], strict=True
    ):
        our_counts[Category(kind), profile.strings[name]] += 1
        our_sums[Category(kind), profile.strings[name]] += int(duration_ns)
    assert our_counts == counts
    assert our_sums == sums


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not beside the checkout")
def test_devices_are_named() -> None:
    devices = {path.name.split("_")[2]: ingest.read(path).manifest.device for path in TRACES}
    assert devices["mtia"] == "mtia"
    assert devices["amd"] == devices["mi210"] == "rocm"
    assert devices["h100"] == "cuda"
