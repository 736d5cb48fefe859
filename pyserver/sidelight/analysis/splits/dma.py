"""How well a core's DMA engines were used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np

from sidelight.analysis.chosen_rows import rows_of_engine
from sidelight.analysis.metrics.core_time import cores_of
from sidelight.analysis.metrics.figures import Metric, Source
from sidelight.analysis.roofline.roofs import documented_core
from sidelight.profile.model import Profile

SMALL_BYTES: Final = 4096
"""Below this, transfers cannot use the bandwidth: AWS Neuron documentation (SDK 2.29.1), "Guideline
to Avoid Under-Utilizing DMA Bandwidth" (nki-dma-bandwidth-guide.rst)."""

_SHORTEST_S: Final = 1e-9
"""No transfer takes less: a file that says so tells no rate."""


class DmaUse(msgspec.Struct, frozen=True, kw_only=True):
    """What DMA moved. None is not known.

    Attributes:
        transfers: How many transfers there were.
        moved_bytes: What they moved.
        mean_bytes: Of one of them.
        small_below_bytes: Transfers of less are small.
        small_transfers: How many were small.
        small_bytes: What these moved.
        active_fraction: Part of the time in which any transfer ran.
        bytes_per_s: What they moved a second while any ran.
        peak_bytes_per_s: What the DMA engines of all cores that have rows can move.
        efficiency: The one by the other.
        source: Where the counts are from.
    """

    transfers: int | None
    moved_bytes: int | None
    mean_bytes: float | None
    small_below_bytes: int = SMALL_BYTES
    small_transfers: int | None
    small_bytes: int | None
    active_fraction: float | None
    bytes_per_s: float | None
    peak_bytes_per_s: float | None
    efficiency: float | None
    source: Source


def dma_use(profile: Profile, metrics: Mapping[str, Metric]) -> DmaUse | None:
    """How well DMA was used; None where no transfer is known.

    Args:
        profile: An attributed profile.
        metrics: Its headline figures.
    """
    sizes = _sizes(profile)
    source: Source = "rows"
    transfers, moved_bytes = len(sizes), int(sizes.sum())
    small_transfers = small_bytes = None
    if transfers:
        is_small = sizes < SMALL_BYTES
        small_transfers, small_bytes = int(is_small.sum()), int(sizes[is_small].sum())
    else:
        source = "vendor"
        transfers = _whole(metrics.get("dma_transfer_count"))
        moved_bytes = _whole(metrics.get("dma_transfer_total_bytes"))
    if not transfers or moved_bytes is None:
        return None
    active_s = _value(metrics.get("dma_active_time"))
    rate = moved_bytes / active_s if active_s and active_s >= _SHORTEST_S else None
    core = documented_core(profile)
    peak = core.dma_bytes_per_s * max(cores_of(profile), 1) if core else None
    return DmaUse(
        transfers=transfers,
        moved_bytes=moved_bytes,
        mean_bytes=moved_bytes / transfers,
        small_transfers=small_transfers,
        small_bytes=small_bytes,
        active_fraction=_value(metrics.get("dma_active_time_percent")),
        bytes_per_s=rate,
        peak_bytes_per_s=peak,
        efficiency=rate / peak if rate is not None and peak else None,
        source=source,
    )


def _sizes(profile: Profile) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """What each transfer moved, of those that say it."""
    work = profile.work
    is_transfer = rows_of_engine(profile, "dma")[work["event"]] & (work["moved_bytes"] >= 0)
    return work["moved_bytes"][is_transfer]


def _value(metric: Metric | None) -> float | None:
    return metric.value if metric else None


def _whole(metric: Metric | None) -> int | None:
    value = _value(metric)
    return None if value is None else round(value)
