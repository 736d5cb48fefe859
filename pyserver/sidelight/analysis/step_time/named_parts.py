"""What a step's time went to, as people read it."""

from __future__ import annotations

from typing import Final

from sidelight.analysis.step_time.breakdown import MeanParts

_NAMES: Final = {
    "compute_ns": "computing",
    "collectives_ns": "collectives alone",
    "dma_ns": "moving data alone",
    "host_ns": "the host alone",
    "idle_ns": "none of these",
}

_OUTSIDE_OPERATORS: Final = "outside operators"
"""What the host does alone where it is the device, too."""


def named_parts(time: MeanParts, device: str) -> dict[str, float]:
    """The parts of a mean step that there is any time in, in nanoseconds, by their names.

    Args:
        time: A mean step's.
        device: The profile's.
    """
    names = {**_NAMES, "host_ns": _OUTSIDE_OPERATORS} if device == "cpu" else _NAMES
    return {name: part_ns for field, name in names.items() if (part_ns := getattr(time, field))}
