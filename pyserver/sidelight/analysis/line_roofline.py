"""Where a line lies under the roofline: all its predicted kernels together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from sidelight.analysis.annotations import KernelDetail
from sidelight.hardware.cores import logical_core
from sidelight.hardware.roofline import (
    Bound,
    achieved_flops_per_s,
    attainable_flops_per_s,
    is_overhead,
    ridge_point,
)
from sidelight.profile.manifest import Pricing


class LineRoofline(msgspec.Struct, frozen=True, kw_only=True):
    """A line's work, over the recorded steps, and how fast it is done.

    Attributes:
        dtype: What the roof is of: that of most of the FLOPs.
        flops: Useful floating-point operations.
        hbm_bytes: What moves between HBM and the core.
        intensity: FLOP/byte; None where nothing moves.
        ridge_point: The intensity from which on the peak is the limit.
        attainable_flops_per_s: What the roof allows at that intensity; None where nothing moves.
        achieved_flops_per_s: What is predicted.
        bound: What keeps it from being faster: ``overhead`` where starting and ending kernels is
            over half of its time, else what bounds the kernels with most of the rest.
    """

    dtype: str
    flops: int
    hbm_bytes: int
    intensity: float | None
    ridge_point: float
    attainable_flops_per_s: float | None
    achieved_flops_per_s: float
    bound: str


def line_roofline(kernels: Sequence[KernelDetail], pricing: Pricing) -> LineRoofline | None:
    """The roofline of a line.

    Args:
        kernels: All its kernels.
        pricing: What they were priced for.

    Returns:
        None for a line that takes the device no time.

    Raises:
        HardwareError: The chip is none that is known.
    """
    time_ns = sum(kernel.total_ns for kernel in kernels)
    if not time_ns:
        return None
    core = logical_core(pricing.chip, pricing.lnc)
    flops = sum(kernel.total_flops for kernel in kernels)
    hbm_bytes = sum(kernel.total_hbm_bytes for kernel in kernels)
    flops_of_dtype = Counter[str]()
    for kernel in kernels:
        flops_of_dtype[kernel.dtype] += kernel.total_flops
    ((dtype, _),) = flops_of_dtype.most_common(1)
    intensity = flops / hbm_bytes if hbm_bytes else None
    return LineRoofline(
        dtype=dtype,
        flops=flops,
        hbm_bytes=hbm_bytes,
        intensity=intensity,
        ridge_point=ridge_point(core, dtype),
        attainable_flops_per_s=(
            attainable_flops_per_s(core, dtype, intensity) if intensity is not None else None
        ),
        achieved_flops_per_s=achieved_flops_per_s(flops, time_ns),
        bound=_bound(kernels, time_ns),
    )


def _bound(kernels: Sequence[KernelDetail], time_ns: int) -> str:
    fixed_ns = sum(
        kernel.total_ns * kernel.fixed_ns / max(kernel.duration_ns, 1) for kernel in kernels
    )
    if is_overhead(fixed_ns, time_ns):
        return Bound.OVERHEAD.value
    time_of_bound = Counter[str]()
    for kernel in kernels:
        if kernel.bound != Bound.OVERHEAD.value:
            time_of_bound[kernel.bound] += kernel.total_ns
    ((bound, _),) = time_of_bound.most_common(1)
    return bound
