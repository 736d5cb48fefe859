"""Where work lies under the roofs of a core. Cheap to import: no numpy in here.

The model is that of :mod:`sidelight.hardware.roofline`.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from sidelight.hardware.cores import LogicalCore

_SECOND_NS = 1e9


@dataclass(frozen=True)
class Peak:
    """What work is held against.

    Attributes:
        flops_per_s: Products that the Tensor Engine does; None where it is not known.
        hbm_bytes_per_s: What HBM moves; None likewise.
    """

    flops_per_s: float | None
    hbm_bytes_per_s: float | None


class RoofPosition(msgspec.Struct, frozen=True, kw_only=True):
    """Where work lies.

    Attributes:
        intensity: FLOP/byte; None where nothing moves, or either is not known.
        ridge_point: The intensity from which on the peak is the limit; None where it is not known.
        attainable_flops_per_s: What the roof allows at that intensity; None where there is none.
        achieved_flops_per_s: The rate of the work in its time; None where either is not known.
        roof_ns: The least time that the roofs allow: the longest of what the peak, HBM and, for
            collectives, NeuronLink take. None where FLOPs, bytes or a roof are not known.
        times_faster_at_roof: How much faster it would be there: its time by ``roof_ns``. None where
            that is not known, or is no time.
    """

    intensity: float | None
    ridge_point: float | None
    attainable_flops_per_s: float | None
    achieved_flops_per_s: float | None
    roof_ns: float | None
    times_faster_at_roof: float | None


def peak_of_core(core: LogicalCore, dtype: str) -> Peak:
    """What a logical core can do in a dtype; no products in one that it has no peak for."""
    return Peak(core.tensor_flops_per_s.get(dtype), core.hbm_bytes_per_s)


def roof_position(
    peak: Peak,
    *,
    flops: int | None,
    hbm_bytes: int | None,
    time_ns: int,
    link_ns: float = 0,
) -> RoofPosition:
    """Find where work lies.

    Args:
        peak: The roofs over it.
        flops: The work; None where it is not known.
        hbm_bytes: What it moves between HBM and the core; None likewise.
        time_ns: How long it takes.
        link_ns: What NeuronLink takes for it at least.
    """
    compute, memory = peak.flops_per_s, peak.hbm_bytes_per_s
    intensity = flops / hbm_bytes if flops is not None and hbm_bytes else None
    attainable = None
    if intensity is not None and compute and memory:
        attainable = min(compute, intensity * memory)
    roof_ns = None
    if flops is not None and hbm_bytes is not None and compute and memory:
        roof_ns = max(_SECOND_NS * flops / compute, _SECOND_NS * hbm_bytes / memory, link_ns)
    return RoofPosition(
        intensity=intensity,
        ridge_point=compute / memory if compute and memory else None,
        attainable_flops_per_s=attainable,
        achieved_flops_per_s=flops / time_ns * _SECOND_NS
        if flops is not None and time_ns
        else None,
        roof_ns=roof_ns,
        times_faster_at_roof=time_ns / roof_ns if roof_ns else None,
    )
