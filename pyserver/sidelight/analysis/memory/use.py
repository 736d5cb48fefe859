"""The most that the device's memory held, and against what there is."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from sidelight.analysis.memory.capacity import Capacity, capacity_of_core
from sidelight.analysis.memory.series import MemoryMoment, MemorySeries, memory_series
from sidelight.profile.manifest import TimeKind
from sidelight.profile.model import Profile

Source = Literal["samples", "tensors", "program"]
"""Sampled while it ran; the sizes of the program's tensors, added up; what the file says that its
program takes."""

_TOTAL: Final = "total"
_REST: Final = "the rest"


class MemoryPart(msgspec.Struct, frozen=True):
    """A part of what memory held at its peak.

    Attributes:
        name: What for.
        size_bytes: How much.
    """

    name: str
    size_bytes: int


class MemoryPeak(msgspec.Struct, frozen=True, kw_only=True):
    """The most that the device's memory held.

    Attributes:
        peak_bytes: How much.
        source: How that is known.
        kind: Whether it is measured; sizes of tensors are ``predicted``.
        capacity_bytes: How much there is; None where that is not known.
        capacity_source: What says so; where it is not known, why.
        share: ``peak_bytes`` of that; over 1, it does not fit. None likewise.
        owner: Whose memory it is, where several have some; empty where that is not told.
        moment: When; None where that is not known.
        parts: What it held, largest first, which adds up to the whole; empty where not known.
    """

    peak_bytes: int
    source: Source
    kind: TimeKind
    capacity_bytes: int | None
    capacity_source: str
    share: float | None
    owner: str
    moment: MemoryMoment | None
    parts: list[MemoryPart]


class MemoryUse(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of memory.

    Attributes:
        device: The device's peak; None where it is not known.
        series: What was sampled, in the order of the profile.
    """

    device: MemoryPeak | None
    series: list[MemorySeries]


def memory_use(profile: Profile) -> MemoryUse | None:
    """Say what memory held.

    Args:
        profile: An attributed profile.

    Returns:
        None where nothing is known of it.
    """
    series = memory_series(profile)
    device = _sampled(series) or _of_tensors(profile) or _of_program(profile)
    return MemoryUse(device=device, series=series) if device or series else None


def _sampled(series: list[MemorySeries]) -> MemoryPeak | None:
    """The largest peak of what is sampled of devices; the whole is larger than its parts."""
    of_device = [each for each in series if each.kind == "device"]
    if not of_device:
        return None
    largest = max(of_device, key=lambda each: each.peak_bytes)
    return _peak(
        largest.peak_bytes,
        "samples",
        largest.capacity,
        owner=largest.owner,
        moment=largest.peak,
    )


def _of_tensors(profile: Profile) -> MemoryPeak | None:
    memory = profile.manifest.memory
    if memory is None:
        return None
    parts = {
        "weights": memory.weights_bytes,
        "gradients": memory.gradients_bytes,
        "optimizer state": memory.optimizer_bytes,
        "activations and the rest": memory.activations_bytes,
    }
    return _peak(memory.peak_bytes, "tensors", capacity_of_core(profile.manifest), parts=parts)


def _of_program(profile: Profile) -> MemoryPeak | None:
    core = profile.manifest.core
    if core is None or not core.hbm_bytes_by_use:
        return None
    # Some files have their sum among the uses.
    totals = [size for use, size in core.hbm_bytes_by_use.items() if use.lower() == _TOTAL]
    uses = {use: size for use, size in core.hbm_bytes_by_use.items() if use.lower() != _TOTAL}
    total_bytes = max(sum(totals), sum(uses.values()))
    rest_bytes = total_bytes - sum(uses.values())
    parts = {**uses, _REST: uses.get(_REST, 0) + rest_bytes} if rest_bytes else uses
    return _peak(total_bytes, "program", capacity_of_core(profile.manifest), parts=parts)


def _peak(
    peak_bytes: int,
    source: Source,
    capacity: Capacity,
    *,
    owner: str = "",
    moment: MemoryMoment | None = None,
    parts: dict[str, int] | None = None,
) -> MemoryPeak:
    capacity_bytes = capacity.capacity_bytes
    found = [MemoryPart(name, size) for name, size in (parts or {}).items()]
    return MemoryPeak(
        peak_bytes=peak_bytes,
        source=source,
        kind="predicted" if source == "tensors" else "measured",
        capacity_bytes=capacity_bytes,
        capacity_source=capacity.source,
        share=peak_bytes / capacity_bytes if capacity_bytes else None,
        owner=owner,
        moment=moment,
        parts=sorted(found, key=lambda part: -part.size_bytes),
    )
