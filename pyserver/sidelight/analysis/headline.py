"""The one sentence that matters most about a profile."""

from __future__ import annotations

from typing import Protocol

from sidelight.profile import units
from sidelight.profile.manifest import TimeKind

_DEVICES = {
    "cpu": "the CPU",
    "cuda": "CUDA",
    "rocm": "ROCm",
    "mtia": "MTIA",
    "xpu": "XPU",
    "neuron": "Neuron",
    "privateuse1": "its device",
    "unknown": "its device",
}
_KINDS = {"measured": "measured on", "predicted": "predicted for", "mixed": "partly predicted for"}


class Headlined(Protocol):
    """What the sentence is made of: a per-line report and a stored manifest both have it."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def device(self) -> str: ...  # noqa: D102
    @property
    def time_kind(self) -> TimeKind: ...  # noqa: D102
    @property
    def rank(self) -> int | None: ...  # noqa: D102
    @property
    def world_size(self) -> int | None: ...  # noqa: D102
    @property
    def steps(self) -> int: ...  # noqa: D102
    @property
    def device_time_ns(self) -> int | None: ...  # noqa: D102


def headline(profile: Headlined) -> str:
    """Whose device time it is, how much a step, and on what; plain text, names as they are."""
    name = profile.name
    if profile.world_size is not None and profile.world_size > 1:
        name = f"{name}#{profile.rank} (rank {profile.rank} of {profile.world_size})"
    if not profile.device_time_ns:
        return f"{name}: no device time in the recorded steps"
    time = units.duration(
        profile.device_time_ns / max(profile.steps, 1), predicted=profile.time_kind != "measured"
    )
    return f"{name}: {time} of device time a step, {provenance(profile.device, profile.time_kind)}"


def provenance(device: str, kind: TimeKind) -> str:
    """How device times are known, such as ``measured on the CPU``."""
    return f"{_KINDS[kind]} {_DEVICES.get(device, device)}"
