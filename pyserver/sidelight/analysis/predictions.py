"""Predicted times and what they are made of, summed by source line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sidelight.analysis.grouping import Groups
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.parts import parts_of
from sidelight.hardware.work import Engine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Table

ENGINE_COLUMNS: Final[Mapping[str, str]] = {
    engine.value: f"{engine.value.lower()}_ns" for engine in Engine
}
"""Columns of the prices table, by engine."""

UNPRICED: Final = -2
"""In ``events.price``: it needs a price, and what that would be made from is not known."""

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
        return self.predicted_ns if self._is_known else None

    @property
    def known_bytes(self) -> int | None:
        """What moves between HBM and the core; None likewise."""
        return self.hbm_bytes if self._is_known else None

    @property
    def _is_known(self) -> bool:
        return self.priced or not self.unpriced


class PricedRows:
    """The rows of recorded steps that have a price, with their own part of it.

    Args:
        profile: A priced profile.
    """

    def __init__(self, profile: Profile) -> None:
        events, prices = profile.events, profile.prices
        priced = np.flatnonzero(events["price"] >= 0)
        in_step = events["step"][priced] >= 0
        self._prices = prices
        self._in_step = in_step
        self._price_of_all: IntColumn = events["price"][priced].astype(np.int64)
        self._predicted_ns_of_all: IntColumn = events["predicted_ns"][priced]
        self.rows = priced[in_step]
        """Indices of events."""
        self.price = self._price_of_all[in_step]
        """Index of each into the prices."""
        self.predicted_ns = self._predicted_ns_of_all[in_step]
        """Its own part of the kernel's time."""
        self.shares_kernel = prices["parts"][self.price] > 1
        """Whether other operators are part of its kernel."""

    def part_of(self, column: str) -> IntColumn:
        """Each row's part of what its kernel has of a column of the prices.

        It is in proportion to the part of the time; the parts of one kernel add up to the whole.
        """
        if column == "predicted_ns":
            return self.predicted_ns
        price = self._price_of_all
        amounts = self._prices[column][price]
        shared = np.flatnonzero(self._prices["parts"][price] > 1)
        shared = shared[np.argsort(price[shared], kind="stable")]
        amounts[shared] = _split(
            price[shared],
            self._predicted_ns_of_all[shared],
            amounts[shared],
            self._prices["duration_ns"][price[shared]],
        )
        return amounts[self._in_step]


def _split(
    price: IntColumn, part_ns: IntColumn, amount: IntColumn, whole_ns: IntColumn
) -> IntColumn:
    """The parts of amounts that lie in parts of times, in whole numbers.

    What has passed up to the end of each part is rounded, not the part, so that no rounding adds
    up: after a whole kernel all of its amount has passed.

    Args:
        price: Which price each row has, ascending; the parts of a kernel follow one another.
        part_ns: Its part of the kernel's time.
        amount: What the kernel has.
        whole_ns: The kernel's time.
    """
    is_first = np.diff(price, prepend=-1) != 0
    passed_ns = np.cumsum(part_ns)
    before_ns = (passed_ns - part_ns)[is_first]
    passed_ns -= np.repeat(before_ns, np.diff(np.append(np.flatnonzero(is_first), len(price))))
    kernels, rest_ns = np.divmod(passed_ns, np.maximum(whole_ns, 1))
    passed = kernels * amount + np.rint(amount * (rest_ns / np.maximum(whole_ns, 1))).astype(
        np.int64
    )
    before = np.where(is_first, 0, np.append(0, passed[:-1]))
    return passed - before


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
    without_price = np.flatnonzero((events["price"] == UNPRICED) & (events["step"] >= 0))
    unpriced = parts_of(profile, without_price).stack
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
