"""How much memory there is of what was sampled, and how that is known."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from sidelight.hardware.chips import CHIP_NAMES, chip
from sidelight.profile.manifest import Manifest, Series
from sidelight.profile.units import size

_OF_STACK: Final = re.compile(r"HBM \d+$")
"""Ends the owners of series that are of one stack of HBM, which readers give them."""


class Capacity(msgspec.Struct, frozen=True):
    """How much memory there is.

    Attributes:
        capacity_bytes: How much; None where that is not known.
        source: What says so; where it is not known, why. For people.
    """

    capacity_bytes: int | None
    source: str


def capacity_of_series(series: Series, manifest: Manifest) -> Capacity:
    """How much there is of the memory that a series is of.

    Args:
        series: Bytes in use over time.
        manifest: The profile's.
    """
    if series.capacity_bytes is not None:
        return Capacity(series.capacity_bytes, "as the trace has it of the device")
    if series.name.startswith("HBM") and _OF_STACK.search(series.owner):
        return _of_stack(manifest)
    return Capacity(None, "nothing that is recorded says how much there is")


def capacity_of_core(manifest: Manifest) -> Capacity:
    """HBM of the core that a profile is of, or was priced for.

    Args:
        manifest: The profile's.
    """
    core, pricing = manifest.core, manifest.pricing
    if core is not None and core.hbm_capacity_bytes:
        return Capacity(core.hbm_capacity_bytes, "as the profile has it of the core")
    if pricing is not None:
        return Capacity(pricing.hbm_bytes, f"HBM of a core, {pricing.label}")
    return Capacity(None, "nothing that is recorded says how much HBM the core has")


def _of_stack(manifest: Manifest) -> Capacity:
    """One stack of the chip that a profile says it was taken on: they are all alike."""
    name = manifest.core.instance_type.partition(".")[0] if manifest.core else ""
    if name not in CHIP_NAMES:
        return Capacity(None, "the profile does not say of which chip the stack of HBM is")
    of_chip, stacks = (chip(name).figure(f"chip_hbm_{what}") for what in ("capacity", "stacks"))
    return Capacity(
        int(of_chip.base_value / stacks.base_value),
        f"one of {name}'s {stacks.value:g} stacks, which have {size(of_chip.base_value)} together",
    )
