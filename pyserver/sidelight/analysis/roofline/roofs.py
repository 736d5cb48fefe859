"""The roofs over a profile: what the core's engines and memories can do, each with its source."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import msgspec

from sidelight.analysis.metrics.core_work import peak_of
from sidelight.analysis.roofline.position import Peak, peak_of_core
from sidelight.hardware.chips import CHIP_NAMES, chip
from sidelight.hardware.cores import LogicalCore, logical_core
from sidelight.profile.model import Profile

_OWN: Final = "the profile's own figures of the core"

_FASTEST: Final = 1e24
"""Of FLOP and bytes a second; a trillion times what a chip does."""

ARRAY_DTYPE: Final = "bf16"
"""What a Tensor Engine takes one product a cell and cycle in, as the vendor's peak reckons."""


class ComputeRoof(msgspec.Struct, frozen=True):
    """The peak of a core's Tensor Engines.

    Attributes:
        dtype: What it is of.
        flops_per_s: FLOP/s, dense.
        ridge_points: By memory, the intensity in FLOP/byte from which on this is the limit.
        source: Where the figure is from.
    """

    dtype: str
    flops_per_s: float
    ridge_points: dict[str, float]
    source: str


class MemoryRoof(msgspec.Struct, frozen=True):
    """The bandwidth of a memory, or of what moves data.

    Attributes:
        memory: ``HBM``, ``DMA`` (between memories of the chip) or ``NeuronLink`` (between chips).
        bytes_per_s: Of the whole logical core.
        source: Where the figure is from.
    """

    memory: str
    bytes_per_s: float
    source: str


class Roofs(msgspec.Struct, frozen=True):
    """The roofs of one logical core.

    Attributes:
        core: What people call it.
        compute: By dtype, the highest first.
        memory: By memory, the widest first.
    """

    core: str
    compute: list[ComputeRoof]
    memory: list[MemoryRoof]


class CoreRoofs:
    """What the work of one profile is held against, worked out once.

    Device time is that of all its logical cores together, so that the roofs are one core's.

    Args:
        profile: Any profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._instance_type = profile.manifest.core.instance_type if profile.manifest.core else ""
        self._own = _own_peak(profile)
        self._documented = documented_core(profile)

    def peak(self, dtype: str | None) -> Peak:
        """What work in a dtype is held against; None takes the profile's own peak."""
        if dtype is None or self._documented is None:
            return self._own
        return peak_of_core(self._documented, dtype)

    def roofs(self) -> Roofs | None:
        """All of them; None where no chip is known for the profile.

        For a profile of a core's engines they are those that the profile itself tells, as far as
        it does; the chip's documented ones otherwise.
        """
        documented, own = self._documented, self._own
        if own.flops_per_s is None and documented is None:
            return None
        memory = _documented_memory(documented) if documented else []
        if own.hbm_bytes_per_s:
            others = [roof for roof in memory if roof.memory != "HBM"]
            memory = [MemoryRoof("HBM", own.hbm_bytes_per_s, _OWN), *others]
        memory.sort(key=lambda roof: -roof.bytes_per_s)
        peaks = _documented_peaks(documented) if documented else []
        if own.flops_per_s:
            others = [peak for peak in peaks if peak[0] != ARRAY_DTYPE]
            peaks = [(ARRAY_DTYPE, own.flops_per_s, _OWN), *others]
        core = self._instance_type if own.flops_per_s else ""
        return Roofs(
            core=core or (documented.label if documented else ""),
            compute=[
                ComputeRoof(
                    dtype, rate, {roof.memory: rate / roof.bytes_per_s for roof in memory}, source
                )
                for dtype, rate, source in sorted(peaks, key=lambda peak: -peak[1])
            ],
            memory=memory,
        )


def _own_peak(profile: Profile) -> Peak:
    """What a profile of a core's engines itself tells of one core; nothing for all others."""
    if profile.manifest.core is None or not len(profile.work):
        return Peak(None, None)
    peak = replace(peak_of(profile), cores=1)
    return Peak(_possible(peak.flops_per_s), _possible(peak.bytes_per_s))


def _possible(rate: float | None) -> float | None:
    """A rate that a core can have; None for what a file claims beyond reason."""
    return rate if rate is not None and 1 <= rate < _FASTEST else None


def documented_core(profile: Profile) -> LogicalCore | None:
    """The core that a profile was priced for, else the one that it says it was taken on."""
    manifest = profile.manifest
    if manifest.pricing is not None:
        return logical_core(manifest.pricing.chip, manifest.pricing.lnc)
    if manifest.core is None:
        return None
    name = manifest.core.instance_type.partition(".")[0]
    if name not in CHIP_NAMES or manifest.core.physical_cores not in chip(name).lnc_choices:
        return None
    return logical_core(name, manifest.core.physical_cores)


def _documented_peaks(core: LogicalCore) -> list[tuple[str, float, str]]:
    whole = chip(core.chip)
    return [
        (dtype, rate, whole.figure(f"core_peak_{dtype}").source)
        for dtype, rate in core.tensor_flops_per_s.items()
    ]


def _documented_memory(core: LogicalCore) -> list[MemoryRoof]:
    whole = chip(core.chip)
    return [
        MemoryRoof("HBM", core.hbm_bytes_per_s, whole.figure("chip_hbm_bandwidth").source),
        MemoryRoof("DMA", core.dma_bytes_per_s, whole.figure("chip_dma_bandwidth").source),
        MemoryRoof(
            "NeuronLink", core.neuronlink_bytes_per_s, whole.figure("chip_neuronlink").source
        ),
    ]
