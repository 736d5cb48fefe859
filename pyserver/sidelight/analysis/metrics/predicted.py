"""The figures of a core that only predictions know."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.device_time import busy_time_ns, counted_rows
from sidelight.analysis.metrics.figures import Figures
from sidelight.analysis.metrics.utilization import CorePeak, utilization
from sidelight.analysis.predictions import ENGINE_COLUMNS, PricedRows, is_priced
from sidelight.hardware.cores import logical_core
from sidelight.hardware.work import Engine
from sidelight.profile.manifest import Pricing
from sidelight.profile.model import Profile

_SECOND_NS = 1e9

_ACTIVITIES = {
    Engine.TENSOR: "tensor_engine",
    Engine.VECTOR: "vector_engine",
    Engine.SCALAR: "scalar_engine",
    Engine.GPSIMD: "gpsimd_engine",
    Engine.DMA: "dma",
    Engine.COLLECTIVE: "cc_op",
}


def predicted_figures(profile: Profile) -> Figures:
    """What the recorded steps would do on the chip that a profile was priced for.

    The total time is that of the predicted timeline, from its first kernel to its last; where the
    times are measured ones of another device, that of the priced kernels one after another. FLOPs
    are those of kernels with products; what a compiler adds to them to turn data round is not
    predicted, so that all are the model's.

    Args:
        profile: Any profile; one without prices has none of these.
    """
    manifest = profile.manifest
    if not is_priced(profile.events) or manifest.pricing is None:
        return {}
    priced = PricedRows(profile)
    if not len(priced.rows):
        return {}
    total_ns = int(priced.predicted_ns.sum())
    active_ns = total_ns
    if manifest.time_kind == "predicted":
        total_ns, active_ns = _extent_ns(profile), busy_time_ns(profile.events)
    uses_tensor_engine = profile.prices["tensor_ns"][priced.price] > 0
    flops = int(priced.part_of("flops")[uses_tensor_engine].sum())
    hbm_bytes = int(priced.part_of("hbm_bytes").sum())
    total_time_s = total_ns / _SECOND_NS
    found: dict[str, float | None] = {
        "total_time": total_time_s,
        "hardware_flops": flops,
        "model_flops": flops,
    }
    found.update(
        utilization(
            priced_peak(manifest.pricing),
            total_time_s,
            hardware_flops=flops,
            transpose_flops=0,
            hbm_bytes=hbm_bytes,
        )
    )
    found["mfu_estimated_percent"] = found["mfu_inst_estimated_percent"]
    activities = {"total": active_ns}
    for engine, name in _ACTIVITIES.items():
        # On several streams kernels may keep an engine busy at once; it is so for no longer.
        busy_ns = int(priced.part_of(ENGINE_COLUMNS[engine.value]).sum())
        activities[name] = min(busy_ns, active_ns)
    for name, busy_ns in activities.items():
        found[f"{name}_active_time"] = busy_ns / _SECOND_NS
        found[f"{name}_active_time_percent"] = busy_ns / total_ns if total_ns else None
    return found


def priced_peak(pricing: Pricing) -> CorePeak:
    """What the core can do that a profile was priced for, as the vendor's figures reckon it.

    Args:
        pricing: What it was priced for.

    Raises:
        HardwareError: The chip is none that is known.
    """
    core = logical_core(pricing.chip, pricing.lnc)
    return CorePeak(
        cores=1,
        physical_cores=core.physical_cores,
        tensor_flops_per_s=2 * core.array_rows * core.array_columns * core.tensor_hz,
        hbm_bytes_per_s=core.hbm_bytes_per_s,
    )


def _extent_ns(profile: Profile) -> int:
    events = profile.events
    counted = np.flatnonzero(counted_rows(events) & (events["step"] >= 0))
    start_ns = events["start_ns"][counted]
    end_ns = start_ns + events["duration_ns"][counted]
    return int(end_ns.max() - start_ns.min()) if len(counted) else 0
