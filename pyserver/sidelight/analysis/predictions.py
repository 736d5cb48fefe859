"""Predicted times and what they are made of, summed by source line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sidelight.analysis.grouping import Groups
from sidelight.analysis.nesting import IntColumn
from sidelight.hardware.work import Engine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Table

ENGINE_COLUMNS: Final[Mapping[str, str]] = {
    engine.value: f"{engine.value.lower()}_ns" for engine in Engine
}
"""Columns of the prices table, by engine."""

UNPRICED: Final = -2
"""In ``events.price``: an operator that needs a price, and lacks what it would be made from."""

_SUMS: Final = ("predicted_ns", "flops", "hbm_bytes", *ENGINE_COLUMNS.values())

LineKey = tuple[int, int]
"""File index and line number."""

NO_LINE_KEY: Final[LineKey] = (-1, -1)


@dataclass
class LinePrediction:
    """What is predicted for operators, over the recorded steps.

    Attributes:
        predicted_ns: Their device time.
        flops: Their useful floating-point operations.
        hbm_bytes: What they move between HBM and the core.
        engines: Busy time by engine.
        apportioned: Whether any shares a kernel with another operator.
        priced: Whether any has a price.
        unpriced: Whether any lacks one.
    """

    predicted_ns: int = 0
    flops: int = 0
    hbm_bytes: int = 0
    engines: dict[str, int] = field(default_factory=dict[str, int])
    apportioned: bool = False
    priced: bool = False
    unpriced: bool = False

    @property
    def known_ns(self) -> int | None:
        """The predicted time; None where operators need a price and none has one."""
        return None if self.unpriced and not self.priced else self.predicted_ns


class PricedRows:
    """The rows of recorded steps that have a price, with their own part of it.

    Args:
        profile: A priced profile.
    """

    def __init__(self, profile: Profile) -> None:
        events, prices = profile.events, profile.prices
        self._prices = prices
        self.rows = np.flatnonzero((events["price"] >= 0) & (events["step"] >= 0))
        """Indices of events."""
        self.price: IntColumn = events["price"][self.rows].astype(np.int64)
        """Index of each into the prices."""
        self.predicted_ns: IntColumn = events["predicted_ns"][self.rows]
        """Its own part of the kernel's time."""
        self.shares_kernel = prices["parts"][self.price] > 1
        """Whether other operators are part of its kernel."""
        whole_ns = np.maximum(prices["duration_ns"][self.price], 1)
        self._part = np.where(self.shares_kernel, self.predicted_ns / whole_ns, 1.0)

    def part_of(self, column: str) -> IntColumn:
        """Each row's part of what its kernel has of a column of the prices, rounded."""
        if column == "predicted_ns":
            return self.predicted_ns
        amounts = self._prices[column][self.price]
        return np.where(self.shares_kernel, np.rint(amounts * self._part), amounts).astype(np.int64)


def is_priced(events: Table) -> bool:
    """Whether events have prices."""
    return "price" in events


def bytes_of_rows(profile: Profile) -> IntColumn:
    """What each event's kernel moves between HBM and the core, its own part; 0 without a price."""
    hbm_bytes = np.zeros(len(profile.events), np.int64)
    if is_priced(profile.events):
        found = PricedRows(profile)
        hbm_bytes[found.rows] = found.part_of("hbm_bytes")
    return hbm_bytes


def predictions_by_line(profile: Profile) -> dict[LineKey, LinePrediction]:
    """What is predicted for each line's own operators; what belongs to none under NO_LINE_KEY.

    Args:
        profile: A priced profile.
    """
    events = profile.events
    file, line = _innermost_lines(profile)
    found = PricedRows(profile)
    stack = events["stack"][found.rows]
    groups = Groups([file[stack], line[stack]])
    sums = {name: groups.sum(found.part_of(name)).tolist() for name in _SUMS}
    shared = groups.sum(found.shares_kernel.astype(np.int64)).tolist()
    files, lines = (key.tolist() for key in groups.keys)
    predictions: dict[LineKey, LinePrediction] = {}
    for index, key in enumerate(zip(files, lines, strict=True)):
        predictions[key] = LinePrediction(
            predicted_ns=sums["predicted_ns"][index],
            flops=sums["flops"][index],
            hbm_bytes=sums["hbm_bytes"][index],
            engines={
                engine: sums[column][index]
                for engine, column in ENGINE_COLUMNS.items()
                if sums[column][index]
            },
            apportioned=bool(shared[index]),
            priced=True,
        )
    unpriced = events["stack"][(events["price"] == UNPRICED) & (events["step"] >= 0)]
    for key in set(zip(file[unpriced].tolist(), line[unpriced].tolist(), strict=True)):
        predictions.setdefault(key, LinePrediction()).unpriced = True
    return predictions


def _innermost_lines(profile: Profile) -> tuple[IntColumn, IntColumn]:
    """File index and line of every calling context; index -1, no context, finds -1."""
    frame = profile.stacks["frame"]
    return (
        np.append(profile.frames["file"][frame].astype(np.int64), -1),
        np.append(profile.frames["line"][frame].astype(np.int64), -1),
    )
