"""Fits to measured times: what was put into made measurements is found again."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_pricing import opened

from sidelight.analysis.calibration import (
    MeasuredKernel,
    NothingMeasuredError,
    calibrate,
    errors_by_operator,
    fit,
    measured_kernels,
)
from sidelight.analysis.kernels import COMPILED_REGION, Kernel, find_kernels
from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.fusion import Operation
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.prediction import eager_fixed_ns, predict, work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from traces.chrome import operator, row

SETUP = Setup()
TRUE = Parameters(
    kernel_start_ns=23_000,
    efficiency={"Tensor bf16": 0.62, "DMA float32": 0.81, "DMA bfloat16": 0.7},
)


def kernel(name: str, *tensors: Tensor) -> Kernel:
    call = OperatorCall(name, tensors)
    work, known = work_of(call, SETUP)
    assert work is not None
    assert known
    return Kernel(0, Operation(call, work), is_known=True, region=-1, is_backward=False)


def products(sizes: Sequence[int]) -> list[Kernel]:
    return [
        kernel("aten::mm", Tensor((size, 4096), "bfloat16"), Tensor((4096, size), "bfloat16"))
        for size in sizes
    ]


def sums(sizes: Sequence[int], dtype: str) -> list[Kernel]:
    return [
        kernel("aten::add", Tensor((size, 4096), dtype), Tensor((size, 4096), dtype))
        for size in sizes
    ]


KERNELS = [
    *products([1024, 2048, 3072, 4096, 8192]),
    *sums([4096, 8192, 12288, 16384], "float32"),
    *sums([8192, 12288, 16384], "bfloat16"),
    *sums([1, 1, 2, 3, 4], "float32"),  # nothing but their start
]


def true_ns(each: Kernel, parameters: Parameters = TRUE) -> int:
    setup = replace(SETUP, parameters=parameters)
    return predict(each.operation.work, setup, fixed_ns=eager_fixed_ns(setup)).duration_ns


def test_the_parameters_behind_measurements_are_found() -> None:
    fitted = fit([MeasuredKernel(each, true_ns(each)) for each in KERNELS], SETUP)
    assert fitted.kernel_start_ns == pytest.approx(TRUE.kernel_start_ns, rel=0.02)
    assert fitted.efficiency == pytest.approx(TRUE.efficiency, rel=0.02)


def test_noise_and_a_few_odd_kernels_do_not_bend_them() -> None:
    chance = random.Random(7)
    measured = [
        MeasuredKernel(each, round(true_ns(each) * chance.uniform(0.95, 1.05)))
        for each in KERNELS
        for _ in range(9)
    ]
    measured += [MeasuredKernel(each, 20 * true_ns(each)) for each in products([1024])]
    fitted = fit(measured, SETUP)
    assert fitted.kernel_start_ns == pytest.approx(TRUE.kernel_start_ns, rel=0.1)
    assert fitted.efficiency == pytest.approx(TRUE.efficiency, rel=0.06)


def test_too_few_kernels_leave_the_documented_rate() -> None:
    two = [*products([2048, 4096]), *sums([1, 2], "float32")]
    assert fit([MeasuredKernel(each, 3 * true_ns(each)) for each in two], SETUP) == Parameters()


def test_a_fit_starts_from_the_parameters_it_is_given() -> None:
    measured = [MeasuredKernel(each, true_ns(each)) for each in products([1024, 2048, 4096])]
    earlier = Parameters(kernel_start_ns=23_000, efficiency={"Vector float32": 0.5})
    fitted = fit(measured, replace(SETUP, parameters=earlier))
    assert fitted.kernel_start_ns == 23_000
    assert fitted.efficiency == {
        "Vector float32": 0.5,
        "Tensor bf16": pytest.approx(0.62, rel=0.01),
    }


def test_a_rate_stays_within_bounds() -> None:
    absurd = [MeasuredKernel(each, 10**12) for each in products([1024, 2048, 4096])]
    assert fit(absurd, SETUP).efficiency == {"Tensor bf16": 0.01}
    soon_ns = eager_fixed_ns(SETUP) + 9
    instant = [MeasuredKernel(each, soon_ns) for each in products([4096, 8192, 8192])]
    assert fit(instant, SETUP).efficiency["Tensor bf16"] == 4


def test_errors_are_those_of_a_plain_recomputation() -> None:
    chance = random.Random(3)
    measured = [
        MeasuredKernel(each, round(true_ns(each) * chance.uniform(0.5, 2))) for each in KERNELS
    ]
    errors = errors_by_operator(measured, replace(SETUP, parameters=TRUE))
    assert [error.operator for error in errors] == ["aten::mm", "aten::add"]
    for error in errors:
        own = [each for each in measured if each.kernel.operation.call.name == error.operator]
        ratios = [true_ns(each.kernel) / each.measured_ns for each in own]
        assert error.kernels == len(own)
        assert error.measured_ns == sum(each.measured_ns for each in own)
        assert error.median_ratio == pytest.approx(statistics.median(ratios))
        off = sorted(abs(ratio - 1) for ratio in ratios)
        ninth = statistics.quantiles(off, n=10, method="inclusive")[8]
        assert error.p90_error == pytest.approx(ninth)


def mm(at: float, number: int, rows: int = 64) -> dict[str, Any]:
    sizes: dict[str, Any] = {
        "Input Dims": [[rows, 64], [64, 64]],
        "Input type": ["float"] * 2,
        "External id": number,
    }
    return operator("aten::mm", at, 5, **sizes)


def test_a_kernels_time_is_that_of_all_rows_launched_in_it(tmp_path: Path) -> None:
    inner = operator("aten::inner_copy", 11, 2, **{"External id": 3})
    region = operator(COMPILED_REGION, 20, 10)
    profile = opened(
        tmp_path,
        [
            mm(0, 1),
            mm(10, 2),
            inner,
            region,
            mm(22, 4),
            row("kernel", "gemm", 2, 3, tid=7, pid=0, **{"External id": 1}),
            row("kernel", "gemm", 12, 4, tid=7, pid=0, **{"External id": 2}),
            row("kernel", "split", 17, 1, tid=7, pid=0, **{"External id": 3}),
            row("kernel", "gemm", 26, 4, tid=7, pid=0, **{"External id": 4}),
            row("kernel", "of nobody", 40, 4, tid=7, pid=0),
        ],
    )
    measured = measured_kernels(profile, find_kernels(profile, SETUP))
    # The one in the compiled graph may share a kernel with others, so it tells nothing.
    assert [each.measured_ns for each in measured] == [3_000, 5_000]


@pytest.mark.parametrize("category", [None, "privateuse1_driver"])
def test_without_measured_kernels_there_is_nothing_to_fit(
    tmp_path: Path, category: str | None
) -> None:
    coarse = row(category or "", "dispatch", 2, 3, tid=7, pid=0, **{"External id": 1})
    profile = opened(tmp_path, [mm(0, 1), *([coarse] if category else [])])
    with pytest.raises(NothingMeasuredError, match="trace has no measured device time") as caught:
        calibrate(profile, SETUP)
    assert caught.value.code == "nothing_measured"
