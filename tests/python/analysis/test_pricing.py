"""Prices of whole profiles: they add up, say what they lack, and leave measured times alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from test_real_traces import TRACES
from torch_programs import PROGRAMS, compiled, linear_layer, rms_norm
from torch_runs import FILE, at_line, record, torch

from sidelight.analysis.attribution import attribute
from sidelight.analysis.explain import explain_lines
from sidelight.analysis.kernel_prices import price_kernels, shares
from sidelight.analysis.kernels import Kernel, KernelWalk
from sidelight.analysis.line_roofline import line_roofline
from sidelight.analysis.lines import line_report
from sidelight.analysis.predicted_timeline import without_predictions
from sidelight.analysis.predictions import PricedRows, predictions_by_line
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.analysis.report import LineReport
from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.fusion import Operation
from sidelight.hardware.prediction import work_of
from sidelight.hardware.tensors import Tensor
from sidelight.ingest import read
from sidelight.profile import units
from sidelight.profile.manifest import DeviceMemory
from sidelight.profile.model import Profile
from traces.chrome import operator, row, write

REQUEST = PricingRequest()
MEASURED = (
    "self_ns",
    "total_ns",
    "forward_ns",
    "backward_ns",
    "launched_ns",
    "count",
    "host_ns",
    "ops",
)
SUMS = ("flops", "hbm_bytes", "tensor_ns", "vector_ns", "scalar_ns", "dma_ns")


def kernels_with_prices(walk: KernelWalk) -> list[Any]:
    return price_kernels(walk.kernels, REQUEST.setup())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_is_predicted_adds_up(program: Callable[[], None], tmp_path: Path) -> None:
    run = record(program, tmp_path)
    walk = price(run.profile, REQUEST)
    report = line_report(run.profile, "")
    by_line = predictions_by_line(run.profile)
    priced = kernels_with_prices(walk)
    whole = sum(kernel.price.prediction.duration_ns for kernel in priced)
    assert whole > 0
    assert report.predicted_ns == whole
    on_no_line = by_line[-1, -1].predicted_ns if (-1, -1) in by_line else 0
    assert sum(line.predicted_ns or 0 for line in report.lines) + on_no_line == whole
    for column in SUMS:
        amounts = [
            getattr(kernel.price.prediction, column)
            if column in ("flops", "hbm_bytes")
            else round(
                {
                    engine.value.lower(): time_ns
                    for engine, time_ns in kernel.price.prediction.engines_ns.items()
                }[column[:-3]]
            )
            for kernel in priced
        ]
        assert int(PricedRows(run.profile).part_of(column).sum()) == sum(amounts)
    assert sum(each.flops for each in by_line.values()) == sum(
        kernel.price.prediction.flops for kernel in priced
    )
    explained = [kernel for kernels in explain_lines(run.profile).values() for kernel in kernels]
    assert sum(kernel.total_ns for kernel in explained) + on_no_line == whole


@pytest.mark.parametrize("program", [linear_layer, rms_norm, compiled])
def test_pricing_changes_nothing_that_was_measured(
    program: Callable[[], None], tmp_path: Path
) -> None:
    profile = record(program, tmp_path).profile
    before, quality = line_report(profile, ""), list(profile.manifest.quality)
    price(profile, REQUEST)
    check_measured(before, line_report(profile, ""))
    without_predictions(profile)
    assert line_report(profile, "").lines == before.lines
    assert profile.manifest.quality == quality


def check_measured(before: LineReport, after: LineReport) -> None:
    """Every number but the predicted ones; prices may add lines that have no device time."""
    for name in ("device_time_ns", "device_busy_ns", "span_ns", "unattributed_ns", "steps"):
        assert getattr(before, name) == getattr(after, name)
    was = {(line.file, line.line): line for line in before.lines}
    for line in after.lines:
        known = was.pop((line.file, line.line), None)
        if known is None:
            assert line.self_ns == line.total_ns == 0
        else:
            assert [getattr(known, name) for name in MEASURED] == [
                getattr(line, name) for name in MEASURED
            ]
            assert line.time_kind == "measured"
    assert not was


def test_equal_calls_share_a_price(tmp_path: Path) -> None:
    def program() -> None:
        for _ in range(5):
            with at_line(10):
                torch.mm(torch.ones(64, 64), torch.ones(64, 64))
            with at_line(11):
                torch.mm(torch.ones(64, 32), torch.ones(32, 64))

    run = record(program, tmp_path)
    price(run.profile, REQUEST)
    prices, events = run.profile.prices, run.profile.events
    products = np.flatnonzero(prices["tensor_ns"] > 0)
    assert prices["flops"][products].tolist() == [2 * 64**3, 2 * 64 * 32 * 64]
    assert np.bincount(events["price"][events["price"] >= 0])[products].tolist() == [5, 5]
    (first,) = [each for each in explain_lines(run.profile)[FILE, 10] if each.flops == 2 * 64**3]
    assert first.count == 5
    assert first.total_ns == 5 * first.duration_ns
    assert first.shapes == ["float32 [64, 64]", "float32 [64, 64]"]


def test_a_compiled_region_is_one_graph_whose_operators_share_kernels(tmp_path: Path) -> None:
    run = record(compiled, tmp_path)
    walk = price(run.profile, REQUEST)
    events, prices = run.profile.events, run.profile.prices
    groups = [kernel for kernel in kernels_with_prices(walk) if kernel.kernels[0].region >= 0]
    # Each call is a graph of its own, and so is its backward pass: each is launched once.
    graphs = Counter((group.kernels[0].region, group.kernels[0].is_backward) for group in groups)
    assert len(graphs) == 4
    launches = [group.price.launch_ns for group in groups if group.price.launch_ns]
    assert len(launches) == len(graphs)
    shared = [group for group in groups if len(group.kernels) > 1]
    assert shared
    for group in groups:
        rows = [kernel.row for kernel in group.kernels]
        assert len(set(events["price"][rows].tolist())) == 1
        assert events["predicted_ns"][rows].sum() == group.price.prediction.duration_ns
        assert prices["parts"][events["price"][rows[0]]] == len(rows)
    # Each call of the graph costs the same, and its kernels start faster than eager ones.
    forward = [group.price for group in groups if not group.kernels[0].is_backward]
    assert forward[: len(forward) // 2] == forward[len(forward) // 2 :]
    eager_ns = sum(
        kernel.price.prediction.duration_ns
        for kernel in price_kernels(
            [
                type(each)(each.row, each.operation, each.is_known, -1, each.is_backward)
                for group in groups
                for each in group.kernels
            ],
            REQUEST.setup(),
        )
    )
    assert sum(group.price.prediction.duration_ns for group in groups) < eager_ns
    lines = {
        line: kernels
        for (file, line), kernels in explain_lines(run.profile).items()
        if file == FILE
    }
    assert {20, 21, 22} <= set(lines)
    # A line's kernels have together what the line has, as other sums apportion it.
    pricing, by_line = run.profile.manifest.pricing, predictions_by_line(run.profile)
    assert pricing is not None
    file = next(index for index, each in enumerate(run.profile.files) if each.path == FILE)
    for line, kernels in lines.items():
        roofline, sums = line_roofline(kernels, pricing), by_line[file, line]
        assert roofline is not None
        assert (roofline.flops, roofline.hbm_bytes) == (sums.flops, sums.hbm_bytes)
    assert any(kernel.parts > 1 for kernel in lines[21])
    whole = {kernel.duration_ns for kernel in lines[21] if kernel.parts > 1}
    assert all(kernel.total_ns < 2 * max(whole) for kernel in lines[21] if kernel.parts > 1)


@given(st.integers(0, 10**15), st.lists(st.integers(0, 10**9), min_size=1, max_size=20))
def test_shares_are_in_proportion_and_add_up(total: int, weights: list[int]) -> None:
    parts = shares(total, weights)
    assert sum(parts) == total
    whole = sum(weights)
    for part, weight in zip(parts, weights, strict=True):
        exact = total * weight / whole if whole else total / len(weights)
        assert abs(part - exact) < 1 + 1e-6 * exact


def opened(directory: Path, events: list[Any]) -> Profile:
    return attribute(read(write(directory / "trace.json", events)))


def test_empty_tensors_cost_nothing_and_are_no_gap(tmp_path: Path) -> None:
    empty: dict[str, Any] = {"Input Dims": [[0, 64]], "Input type": ["float"]}
    profile = opened(tmp_path, [operator("aten::exp", 1, 5, **empty)])
    price(profile, REQUEST)
    assert line_report(profile, "").predicted_ns == 0
    assert "not_priced" not in {note.code for note in profile.manifest.quality}


@pytest.mark.parametrize(("ranks", "crossing_bytes"), [(4, 4 * 2**24), (None, None)])
def test_what_is_gathered_is_of_all_ranks(
    ranks: int | None, crossing_bytes: int | None, tmp_path: Path
) -> None:
    """``all_gather(list, t)``: the profiler records no list of lists, the run its ranks."""
    part: dict[str, Any] = {
        "Input Dims": [[], [[4096, 1024]], []],
        "Input type": ["", "TensorList", ""],
        "Concrete Inputs": ["", "", ""],
    }
    profile = opened(tmp_path, [operator("c10d::allgather_", 1, 5, **part)])
    profile.manifest.world_size = ranks
    price(profile, REQUEST)
    codes = [note.code for note in profile.manifest.quality]
    if crossing_bytes is None:
        assert "not_priced" in codes
        assert line_report(profile, "").predicted_ns is None
    else:
        assert "not_priced" not in codes
        # A quarter of 1,280 GB/s crosses the links of one logical core.
        assert profile.prices["collective_ns"][0] == round(crossing_bytes / 320)


def test_what_is_priced_as_if_all_were_picked_is_told(tmp_path: Path) -> None:
    def program() -> None:
        x = torch.ones(64, 8)
        x[x > 2].sum()
        x[x > 2] = 0.0
        x.relu()

    profile = record(program, tmp_path).profile
    price(profile, REQUEST)
    (note,) = [each for each in profile.manifest.quality if each.code == "priced_as_if_all"]
    assert "aten::index" in note.message
    assert "aten::relu" not in note.message


def test_device_time_that_nothing_priced_launched_is_told(tmp_path: Path) -> None:
    sizes: dict[str, Any] = {"Input Dims": [[64, 64], [64, 64]], "Input type": ["float"] * 2}
    profile = opened(
        tmp_path,
        [
            operator("aten::mm", 0, 10, **sizes, **{"External id": 1}),
            operator("aten::mm", 60, 10, **sizes, **{"External id": 4}),  # on the host, it seems
            operator("aten::item", 11, 2, **{"External id": 2}),
            operator("Torch-Compiled Region: 0/0", 20, 10, **{"External id": 3}),
            row("kernel", "gemm", 5, 3, tid=7, pid=0, **{"External id": 1}),
            row("gpu_memcpy", "Memcpy DtoH", 12, 1, tid=7, pid=0, **{"External id": 2}),
            row("kernel", "triton_poi_fused_0", 25, 4, tid=7, pid=0, **{"External id": 3}),
            row("kernel", "graph_replay", 40, 2, tid=7, pid=0),
        ],
    )
    price(profile, REQUEST)
    notes = {note.code: note for note in profile.manifest.quality}
    assert notes["kernels_not_priced"].count == 2
    assert notes["kernels_not_priced"].message.startswith("6.00 µs of the measured device time")
    report = line_report(profile, "")
    assert report.device_time_ns == 10_000
    duration_ns = int(profile.prices["duration_ns"][0])
    assert report.predicted_ns == 2 * duration_ns
    assert notes["host_work_priced"].count == 1
    assert f"≈{units.duration(duration_ns)} of the predicted" in notes["host_work_priced"].message


def test_a_trace_of_kernels_alone_is_not_priced_as_nothing(tmp_path: Path) -> None:
    profile = opened(tmp_path, [row("kernel", "gemm", 5, 3, tid=7, pid=0)])
    price(profile, REQUEST)
    assert line_report(profile, "").predicted_ns is None


def test_what_does_not_fit_is_told(tmp_path: Path) -> None:
    profile = record(linear_layer, tmp_path).profile
    capacity = PricingRequest("trn1").setup().core.hbm_bytes
    for peak_bytes, fits in ((capacity, True), (capacity + 1, False)):
        without_predictions(profile)
        profile.manifest.memory = DeviceMemory(
            peak_bytes=peak_bytes,
            weights_bytes=0,
            gradients_bytes=0,
            optimizer_bytes=0,
            activations_bytes=peak_bytes,
        )
        price(profile, PricingRequest("trn1"))
        codes = [note.code for note in profile.manifest.quality]
        assert codes.count("memory_exceeds_capacity") == (0 if fits else 1)


@pytest.mark.parametrize(("target", "is_told"), [("file", True), ("cpu", True), ("fake", False)])
def test_that_memory_was_not_estimated_is_told(target: str, is_told: bool, tmp_path: Path) -> None:
    profile = record(linear_layer, tmp_path).profile
    profile.manifest.target = target
    price(profile, REQUEST)
    notes = [note for note in profile.manifest.quality if note.code == "memory_not_estimated"]
    assert bool(notes) is is_told
    assert all("--target fake" in note.message for note in notes)
    without_predictions(profile)
    assert "memory_not_estimated" not in {note.code for note in profile.manifest.quality}


def test_other_chips_and_casts_give_other_times(tmp_path: Path) -> None:
    def program() -> None:
        torch.mm(torch.ones(512, 512), torch.ones(512, 512))
        torch.ones(4096, 64).exp()

    profile = record(program, tmp_path).profile

    def predicted_ns(request: PricingRequest) -> int:
        without_predictions(profile)
        price(profile, request)
        assert profile.manifest.pricing is not None
        assert profile.manifest.pricing.chip == request.chip
        assert profile.manifest.pricing.auto_cast == request.auto_cast
        return line_report(profile, "").predicted_ns or 0

    trn2 = predicted_ns(REQUEST)
    assert predicted_ns(PricingRequest("trn2", lnc=1)) > trn2
    assert predicted_ns(PricingRequest("trn1")) > trn2
    assert predicted_ns(PricingRequest(auto_cast="none")) > trn2
    assert predicted_ns(PricingRequest(auto_cast="all")) < trn2
    assert predicted_ns(REQUEST) == trn2


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_public_traces_can_be_priced(path: Path) -> None:
    profile = attribute(read(path))
    before = line_report(profile, "")
    price(profile, REQUEST)
    after = line_report(profile, "")
    check_measured(before, after)
    codes = {note.code: note.count for note in after.quality}
    if "no_shapes" in codes:
        assert after.predicted_ns is None
        assert codes["not_priced"] > 0
    if after.predicted_ns:
        # No kernel of these takes a chip of this kind a second, nor less than what starting takes.
        assert int(profile.prices["duration_ns"].max()) < 10**9
        assert int(profile.prices["duration_ns"].min()) >= 10_000
        assert all((profile.prices[name] >= 0).all() for name in profile.prices)


def test_an_operator_that_does_nothing_shares_no_kernel() -> None:
    """``dropout(gelu(x))`` with dropout switched off is gelu alone, and its result is written."""
    setup, x = REQUEST.setup(), Tensor((256, 1024), "bfloat16")

    def kernels(*calls: OperatorCall) -> list[Kernel]:
        demands = [(call, work_of(call, setup)) for call in calls]
        operations = [(Operation(call, work), known) for call, (work, known) in demands if work]
        return [Kernel(row, *each, 7, is_backward=False) for row, each in enumerate(operations)]

    gelu, off = OperatorCall("aten::gelu", (x,)), OperatorCall("aten::dropout", (x, 0.1, False))
    (alone,) = price_kernels(kernels(gelu), setup)
    (followed,) = price_kernels(kernels(gelu, off), setup)
    assert followed.price == alone.price
    assert followed.price.prediction.hbm_bytes == 2 * 2 * 256 * 1024
