"""What a core's arithmetic, its memory's bandwidth, its engines and its DMA were used for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from sidelight.analysis.metrics.core_work import known_sum, peak_of
from sidelight.analysis.metrics.figures import ENGINES, Metric
from sidelight.analysis.metrics.predicted import priced_peak
from sidelight.analysis.metrics.utilization import CorePeak
from sidelight.analysis.predictions import PricedRows, is_priced
from sidelight.analysis.splits.dma import DmaUse, dma_use
from sidelight.analysis.splits.split import Split, split
from sidelight.analysis.splits.throttling import lost_time
from sidelight.profile.model import Profile

_SECOND_NS: Final = 1e9

_ACTIVITIES: Final = (
    *((engine, f"{engine}_engine_active_time_percent") for engine in ENGINES),
    ("dma", "dma_active_time_percent"),
    ("collectives", "cc_op_active_time_percent"),
)

_HBM_PARTS: Final = ("read", "write", "spill save", "spill reload")

_UNKNOWN_LIMITS: Final = "What heat and power limits took is not known: it is among the rest."
_PREDICTED_PRODUCTS: Final = (
    "A prediction knows nothing of heat and power limits, nor of the transposes that a compiler "
    "adds."
)
_PREDICTED_BYTES: Final = (
    "A prediction does not tell reading from writing, and knows nothing of what a compiler spills."
)
_SOME_LIMITS: Final = (
    "Limits are known of {known} of {cores} physical cores; what others took is among the idle."
)
_UNKNOWN_SPILL: Final = "What was spilled is not known: it is in what was read and written."


class EngineUse(msgspec.Struct, frozen=True):
    """How much of the time an engine was active.

    Attributes:
        engine: Its name.
        active: The fraction, and where it is from.
    """

    engine: str
    active: Metric


class CoreUse(msgspec.Struct, frozen=True, kw_only=True):
    """What a core was used for, in the time that it took.

    Attributes:
        flops: The Tensor Engines' operations: useful ones, those that only turn data round, what
            limits took, and what was not used; None where the peak or the work is not known.
        hbm: HBM's bandwidth: what was read and written for the program, what was saved for want of
            room in SBUF and read again, and what was not used; None likewise.
        dma: How well DMA was used; None where no transfer is known.
        engines: How much of the time each was active.
    """

    flops: Split | None
    hbm: Split | None
    dma: DmaUse | None
    engines: list[EngineUse]


def core_use(profile: Profile, metrics: Mapping[str, Metric]) -> CoreUse:
    """Work out what a core was used for.

    Args:
        profile: An attributed profile.
        metrics: Its headline figures.
    """
    return CoreUse(
        flops=_flops(profile, metrics),
        hbm=_hbm(profile, metrics),
        dma=dma_use(profile, metrics),
        engines=[EngineUse(engine, metrics[name]) for engine, name in _ACTIVITIES],
    )


def _peak(profile: Profile, metric: Metric) -> CorePeak | None:
    """What the core could do that an amount is of."""
    if metric.source != "predicted":
        return peak_of(profile)
    pricing = profile.manifest.pricing
    return priced_peak(pricing) if pricing else None


def _flops(profile: Profile, metrics: Mapping[str, Metric]) -> Split | None:
    hardware, total_s = metrics["hardware_flops"], metrics["total_time"].value
    peak = _peak(profile, hardware)
    if hardware.value is None or not total_s or peak is None or not peak.flops_per_s:
        return None
    transposes = metrics["transpose_flops"].value
    transpose_flops = None if transposes is None else round(transposes)
    useful_flops = round(hardware.value) - (transpose_flops or 0)
    capacity = peak.flops_per_s * total_s
    used: dict[str, int | None] = {"useful": useful_flops, "transpose": transpose_flops}
    lost = lost_time(profile) if hardware.source != "predicted" else None
    if lost is None:
        used["throttled"] = None
        is_predicted = hardware.source == "predicted"
        rest, remark = "idle or throttled", _PREDICTED_PRODUCTS if is_predicted else _UNKNOWN_LIMITS
    else:
        left = round(capacity) - round(hardware.value)
        of_one = peak.tensor_flops_per_s or 0
        # What was done in spite of limits was not taken by them.
        used["throttled"] = max(min(round(lost.lost_ns / _SECOND_NS * of_one), left), 0)
        cores = peak.physical_cores * peak.cores
        known_of_all = lost.physical_cores >= cores
        some = _SOME_LIMITS.format(known=lost.physical_cores, cores=cores)
        rest, remark = "idle", "" if known_of_all else some
    return split("FLOP", capacity, used, rest, hardware.source, remark)


def _hbm(profile: Profile, metrics: Mapping[str, Metric]) -> Split | None:
    read, write = metrics["hbm_read_bytes"], metrics["hbm_write_bytes"]
    total_s, peak = metrics["total_time"].value, _peak(profile, read)
    if read.value is None or write.value is None or not total_s:
        return _predicted_hbm(profile, total_s)
    if peak is None or not peak.bytes_per_s:
        return None
    saved, reloaded = (
        _spill(profile, metrics, name) for name in ("spill_save_bytes", "spill_reload_bytes")
    )
    own = (round(read.value) - (reloaded or 0), round(write.value) - (saved or 0))
    used: dict[str, int | None] = dict(zip(_HBM_PARTS, (*own, saved, reloaded), strict=True))
    remark = _UNKNOWN_SPILL if saved is None or reloaded is None else ""
    return split("bytes", peak.bytes_per_s * total_s, used, "unused", read.source, remark)


def _predicted_hbm(profile: Profile, total_s: float | None) -> Split | None:
    """What is predicted to move, which way is not told."""
    pricing = profile.manifest.pricing
    if pricing is None or not total_s or not is_priced(profile.events):
        return None
    bandwidth = priced_peak(pricing).bytes_per_s or 0
    used: dict[str, int | None] = dict.fromkeys(_HBM_PARTS)
    used["read or write"] = int(PricedRows(profile).part_of("hbm_bytes").sum())
    return split("bytes", bandwidth * total_s, used, "unused", "predicted", _PREDICTED_BYTES)


def _spill(profile: Profile, metrics: Mapping[str, Metric], name: str) -> int | None:
    """What was spilled, by the rows, else as the file's summary has it."""
    of_rows = known_sum(profile, name)
    if of_rows is not None:
        return of_rows
    told = metrics.get(name)
    return None if told is None or told.value is None else round(told.value)
