"""What files and predictions tell of an event beside its time, as people read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.engine_busy import ENGINE_NAMES
from sidelight.analysis.predictions import UNPRICED
from sidelight.analysis.shapes import input_bytes
from sidelight.analysis.timelines.told_types import Fact
from sidelight.profile import units
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import category_name, shown_name
from sidelight.profile.tables import DEVICE_TIME_LEVELS, Category

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

_NOT_RECORDED: Final = "not recorded"

_OPERATORS: Final = (Category.OPERATOR, Category.HOST_OPERATOR)

_CORRELATED: Final = (Category.RUNTIME, Category.DEVICE_RUNTIME, Category.DEVICE)
"""What a correlation id joins."""

_PRICED: Final = (Category.OPERATOR, Category.DEVICE)
"""What counts, and has a price where one is known: engines' rows tell their work themselves."""

_WORK_OF_ENGINES: Final = {"tensor": ("flops", "FLOPs"), "dma": ("moved_bytes", "Moved")}
"""What tells how much an engine was given to do."""


class EventFacts:
    """Answers what else is known of events.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._is_counted = counted_rows(profile.events)

    def of(self, event: int) -> list[Fact]:
        """What is known of one event. What is not is said where rows of its kind have it."""
        return [
            *self._level(event),
            *self._engine(event),
            *self._work(event),
            *self._operands(event),
            *self._price(event),
            *self._ids(event),
        ]

    def _level(self, event: int) -> Iterator[Fact]:
        """Whether it is of the rows whose durations are device time."""
        category = int(self._profile.events["category"][event])
        if self._is_counted[event]:
            yield Fact("Device-time level", f"counts: {category_name(category)}")
        elif category in DEVICE_TIME_LEVELS:
            yield Fact("Device-time level", "does not count: other rows tell this time")

    def _engine(self, event: int) -> Iterator[Fact]:
        engine = self._profile.tracks[int(self._profile.events["track"][event])].engine
        if engine is not None:
            yield Fact("Engine", ENGINE_NAMES[engine])

    def _work(self, event: int) -> Iterator[Fact]:
        known = self._known_work(event)
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
        engine = self._profile.tracks[int(self._profile.events["track"][event])].engine
        column, term = _WORK_OF_ENGINES.get(engine or "", ("", ""))
        if column and column not in known:
            yield Fact(term, _NOT_RECORDED)
        hbm_bytes = known.get("hbm_read_bytes", 0) + known.get("hbm_write_bytes", 0)
        if "flops" in known and hbm_bytes:
            yield _intensity(known["flops"] / hbm_bytes)

    def _known_work(self, event: int) -> dict[str, int]:
        """What is recorded of what it did, by column."""
        work = self._profile.work
        row = int(np.searchsorted(work["event"], event))
        if row == len(work) or work["event"][row] != event:
            return {}
        return {name: value for name in work if (value := int(work[name][row])) >= 0}

    def _operands(self, event: int) -> Iterator[Fact]:
        """How large the tensors are of the operator that it is, or that launched it."""
        events, strings = self._profile.events, self._profile.strings
        operator = int(events["operator"][event])
        own = int(events["signature"][event])
        signature = own if own >= 0 else int(events["signature"][operator])
        found = input_bytes(strings[signature]) if signature >= 0 else None
        if found is not None:
            parts = (
                [units.size(found.known_bytes)] if found.known_bytes or not found.unknown else []
            )
            if found.unknown:
                parts.append(f"{found.unknown} of unknown size")
            yield Fact("Bytes of inputs", ", and ".join(parts))
        elif events["category"][event] in _OPERATORS:
            yield Fact("Bytes of inputs", _NOT_RECORDED)
        if events["category"][event] in _OPERATORS:
            yield Fact("Bytes of outputs", _NOT_RECORDED)

    def _price(self, event: int) -> Iterator[Fact]:
        """What is predicted of the operator that it is, is within, or was launched by."""
        profile = self._profile
        is_priced = "price" in profile.events
        priced = self._priced_row(event) if is_priced else -1
        row = int(profile.events["price"][priced]) if priced >= 0 else -1
        if row < 0:
            if self._is_counted[event] and profile.events["category"][event] in _PRICED:
                yield Fact("Roofline", f"not known: {_no_price(row, is_priced=is_priced)}")
            return
        price = {name: int(profile.prices[name][row]) for name in profile.prices}
        text = {name: profile.strings[price[name]] for name in ("engine", "bound", "dtype")}
        if priced != event:
            yield Fact(
                "Priced as", shown_name(profile.strings[int(profile.events["name"][priced])])
            )
        yield Fact("Predicted", units.duration(price["duration_ns"], predicted=True))
        yield Fact("Predicted FLOPs", f"≈{units.flops(price['flops'])}")
        yield Fact("Predicted HBM bytes", f"≈{units.size(price['hbm_bytes'])}")
        if price["hbm_bytes"]:
            yield _intensity(price["flops"] / price["hbm_bytes"], predicted=True)
        if price["roof_ns"]:
            share = units.share(price["roof_ns"], price["duration_ns"])
            yield Fact("Roofline", f"≈{share} of the roof of {text['dtype']}")
        yield Fact("Bound by", f"{text['bound']}, on {text['engine']}")

    def _priced_row(self, event: int) -> int:
        """The row whose price accounts for an event, -1 for none: of an operator that others are
        within, theirs is a part of its own."""
        events = self._profile.events
        row = event if events["price"][event] != -1 else int(events["operator"][event])
        while row >= 0 and events["price"][row] == -1:
            row = int(events["parent"][row])
        return row

    def _ids(self, event: int) -> Iterator[Fact]:
        events = self._profile.events
        for column, term in (("correlation_id", "Correlation id"), ("external_id", "External id")):
            value = int(events[column][event])
            if value >= 0:
                yield Fact(term, str(value))
            elif column == "correlation_id" and events["category"][event] in _CORRELATED:
                yield Fact(term, _NOT_RECORDED)


def _no_price(row: int, *, is_priced: bool) -> str:
    if not is_priced:
        return "the profile is not priced for a chip"
    if row == UNPRICED:
        return "what it works on is not recorded"
    return "no operator with a price is behind it"


def _intensity(flop_per_byte: float, *, predicted: bool = False) -> Fact:
    text = units.ratio(flop_per_byte, predicted=predicted)
    return Fact("Arithmetic intensity", f"{text} FLOP/byte")
