"""Rates over time by the rows of engines: as a walk over every nanosecond and the vendor say."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from test_oracle import BOUNDED

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.metrics.summary import summarize
from sidelight.analysis.timelines.counters import Counters
from sidelight.analysis.timelines.rates import DMA_THROUGHPUT, HFU, rates_of
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import CoreFigures, Series, Track, TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

TRACES = sorted(
    (Path(__file__).parents[4] / "shared" / "traces" / "neuron").glob("*/*_profile_full.json")
)

Rows = list[tuple[str, int, int, int]]
"""Core, start, duration and amount of each."""


def made(engine: TrackEngine, column: str, rows: Rows, *, has_series: bool = False) -> Profile:
    builder = ProfileBuilder()
    for core, start_ns, duration_ns, amount in rows:
        builder.add_rows(
            {
                "track": [builder.tracks.code(Track("device", engine, core, engine, engine))],
                "category": [Category.ENGINE_WORK],
                "name": [builder.strings.code("row")],
                "start_ns": [start_ns],
                "duration_ns": [duration_ns],
            },
            work={column: [amount]},
        )
    if has_series:
        builder.add_samples(Series(DMA_THROUGHPUT, "bytes_per_s", "nc0"), [0, 5], [1.0, 2.0])
    manifest = new_manifest("core", "test", [])
    # 2 x 10 x 5 operations a cycle on each of two cores: 200 a nanosecond.
    manifest.core = CoreFigures(
        physical_cores=2, tensor_rows=10, tensor_columns=5, tensor_clock_hz=1e9
    )
    return attribute(builder.build(manifest, "it"))


@BOUNDED
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("nc0", "nc1")),
            st.integers(0, 30),
            st.integers(0, 9),
            st.integers(-1, 900),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_rates_are_as_a_walk_over_every_nanosecond_says(rows: Rows) -> None:
    profile = made("tensor", "flops", rows)
    zero = min(start for _, start, _, _ in rows)
    walked: dict[str, list[float]] = {}
    for core, start, duration, flops in rows:
        if flops > 0:
            of_core = walked.setdefault(core, [0.0] * 50)
            for instant in range(start - zero, start - zero + max(duration, 1)):
                of_core[instant] += flops / max(duration, 1) / 200
    found = {rate.series.owner: rate for rate in rates_of(profile)}
    assert set(found) == set(walked)
    for core, rate in found.items():
        assert rate.series == Series(HFU, "fraction", core)
        index = np.searchsorted(rate.at_ns, np.arange(50), side="right") - 1
        told = np.where(index >= 0, rate.value[index], 0.0)
        assert told == pytest.approx(walked[core])
        assert rate.value[-1] == 0


def test_dma_throughput_is_in_bytes_a_second_and_drawn() -> None:
    profile = made("dma", "moved_bytes", [("nc0", 100, 10, 4000), ("nc0", 105, 10, 1000)])
    counters = Counters(profile)
    (overview,) = counters.overview
    assert (overview.name, overview.unit, overview.owner) == (DMA_THROUGHPUT, "bytes_per_s", "nc0")
    assert overview.highest == pytest.approx(500e9)
    (window,) = counters.windows(0, 15, 3).counters
    means = np.frombuffer(base64.b64decode(window.mean), "<f4").tolist()
    assert means == pytest.approx([400e9, 500e9, 100e9])


def test_a_series_that_the_file_has_goes_before_its_rows() -> None:
    profile = made("dma", "moved_bytes", [("nc0", 0, 10, 4000)], has_series=True)
    assert list(rates_of(profile)) == []


@pytest.mark.skipif(not TRACES, reason="needs the shared traces")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.parts[-1][:30])
def test_over_all_of_the_time_hfu_is_that_of_the_profiler(path: Path) -> None:
    profile = attribute(ingest.read(path))
    (rate,) = rates_of(profile)
    assert rate.series.name == HFU
    metrics = summarize(profile).metrics
    total_s, hfu = metrics["total_time"].value, profile.manifest.vendor_metrics
    assert total_s is not None
    active_s = float((rate.value[:-1] * np.diff(rate.at_ns)).sum()) / 1e9
    assert active_s / total_s == pytest.approx(hfu["hfu_estimated_percent"], rel=1e-3)
