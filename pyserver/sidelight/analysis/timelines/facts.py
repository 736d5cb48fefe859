"""What files and predictions tell of an event beside its time, as people read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.timelines.told_types import Fact
from sidelight.profile import units
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import category_name
from sidelight.profile.tables import DEVICE_TIME_LEVELS

_LONGEST_TEXT: Final = 500
"""What a compiler calls an instruction can be pages long."""

_TEXTS: Final = (
    ("program", "NEFF"),
    ("hlo", "HLO"),
    ("penguin", "Penguin"),
    ("bir", "BIR"),
)

_BYTES: Final = (
    ("hbm_read_bytes", "HBM read"),
    ("hbm_write_bytes", "HBM written"),
    ("spill_save_bytes", "Spill saved"),
    ("spill_reload_bytes", "Spill reloaded"),
    ("moved_bytes", "Moved"),
)


class EventFacts:
    """Answers what else is known of events.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._is_counted = counted_rows(profile.events)

    def of(self, event: int) -> list[Fact]:
        """What is known of one event; what is not known is left out."""
        return [*self._level(event), *self._work(event), *self._price(event), *self._ids(event)]

    def _level(self, event: int) -> Iterator[Fact]:
        """Whether it is of the rows whose durations are device time."""
        category = int(self._profile.events["category"][event])
        if self._is_counted[event]:
            yield Fact("Device-time level", f"counts: {category_name(category)}")
        elif category in DEVICE_TIME_LEVELS:
            yield Fact("Device-time level", "does not count: other rows tell this time")

    def _work(self, event: int) -> Iterator[Fact]:
        work = self._profile.work
        row = int(np.searchsorted(work["event"], event))
        if row == len(work) or work["event"][row] != event:
            return
        known = {name: value for name in work if (value := int(work[name][row])) >= 0}
        for column, term in _TEXTS:
            if column in known:
                yield Fact(term, self._profile.strings[known[column]][:_LONGEST_TEXT])
        if known.get("wait_ns"):
            yield Fact("Waited", units.duration(known["wait_ns"]))
        if "flops" in known:
            turned = known.get("transpose_flops", 0)
            only = f", of which {units.flops(turned)} only transpose" if turned else ""
            yield Fact("FLOPs", f"{units.flops(known['flops'])}{only}")
        for column, term in _BYTES:
            if column in known:
                yield Fact(term, units.size(known[column]))
        hbm_bytes = known.get("hbm_read_bytes", 0) + known.get("hbm_write_bytes", 0)
        if "flops" in known and hbm_bytes:
            yield _intensity(known["flops"] / hbm_bytes)

    def _price(self, event: int) -> Iterator[Fact]:
        """What is predicted of the operator that it is, or that launched it."""
        profile = self._profile
        if "price" not in profile.events:
            return
        row = int(profile.events["price"][profile.events["operator"][event]])
        if row < 0:
            return
        price = {name: int(profile.prices[name][row]) for name in profile.prices}
        text = {name: profile.strings[price[name]] for name in ("engine", "bound", "dtype")}
        yield Fact("Predicted", units.duration(price["duration_ns"], predicted=True))
        yield Fact(
            "Predicted work", f"{units.flops(price['flops'])}, {units.size(price['hbm_bytes'])}"
        )
        if price["hbm_bytes"]:
            yield _intensity(price["flops"] / price["hbm_bytes"], predicted=True)
        if price["roof_ns"]:
            share = units.share(price["roof_ns"], price["duration_ns"])
            yield Fact("Roofline", f"≈{share} of the roof of {text['dtype']}")
        yield Fact("Bound by", f"{text['bound']}, on {text['engine']}")

    def _ids(self, event: int) -> Iterator[Fact]:
        for column, term in (("correlation_id", "Correlation id"), ("external_id", "External id")):
            value = int(self._profile.events[column][event])
            if value >= 0:
                yield Fact(term, str(value))


def _intensity(flop_per_byte: float, *, predicted: bool = False) -> Fact:
    text = units.ratio(flop_per_byte, predicted=predicted)
    return Fact("Arithmetic intensity", f"{text} FLOP/byte")
