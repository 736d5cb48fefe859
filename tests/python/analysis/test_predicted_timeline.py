"""The timeline of predictions: what must not change in it, and how programs run by it."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from profiles import HOST_TRACKS, Event, Steps, make_profile, recordings
from test_oracle import check_conservation
from torch_programs import PROGRAMS, compiled, rms_norm
from torch_runs import Run, at_line, mark, record, torch

from sidelight.analysis.attribution import attribute
from sidelight.analysis.idle.gaps import idle_gaps
from sidelight.analysis.kernels import KernelWalk
from sidelight.analysis.lines import line_report
from sidelight.analysis.places import NODE_PREFIX
from sidelight.analysis.predicted_timeline import lay_out_predictions, without_predictions
from sidelight.analysis.predictions import UNPRICED, predictions_by_line
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.analysis.report import LineReport
from sidelight.profile.manifest import Pricing, PricingParameter
from sidelight.profile.model import Profile
from sidelight.profile.tables import PRICE_COLUMNS, Category, Table

ATTRIBUTED = ("parent", "stack", "backward", "launch", "operator", "step")
LAUNCH_NS = 104_000


TEXTS = ("operator", "rule", "engine", "bound", "dtype")
"""The columns of prices that are string ids."""


@st.composite
def priced_profiles(draw: st.DrawFn) -> tuple[Profile, KernelWalk]:
    """An attributed profile of host rows, some operators of which have made-up prices."""
    events: tuple[list[Event], Steps] = draw(recordings())
    host = [
        replace(event, external_id=-1, correlation_id=-1)
        for event in events[0]
        if event.track < HOST_TRACKS and event.category != Category.DEVICE_RUNTIME
    ]
    profile = make_profile(host, events[1])
    manifest = profile.manifest
    manifest.steps_from = draw(st.sampled_from(("run", "module")))
    manifest.target = draw(st.sampled_from(("fake", "virtual")))
    if events[1] and draw(st.booleans()):
        manifest.step_before_ns = events[1][0][0] - draw(st.integers(1, 9))
    attribute(profile)
    operators = np.flatnonzero(profile.events["category"] == Category.OPERATOR).tolist()
    rows = sorted(draw(st.sets(st.sampled_from(operators)))) if operators else []
    waits = draw(st.lists(st.sampled_from(operators), max_size=3)) if operators else []
    price_of = np.full(len(profile.events), -1, np.int32)
    predicted_ns = np.full(len(profile.events), -1, np.int64)
    launch_ns = np.zeros(len(profile.events), np.int64)
    some = st.sets(st.sampled_from(operators), max_size=2) if operators else st.just(set[int]())
    unpriced = draw(some)
    price_of[list(unpriced)] = UNPRICED
    for row in rows:
        price_of[row], predicted_ns[row] = 0, draw(st.integers(0, 500))
        launch_ns[row] = draw(st.integers(0, 100))
    profile.events = profile.events.with_columns(
        {"price": price_of, "predicted_ns": predicted_ns, "launch_ns": launch_ns}
    )
    profile.prices = Table.of(
        PRICE_COLUMNS, {name: [0 if name in TEXTS else 1] for name in PRICE_COLUMNS}
    )
    manifest.pricing = Pricing(
        chip="trn2",
        lnc=2,
        label="trn2, LNC 2",
        auto_cast="none",
        hbm_bytes=1,
        parameters=[PricingParameter("eager_launch_ns", LAUNCH_NS, "ns", "")],
    )
    return profile, KernelWalk(np.full(len(price_of), -1), waits=waits)


@settings(deadline=None)
@given(priced_profiles())
def test_nesting_attribution_and_steps_stay_as_they_were(made: tuple[Profile, KernelWalk]) -> None:
    profile, walk = made
    before, was = profile.events, line_report(profile, "")
    predicted = predictions_by_line(profile)
    lay_out_predictions(profile, walk)
    after, now = profile.events, line_report(profile, "")
    hosts = len(before)
    kernels = np.flatnonzero(before["price"] >= 0)
    kernels = kernels[np.argsort(before["start_ns"][kernels], kind="stable")]
    assert len(after) == hosts + len(kernels)
    for name in ATTRIBUTED:
        if before["predicted_ns"][kernels].any() or name != "step":
            assert (after[name][:hosts] == before[name]).all(), name
    # What has no price still has none, which is not the same as costing nothing.
    assert (after["price"][:hosts] == np.where(before["price"] == UNPRICED, UNPRICED, -1)).all()
    assert (now.predicted_ns is None) == (was.predicted_ns is None)
    device = slice(hosts, None)
    assert (after["category"][device] == Category.DEVICE).all()
    assert (after["duration_ns"][device] == before["predicted_ns"][kernels]).all()
    # A node of the backward pass has no operator's name: its kernel counts under its own.
    called: list[int] = before["name"][kernels].tolist()
    own = np.array([profile.strings[name].startswith(NODE_PREFIX) for name in called], np.bool_)
    rows = np.where(own, hosts + np.arange(len(kernels)), kernels)
    assert (after["operator"][device] == rows).all()
    for name in ("stack", "backward", "launch", "step"):
        assert (after[name][device] == before[name][kernels]).all(), name
    assert (after["start_ns"][device] >= after["start_ns"][kernels]).all()
    ends = after["start_ns"][device] + after["duration_ns"][device]
    assert (after["start_ns"][device][1:] >= ends[:-1]).all()
    check_conservation(now)
    check_predicted(now)
    assert now.steps == was.steps
    counts = {(line.file, line.line): line.count for line in was.lines}
    for line in now.lines:
        assert counts.get((line.file, line.line), line.count) == line.count
        frames = [profile.files[file].path for file, _ in predicted if file >= 0]
        assert line.file in {*frames, *(each.file for each in was.lines)}


@settings(deadline=None)
@given(priced_profiles())
def test_the_hosts_time_passes_where_no_operator_of_the_device_runs(
    made: tuple[Profile, KernelWalk],
) -> None:
    profile, walk = made
    profile.manifest.target = "virtual"
    before = profile.events
    zeros = np.minimum(before["predicted_ns"], 0)
    profile.events = before.with_columns({"predicted_ns": zeros, "launch_ns": 0 * zeros})
    host = range(len(before))
    spans = [(int(before["start_ns"][row]), int(before["duration_ns"][row])) for row in host]
    operators = [
        (start, start + duration)
        for row, (start, duration) in enumerate(spans)
        if before["category"][row] == Category.OPERATOR
    ]
    boundaries = {int(at) for name in ("start_ns", "end_ns") for at in profile.steps[name]}
    before_ns = profile.manifest.step_before_ns
    boundaries |= set() if before_ns is None else {before_ns}
    instants = sorted({*boundaries, *(at for start, size in spans for at in (start, start + size))})
    expected, now = dict[int, int](), 0
    for at, after in pairwise([*instants, *(at + 1 for at in instants[-1:])]):
        expected[at] = now
        stood_in = any(start <= at and after <= end for start, end in operators)
        now += 1 if stood_in else after - at
    lay_out_predictions(profile, walk)
    for row, (start, size) in enumerate(spans):
        after = profile.events
        assert after["start_ns"][row] == expected[start]
        assert after["duration_ns"][row] == expected[start + size] - expected[start]


def check_predicted(report: LineReport) -> None:
    """What holds in every report of a laid out profile."""
    assert report.time_kind == "predicted"
    assert report.device_time_ns == (report.predicted_ns or 0)
    assert report.device_busy_ns <= report.span_ns
    for line in report.lines:
        assert line.self_ns == (line.predicted_ns or 0)


def laid_out(run: Run, request: PricingRequest, target: str = "fake") -> LineReport:
    run.profile.manifest.target = target
    lay_out_predictions(run.profile, price(run.profile, request))
    return line_report(run.profile, "")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_device_time_is_what_was_predicted(program: Any, tmp_path: Path) -> None:
    run = record(program, tmp_path)
    walk = price(run.profile, PricingRequest())
    priced = line_report(run.profile, "")
    lay_out_predictions(run.profile, walk)
    report = line_report(run.profile, "")
    check_conservation(report)
    check_predicted(report)
    assert report.device_time_ns == priced.predicted_ns
    assert {(line.line, line.self_ns, line.flops, line.hbm_bytes) for line in report.lines} == {
        (line.line, line.predicted_ns, line.flops, line.hbm_bytes)
        for line in priced.lines
        if line.predicted_ns or line.total_ns in {each.total_ns for each in report.lines}
    } | {(line.line, 0, line.flops, line.hbm_bytes) for line in report.lines if not line.self_ns}
    kernels = [kernel for line in report.lines for kernel in line.ops]
    assert sum(kernel.hbm_bytes or 0 for kernel in kernels) == sum(
        line.hbm_bytes or 0 for line in report.lines
    )


def test_shared_kernels_are_apportioned_and_others_exact(tmp_path: Path) -> None:
    report = laid_out(record(compiled, tmp_path), PricingRequest())
    lines = {line.line: line for line in report.lines}
    assert report.attribution == "mixed"
    assert lines[21].attribution == "apportioned"
    assert lines[11].attribution == "exact"
    assert lines[21].engines
    directory = tmp_path / "eager"
    directory.mkdir()
    assert laid_out(record(rms_norm, directory), PricingRequest()).attribution == "exact"


@pytest.mark.parametrize("target", ["fake", "virtual"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_another_chip_later_is_as_that_chip_at_first(
    program: Any, target: str, tmp_path: Path
) -> None:
    run = record(program, tmp_path)
    run.profile.manifest.target = target
    first = attribute_again(run.profile)
    laid_out(run, PricingRequest("trn2"), target)
    without_predictions(run.profile)
    laid_out(run, PricingRequest("trn1", auto_cast="none"), target)
    lay_out_predictions(first, price(first, PricingRequest("trn1", auto_cast="none")))
    for name in first.events:
        if name == "name":
            assert names(first) == names(run.profile)
        else:
            assert (first.events[name] == run.profile.events[name]).all(), name
    assert described(first) == described(run.profile)
    assert first.tracks == run.profile.tracks
    assert first.manifest.quality == run.profile.manifest.quality
    assert first.manifest.pricing == run.profile.manifest.pricing
    assert (first.steps["end_ns"] == run.profile.steps["end_ns"]).all()


def names(profile: Profile) -> list[str]:
    return [profile.strings[name] for name in profile.events["name"].tolist()]


def described(profile: Profile) -> list[list[Any]]:
    """The prices, with texts in place of string ids."""
    return [
        [profile.strings[value] if name in TEXTS else value for value in values.tolist()]
        for name in profile.prices
        for values in (profile.prices[name],)
    ]


def attribute_again(profile: Profile) -> Profile:
    """Another profile object of the same recording."""
    manifest = type(profile.manifest)(
        **{name: getattr(profile.manifest, name) for name in profile.manifest.__struct_fields__}
    )
    manifest.quality = list(manifest.quality)
    return Profile(
        manifest,
        strings=list(profile.strings),
        tracks=list(profile.tracks),
        files=profile.files,
        events=profile.events,
        frames=profile.frames,
        stacks=profile.stacks,
        launches=profile.launches,
        steps=profile.steps,
    )


WARMUP, STEPS = 3, 6
LARGE = 1 << 24
"""Elements whose 128 MB, read and written, take one core of trn1 over 300 µs."""


def stepping(elements: int, kernels: int) -> Any:
    """Steps of as many kernels, whose results nobody reads."""

    def program() -> None:
        source = torch.ones(elements)
        for step in range(WARMUP + STEPS):
            mark(step)
            with at_line(10):
                for _ in range(kernels):
                    source.relu_()
        mark(WARMUP + STEPS)

    return program


ALL_STEPS = [(step, step + 1) for step in range(WARMUP + STEPS)]
RECORDED = ALL_STEPS[WARMUP:]


@pytest.mark.parametrize(
    ("steps", "step_before"), [(RECORDED, WARMUP - 1), (ALL_STEPS, None)], ids=["warm", "all"]
)
def test_a_device_bound_program_never_idles(
    tmp_path: Path, steps: list[tuple[int, int]], step_before: int | None
) -> None:
    run = record(stepping(LARGE, 3), tmp_path, steps=steps, step_before=step_before)
    report = laid_out(run, PricingRequest("trn1"))
    assert report.steps == len(steps)
    per_kernel_ns = report.device_time_ns / (3 * len(steps))
    assert per_kernel_ns > 2 * LAUNCH_NS  # or the program would not be device-bound
    assert idle_gaps(run.profile.events, run.profile.steps).duration_ns.sum() == 0
    assert report.device_busy_ns == report.span_ns == report.device_time_ns
    # A step takes what the device takes for it, though the host could be far faster.
    assert report.recorded_ns == pytest.approx(report.device_time_ns, rel=0.02)
    if step_before is not None:
        lengths = run.profile.steps["end_ns"] - run.profile.steps["start_ns"]
        assert lengths == pytest.approx(3 * per_kernel_ns, rel=0.01)


def test_a_host_bound_program_idles_between_launches(tmp_path: Path) -> None:
    run = record(stepping(8, 5), tmp_path, steps=RECORDED, step_before=WARMUP - 1)
    report = laid_out(run, PricingRequest())
    kernels = 5 * STEPS
    per_kernel_ns = report.device_time_ns // kernels
    assert per_kernel_ns < LAUNCH_NS
    gaps = idle_gaps(run.profile.events, run.profile.steps).duration_ns
    assert len(gaps) == kernels - 1
    # Each gap is a launch less the kernel that ran meanwhile; the clock's own ticks are tiny.
    assert gaps == pytest.approx(LAUNCH_NS - per_kernel_ns, abs=100)
    assert report.recorded_ns == pytest.approx(kernels * LAUNCH_NS, rel=0.01)


def test_where_values_are_computed_the_hosts_own_time_counts(tmp_path: Path) -> None:
    slept_s, kernels = 0.02, 3

    def program() -> None:
        source = torch.ones(LARGE)  # slow on a CPU, and no time of the host's
        with at_line(10):
            for _ in range(kernels):
                source.relu_()
                time.sleep(slept_s)

    run = record(program, tmp_path)
    report = laid_out(run, PricingRequest(), "virtual")
    (line,) = [line for line in report.lines if line.line == 10]
    slept_ns, launching_ns = round(kernels * slept_s * 1e9), kernels * LAUNCH_NS
    assert slept_ns + launching_ns <= (line.host_ns or 0)
    events = run.profile.events
    relu = [
        row
        for row in np.flatnonzero(events["category"] == Category.OPERATOR)
        if (run.profile.strings[int(events["name"][row])] == "aten::relu_")
    ]
    assert all(events["duration_ns"][row] < 2 * LAUNCH_NS for row in relu)
    (note,) = [note for note in report.quality if note.code == "host_time_predicted"]
    assert "Python" in note.message
    assert "not known" not in note.message


def test_reading_a_value_waits_for_the_device(tmp_path: Path) -> None:
    def program() -> None:
        source = torch.ones(LARGE)
        with at_line(10):
            source.relu_()
        with at_line(11):
            value = source.sum()
        with at_line(12):
            value.item()
        with at_line(13):
            source.relu_()

    run = record(program, tmp_path)
    report = laid_out(run, PricingRequest("trn1"))
    events = run.profile.events
    names: list[str] = [run.profile.strings[int(name)] for name in events["name"]]
    device = np.flatnonzero(events["category"] == Category.DEVICE)
    (item,) = [row for row, name in enumerate(names) if name == "aten::item"]
    assert [names[row] for row in device][-3:] == ["aten::relu_", "aten::sum", "aten::relu_"]
    begins_ns = int(events["start_ns"][item])
    done_ns = int(events["start_ns"][device[-2]] + events["duration_ns"][device[-2]])
    assert begins_ns + LAUNCH_NS < done_ns <= begins_ns + events["duration_ns"][item]
    assert events["start_ns"][device[-1]] >= done_ns + LAUNCH_NS
    assert 12 not in {line.line for line in report.lines}  # it asks nothing of the device
    lines = run.profile.frames["line"][events["frame"]]
    host_ns = events["host_ns"][(events["frame"] >= 0) & (lines == 12)]
    assert host_ns.sum() == pytest.approx(done_ns - begins_ns, abs=20)


def test_a_program_without_kernels_has_no_device_time(tmp_path: Path) -> None:
    def program() -> None:
        source = torch.empty(4, 6)
        with at_line(10):
            source.view(24)

    run = record(program, tmp_path)
    assert line_report(run.profile, "").device_time_ns > 0  # the CPU's
    report = laid_out(run, PricingRequest())
    assert report.device_time_ns == report.device_busy_ns == report.span_ns == 0
    assert report.predicted_ns == 0
    check_conservation(report)
    codes = {note.code for note in report.quality}
    assert "cpu_is_device" not in codes
    assert "host_time_predicted" in codes
