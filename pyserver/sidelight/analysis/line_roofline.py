"""Where a line lies under the roofline: all its predicted kernels together."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sidelight.analysis.annotations import KernelDetail
from sidelight.analysis.roofline.position import peak_of_core, roof_position
from sidelight.analysis.roofline.work_sum import WorkSum
from sidelight.hardware.cores import logical_core
from sidelight.hardware.roofline import achieved_flops_per_s, ridge_point
from sidelight.hardware.work import Engine
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
        times_faster_at_roof: Its predicted time by the least that the roofs allow; None where
            nothing is done or moved.
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
    times_faster_at_roof: float | None
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
    work = _sum(kernels)
    if not work.predicted_ns or work.dtype is None or work.bound is None:
        return None
    core = logical_core(pricing.chip, pricing.lnc)
    flops, hbm_bytes = work.flops or 0, work.hbm_bytes or 0
    position = roof_position(
        peak_of_core(core, work.dtype),
        flops=flops,
        hbm_bytes=hbm_bytes,
        time_ns=work.predicted_ns,
        link_ns=work.link_ns,
    )
    return LineRoofline(
        dtype=work.dtype,
        flops=flops,
        hbm_bytes=hbm_bytes,
        intensity=position.intensity,
        ridge_point=ridge_point(core, work.dtype),
        attainable_flops_per_s=position.attainable_flops_per_s,
        achieved_flops_per_s=achieved_flops_per_s(flops, work.predicted_ns),
        times_faster_at_roof=position.times_faster_at_roof,
        bound=work.bound,
    )


def _sum(kernels: Sequence[KernelDetail]) -> WorkSum:
    work = WorkSum(flops=0, hbm_bytes=0)
    for kernel in kernels:
        part = kernel.total_ns / max(kernel.duration_ns, 1)
        crosses_link = kernel.engine == Engine.COLLECTIVE.value
        work.flops = (work.flops or 0) + kernel.total_flops
        work.hbm_bytes = (work.hbm_bytes or 0) + kernel.total_hbm_bytes
        work.add_predicted(
            kernel.dtype,
            kernel.bound,
            kernel.total_flops,
            kernel.total_ns,
            fixed_ns=part * kernel.fixed_ns,
            link_ns=part * kernel.roof_ns if crosses_link else 0,
        )
    return work
