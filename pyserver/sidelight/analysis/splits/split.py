"""A capacity, divided into what it was used for. Cheap to import: no numpy in here."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from sidelight.analysis.metrics.figures import Source


class SplitPart(msgspec.Struct, frozen=True):
    """A part of a capacity.

    Attributes:
        name: What it was used for.
        amount: How much, in the split's unit; None where it is not known.
        fraction: The part of the capacity; None likewise.
    """

    name: str
    amount: int | None
    fraction: float | None


class Split(msgspec.Struct, frozen=True):
    """A capacity, divided. The amounts that are known add up to it, exactly.

    Attributes:
        unit: ``FLOP`` or ``bytes``.
        capacity: All that could have been done in the time.
        parts: What it was used for.
        source: Where the amounts are from.
        remark: What is to be known about them; empty for nothing.
    """

    unit: str
    capacity: int
    parts: list[SplitPart]
    source: Source
    remark: str = ""


def split(
    unit: str,
    capacity: float,
    used: Mapping[str, int | None],
    rest: str,
    source: Source,
    remark: str = "",
) -> Split | None:
    """Divide a capacity.

    Args:
        unit: Of all amounts.
        capacity: All that could have been done.
        used: What it was used for; None is not known, and then part of the rest.
        rest: What the rest is called.
        source: Where the amounts are from.
        remark: What is to be known about them.

    Returns:
        None where more was used than there was, or less than nothing: then one of them is wrong.
    """
    whole = round(capacity) if math.isfinite(capacity) else 0
    rest_amount = whole - sum(amount or 0 for amount in used.values())
    if whole <= 0 or rest_amount < 0 or any((amount or 0) < 0 for amount in used.values()):
        return None
    amounts = {**used, rest: rest_amount}
    parts = [
        SplitPart(name, amount, None if amount is None else amount / whole)
        for name, amount in amounts.items()
    ]
    return Split(unit, whole, parts, source, remark)
