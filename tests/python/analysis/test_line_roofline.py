"""A line under the roofline, by figures worked out by hand for trn2 at LNC 2."""

from __future__ import annotations

import pytest

from sidelight.analysis.annotations import KernelDetail
from sidelight.analysis.kernel_text import roofline_text
from sidelight.analysis.line_roofline import line_roofline
from sidelight.profile.manifest import Pricing

TRN2 = Pricing(chip="trn2", lnc=2, label="trn2, LNC 2", auto_cast="none", hbm_bytes=24 << 30)


def kernel(
    *,
    flops: int,
    hbm_bytes: int,
    duration_ns: int,
    fixed_ns: int,
    bound: str,
    count: int = 1,
    parts: int = 1,
    part: float = 1,
    dtype: str = "bf16",
) -> KernelDetail:
    """``count`` kernels, of each of which a part is the line's."""
    return KernelDetail(
        name="aten::mm",
        shapes=[],
        backward=False,
        rule="",
        engine="Tensor",
        dtype=dtype,
        flops=flops,
        hbm_bytes=hbm_bytes,
        duration_ns=duration_ns,
        fixed_ns=fixed_ns,
        roof_ns=0,
        launch_ns=0,
        bound=bound,
        parts=parts,
        count=count,
        total_ns=round(part * count * duration_ns),
        total_flops=round(part * count * flops),
        total_hbm_bytes=round(part * count * hbm_bytes),
    )


def test_below_the_ridge_point_memory_is_the_roof() -> None:
    product = kernel(
        flops=10**9,
        hbm_bytes=10**8,
        duration_ns=200_000,
        fixed_ns=20_000,
        bound="memory",
        count=3,
    )
    line = line_roofline([product], TRN2)
    assert line is not None
    assert (line.flops, line.hbm_bytes, line.dtype, line.bound) == (3e9, 3e8, "bf16", "memory")
    assert line.intensity == 10
    # A chip has 667 TFLOP/s and 2.9 TB/s for its four logical cores.
    assert line.ridge_point == pytest.approx(667 / 2.9)
    assert line.attainable_flops_per_s == pytest.approx(10 * 2.9e12 / 4)
    assert line.achieved_flops_per_s == pytest.approx(3e9 / 600e-6)
    assert roofline_text(line, steps=3) == (
        "1.00 GFLOP and 100 MB a step · 10.0 FLOP/byte (ridge point 230, bf16) · "
        "≈5.00 TFLOP/s of 7.25 TFLOP/s attainable · memory-bound · ≈1.45x as fast at its roof"
    )
    # 300 MB at 2.9 / 4 TB/s take 413.8 us of the 600.
    assert line.times_faster_at_roof == pytest.approx(600 / 413.793, rel=1e-5)


def test_beyond_it_the_peak_is() -> None:
    product = kernel(
        flops=10**12, hbm_bytes=10**8, duration_ns=8_000_000, fixed_ns=19_000, bound="compute"
    )
    line = line_roofline([product], TRN2)
    assert line is not None
    assert line.attainable_flops_per_s == pytest.approx(667e12 / 4)
    assert line.bound == "compute"


def test_many_small_kernels_are_bound_by_their_starts() -> None:
    small = kernel(
        flops=100,
        hbm_bytes=400,
        duration_ns=20_000,
        fixed_ns=19_000,
        bound="overhead",
        count=9,
    )
    large = kernel(
        flops=10**9, hbm_bytes=10**6, duration_ns=100_000, fixed_ns=19_000, bound="compute"
    )
    both = line_roofline([small, large], TRN2)
    assert both is not None
    assert both.bound == "overhead"  # 171 + 19 of 280 us
    assert both.flops == 900 + 10**9
    alone = line_roofline([large], TRN2)
    assert alone is not None
    assert alone.bound == "compute"


def test_of_a_shared_kernel_a_line_has_its_part() -> None:
    shared = kernel(
        flops=10**9,
        hbm_bytes=10**8,
        duration_ns=100_000,
        fixed_ns=4_000,
        bound="memory",
        parts=4,
        part=0.25,
    )
    line = line_roofline([shared], TRN2)
    assert line is not None
    assert (line.flops, line.hbm_bytes) == (25 * 10**7, 25 * 10**6)


def test_the_roof_is_of_the_dtype_that_most_of_the_lines_own_work_is_in() -> None:
    def product(flops: int, dtype: str, part: float) -> KernelDetail:
        return kernel(
            flops=flops,
            hbm_bytes=10**8,
            duration_ns=100_000,
            fixed_ns=4_000,
            bound="compute",
            part=part,
            dtype=dtype,
        )

    own, shared = product(2 * 10**9, "fp32", part=1), product(10**10, "bf16", part=0.1)
    line = line_roofline([shared, own], TRN2)
    assert line is not None
    assert (line.dtype, line.flops) == ("fp32", 3 * 10**9)


def test_copies_have_no_rate_to_tell() -> None:
    copy = kernel(flops=0, hbm_bytes=10**8, duration_ns=200_000, fixed_ns=19_000, bound="memory")
    line = line_roofline([copy], TRN2)
    assert line is not None
    text = "100 MB a step · memory-bound · ≈1.45x as fast at its roof"
    assert roofline_text(line, steps=1) == text


def test_a_line_without_kernels_lies_nowhere() -> None:
    assert line_roofline([], TRN2) is None
