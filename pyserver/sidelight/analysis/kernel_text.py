"""What a predicted kernel's time rests on, in words; every screen says it so."""

from __future__ import annotations

from collections.abc import Sequence

from sidelight.analysis.annotations import KernelDetail
from sidelight.analysis.line_roofline import LineRoofline
from sidelight.profile import units
from sidelight.profile.manifest import Pricing

_AUTO_CASTS = {
    "all": "everything in fp32 runs in bf16",
    "matmult": "fp32 matrix products run in bf16",
    "none": "fp32 runs in fp32",
}


def pricing_text(pricing: Pricing) -> str:
    """What a profile's predicted times are for, and by which rates."""
    rates = "uncalibrated"
    if pricing.calibration:
        rates = f"calibrated by {pricing.calibration}"
        rates += f", measured on {pricing.measured_on}" if pricing.measured_on else ""
    cast = f"{_AUTO_CASTS.get(pricing.auto_cast, pricing.auto_cast)}"
    return f"{pricing.label} · {cast} (auto-cast {pricing.auto_cast}) · {rates}"


def kernel_work(kernel: KernelDetail) -> str:
    """Its engine, FLOPs, bytes and the roof over them."""
    parts = [f"{kernel.engine} Engine" if kernel.engine in _ENGINES else kernel.engine]
    if kernel.flops:
        parts += [units.flops(kernel.flops)]
    parts += [units.size(kernel.hbm_bytes)]
    if kernel.flops and kernel.hbm_bytes:
        parts += [f"{units.ratio(kernel.flops / kernel.hbm_bytes)} FLOP/byte"]
    return " · ".join([*parts, f"roof {_predicted(kernel.roof_ns)} ({kernel.dtype})"])


def kernel_time(kernel: KernelDetail) -> str:
    """What its time is made of, and what keeps it from being shorter."""
    busy_ns = kernel.duration_ns - kernel.fixed_ns
    parts = [
        f"{_predicted(kernel.duration_ns)} = {_predicted(busy_ns)} at work + "
        f"{_predicted(kernel.fixed_ns)} to start and end",
        f"{kernel.bound}-bound",
    ]
    if kernel.parts > 1:
        parts.append(f"shared by {kernel.parts} operators, apportioned")
    return " · ".join(parts)


def launch_text(kernels: Sequence[KernelDetail]) -> str:
    """What submitting a line's kernels takes; empty where nothing submits them."""
    launch_ns = max((kernel.launch_ns for kernel in kernels), default=0)
    if not launch_ns:
        return ""
    return f"Launching takes the host {_predicted(launch_ns)} each, which is no device time."


_ENGINES = frozenset({"Tensor", "Vector", "Scalar", "GpSimd"})


def _predicted(time_ns: float) -> str:
    return units.duration(time_ns, predicted=True)


def roofline_text(roofline: LineRoofline, steps: int) -> str:
    """Where a line lies under the roofline, by its means a step."""
    steps = max(steps, 1)
    moved = f"{units.size(round(roofline.hbm_bytes / steps))} a step"
    faster = ""
    if roofline.times_faster_at_roof is not None:
        faster = (
            f" · {units.ratio(roofline.times_faster_at_roof, predicted=True)}x as fast at its roof"
        )
    if not roofline.flops or roofline.intensity is None:
        return f"{moved} · {roofline.bound}-bound{faster}"
    attainable = units.flops(round(roofline.attainable_flops_per_s or 0))
    achieved = units.flops(round(roofline.achieved_flops_per_s))
    return (
        f"{units.flops(round(roofline.flops / steps))} and {moved} · "
        f"{units.ratio(roofline.intensity)} FLOP/byte (ridge point "
        f"{units.ratio(roofline.ridge_point)}, {roofline.dtype}) · ≈{achieved}/s of {attainable}/s "
        f"attainable · {roofline.bound}-bound{faster}"
    )
