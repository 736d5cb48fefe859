"""The roofline, against times worked out by hand on both sides of the ridge."""

from __future__ import annotations

import math

import pytest

from sidelight.hardware.chips import CHIP_NAMES, HardwareError, chip
from sidelight.hardware.cores import logical_core
from sidelight.hardware.roofline import (
    Bound,
    achieved_flops_per_s,
    attainable_flops_per_s,
    is_overhead,
    ridge_point,
    roofline_ns,
)

ITEM_BYTES = {"bf16": 2, "fp16": 2, "tf32": 4, "fp32": 4, "fp8": 1, "mxfp8": 1, "mxfp4": 0.5}

# A skinny matmul, [24, 5120] @ [5120, 3584], touches 24*5120 + 5120*3584 + 24*3584 elements once.
SKINNY_FLOP = 2 * 24 * 5120 * 3584  # 880,803,840
SKINNY_ELEMENTS = 18_558_976

# A square one, 6144 wide, does 2 * 6144**3 FLOP on 3 * 6144**2 elements.
SQUARE_FLOP = 463_856_467_968
SQUARE_ELEMENTS = 113_246_208

# One logical core by default. Ridge: peak / bandwidth, FLOP/byte. Skinny: bytes / bandwidth, ns.
# Square: FLOP / peak, ns. For example trn2 in bf16: 166.75e12 / 725e9 = 230;
# 2 * 18,558,976 / 725e9 = 51,197 ns; 463,856,467,968 / 166.75e12 = 2,781,748 ns.
BY_HAND = [
    ("trn1", "bf16", 231.7073, 90_531.6, 4_882_699.7),
    ("trn1", "fp16", 231.7073, 90_531.6, 4_882_699.7),
    ("trn1", "tf32", 231.7073, 181_063.2, 4_882_699.7),
    ("trn1", "fp32", 57.92683, 181_063.2, 19_530_798.7),
    ("trn1", "fp8", 231.7073, 45_265.8, 4_882_699.7),
    ("inf2", "bf16", 231.7073, 90_531.6, 4_882_699.7),
    ("inf2", "fp16", 231.7073, 90_531.6, 4_882_699.7),
    ("inf2", "tf32", 231.7073, 181_063.2, 4_882_699.7),
    ("inf2", "fp32", 57.92683, 181_063.2, 19_530_798.7),
    ("inf2", "fp8", 231.7073, 45_265.8, 4_882_699.7),
    ("trn2", "bf16", 230.0, 51_197.18, 2_781_747.9),
    ("trn2", "fp16", 230.0, 51_197.18, 2_781_747.9),
    ("trn2", "tf32", 230.0, 102_394.4, 2_781_747.9),
    ("trn2", "fp32", 62.41379, 102_394.4, 10_250_971.7),
    ("trn2", "fp8", 447.9310, 25_598.59, 1_428_349.4),
    ("trn3", "bf16", 136.9388, 30_300.37, 2_765_165.2),
    ("trn3", "fp16", 136.9388, 30_300.37, 2_765_165.2),
    ("trn3", "tf32", 136.9388, 60_600.74, 2_765_165.2),
    ("trn3", "fp32", 37.34694, 60_600.74, 10_138_939.2),
    ("trn3", "fp8", 273.8776, 15_150.18, 1_382_582.6),
    ("trn3", "mxfp8", 513.6735, 15_150.18, 737_157.7),
    ("trn3", "mxfp4", 513.6735, 7_575.092, 737_157.7),
]

# A square matmul of n reads and writes 3 * n**2 elements: its intensity is 2 * n / (3 * bytes an
# element). The ridge is passed between these two sizes; on trn2 in bf16, n / 3 = 230 at n = 690.
CROSSOVERS = [
    ("trn1", "bf16", 695, 696),  # 231.707 * 3
    ("inf2", "fp32", 347, 348),  # 57.9268 * 6
    ("trn2", "bf16", 689, 691),  # 230 * 3
    ("trn2", "fp8", 671, 672),  # 447.931 * 1.5
    ("trn2", "fp32", 374, 375),  # 62.4138 * 6
    ("trn3", "bf16", 410, 411),  # 136.939 * 3
    ("trn3", "fp8", 410, 411),  # 273.878 * 1.5
    ("trn3", "mxfp8", 770, 771),  # 513.673 * 1.5
    ("trn3", "mxfp4", 385, 386),  # 513.673 * 0.75
]


def test_every_chip_and_dtype_is_worked_out() -> None:
    known = {
        (name, dtype) for name in CHIP_NAMES for dtype in logical_core(name).tensor_flops_per_s
    }
    assert {(name, dtype) for name, dtype, *_ in BY_HAND} == known


@pytest.mark.parametrize(("name", "dtype", "ridge", "skinny_ns", "square_ns"), BY_HAND)
def test_both_sides_of_the_ridge(
    name: str, dtype: str, ridge: float, skinny_ns: float, square_ns: float
) -> None:
    core = logical_core(name)
    assert ridge_point(core, dtype) == pytest.approx(ridge, rel=1e-6)

    skinny_bytes = SKINNY_ELEMENTS * ITEM_BYTES[dtype]
    found_ns = roofline_ns(core, dtype, SKINNY_FLOP, skinny_bytes)
    assert found_ns == pytest.approx(skinny_ns, rel=1e-6)

    square_bytes = SQUARE_ELEMENTS * ITEM_BYTES[dtype]
    found_ns = roofline_ns(core, dtype, SQUARE_FLOP, square_bytes)
    assert found_ns == pytest.approx(square_ns, rel=1e-6)


@pytest.mark.parametrize(("name", "dtype", "below", "beyond"), CROSSOVERS)
def test_the_crossover_is_where_the_arithmetic_puts_it(
    name: str, dtype: str, below: int, beyond: int
) -> None:
    core = logical_core(name)
    below_intensity, beyond_intensity = (
        2 * size**3 / (3 * size**2 * ITEM_BYTES[dtype]) for size in (below, beyond)
    )
    assert below_intensity < ridge_point(core, dtype) < beyond_intensity
    peak = attainable_flops_per_s(core, dtype, beyond_intensity)
    assert attainable_flops_per_s(core, dtype, below_intensity) < peak
    assert attainable_flops_per_s(core, dtype, 2 * beyond_intensity) == peak


@pytest.mark.parametrize("name", ["trn2", "trn3"])
def test_two_physical_cores_halve_the_time_and_keep_the_ridge(name: str) -> None:
    one, two = logical_core(name, 1), logical_core(name, 2)
    for dtype in one.tensor_flops_per_s:
        assert ridge_point(one, dtype) == pytest.approx(ridge_point(two, dtype))
        for work in ((3e9, 1e6), (3e6, 1e9)):
            assert roofline_ns(one, dtype, *work) == pytest.approx(
                2 * roofline_ns(two, dtype, *work)
            )


def test_the_attainable_rate_rises_to_the_peak() -> None:
    core = logical_core("trn2", 2)
    assert attainable_flops_per_s(core, "bf16", 0) == 0
    assert attainable_flops_per_s(core, "bf16", 4) == 2.9e12  # 4 FLOP/byte * 725 GB/s
    assert attainable_flops_per_s(core, "bf16", 115) == 83.375e12  # half way to the ridge
    assert attainable_flops_per_s(core, "bf16", 230) == 166.75e12
    assert attainable_flops_per_s(core, "bf16", 5000) == 166.75e12


def test_the_achieved_rate() -> None:
    # 2 * 1536**3 FLOP in 60 us: 7,247,757,312 / 60e-6
    assert achieved_flops_per_s(7_247_757_312, 60_000) == pytest.approx(120.7959552e12)
    with pytest.raises(ZeroDivisionError):
        achieved_flops_per_s(1, 0)


def test_on_the_ridge_both_take_as_long() -> None:
    """bf16 on one core of Trainium2: 83.375e12 / 362.5e9 is 230 to the last bit."""
    core = logical_core("trn2", 1)
    assert ridge_point(core, "bf16") == 230
    both_ns = roofline_ns(core, "bf16", 230 * 4096, 4096)
    assert roofline_ns(core, "bf16", 230 * 4096, 0) == pytest.approx(both_ns)
    assert roofline_ns(core, "bf16", 0, 4096) == pytest.approx(both_ns)


@pytest.mark.parametrize(
    ("fixed_ns", "expected"), [(0, False), (2_500, False), (2_501, True), (5_000, True)]
)
def test_a_fixed_cost_of_over_half_is_what_is_in_the_way(fixed_ns: float, expected: bool) -> None:
    assert is_overhead(fixed_ns, 5_000) is expected


def test_without_work_no_time_is_needed() -> None:
    assert roofline_ns(logical_core("trn1"), "bf16", 0, 0) == 0


def test_bounds_are_words() -> None:
    assert [member.value for member in Bound] == ["compute", "memory", "overhead"]


@pytest.mark.parametrize("name", CHIP_NAMES)
def test_a_dtype_without_a_peak(name: str) -> None:
    core = logical_core(name)
    for ask in (
        lambda: ridge_point(core, "int4"),
        lambda: attainable_flops_per_s(core, "int4", 1),
        lambda: roofline_ns(core, "int4", 1, 1),
    ):
        with pytest.raises(HardwareError, match=f"^{name} has no peak for int4; it has bf16, "):
            ask()


def test_the_ridge_is_that_of_the_whole_chip() -> None:
    for name in CHIP_NAMES:
        whole = chip(name)
        peak = whole.figure("chip_peak_bf16").base_value
        bandwidth = whole.figure("chip_hbm_bandwidth").base_value
        assert math.isclose(ridge_point(logical_core(name), "bf16"), peak / bandwidth)
