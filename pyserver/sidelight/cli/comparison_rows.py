"""What the rows of a comparison show: times of one kind, as means a step.

Where both sides are measured, or both predicted, these are their own times. Where one is measured
and the other predicted, they are what is predicted for both; where that is not known, each side
shows its own times, and there are no differences.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sidelight.analysis.comparison import (
    ComparedProfile,
    Comparison,
    Cost,
    CostComparison,
    Difference,
    LineComparison,
    LineCost,
    compared_times,
)


@dataclass(frozen=True)
class Time:
    """A time a step.

    Attributes:
        mean_ns: How long.
        predicted: Whether it is not all measured.
    """

    mean_ns: float
    predicted: bool


@dataclass(frozen=True)
class Row:
    """What a row of a comparison shows.

    Attributes:
        base: Its own time there; None where base does not have it, or that is not known.
        new: The same of new.
        change: How that changed; None where it is not known, or one is measured and one predicted.
        total: How the time of all that a line called changed; None likewise.
        prediction: How what is predicted beside measured times changed; None where nothing is.
        costs: All that it cost on both sides, by their own times.
    """

    base: Time | None
    new: Time | None
    change: Difference | None
    total: Difference | None
    prediction: Difference | None
    costs: CostComparison | LineComparison

    @property
    def takes_time(self) -> bool:
        """Whether it has a time of its own on either side."""
        return any(time is not None and time.mean_ns for time in (self.base, self.new))

    @property
    def predicted(self) -> bool:
        """Whether a difference of its times is not all measured."""
        return any(time is not None and time.predicted for time in (self.base, self.new))


def operator_row(operator: CostComparison, comparison: Comparison) -> Row:
    """The row of an operator, by the times of the sides themselves."""
    comparable = compared_times(comparison.base, comparison.new) == "own"
    return Row(
        base=_own_time(operator.base, comparison.base),
        new=_own_time(operator.new, comparison.new),
        change=operator.change.self_ns if comparable else None,
        total=None,
        prediction=None,
        costs=operator,
    )


def line_row(line: LineComparison, comparison: Comparison) -> Row:
    """The row of a line."""
    times, change = compared_times(comparison.base, comparison.new), line.change
    beside_measured = times == "own" and comparison.base.time_kind == "measured"
    time_of = _predicted_time if times == "predicted" else _own_time
    changes = {"own": change.self_ns, "predicted": change.predicted_ns, "none": None}
    return Row(
        base=time_of(line.base, comparison.base),
        new=time_of(line.new, comparison.new),
        change=changes[times],
        total=change.total_ns if times == "own" else None,
        prediction=change.predicted_ns if beside_measured else None,
        costs=line,
    )


def no_line_row(comparison: Comparison) -> Row:
    """The row of what belongs to no line."""
    row = operator_row(comparison.unattributed, comparison)
    if compared_times(comparison.base, comparison.new) != "predicted":
        return row
    was_ns = _predicted_on_no_line_ns(comparison.base, [line.base for line in comparison.lines])
    now_ns = _predicted_on_no_line_ns(comparison.new, [line.new for line in comparison.lines])
    return replace(
        row,
        base=Time(was_ns, predicted=True),
        new=Time(now_ns, predicted=True),
        change=Difference(now_ns - was_ns, now_ns / was_ns if was_ns else None),
    )


def _own_time(cost: Cost | None, side: ComparedProfile) -> Time | None:
    if cost is None:
        return None
    kind = cost.time_kind if isinstance(cost, LineCost) else side.time_kind
    return Time(cost.self_ns / max(side.steps, 1), predicted=kind != "measured")


def _predicted_time(cost: LineCost | None, side: ComparedProfile) -> Time | None:
    if cost is None or cost.predicted_ns is None:
        return None
    return Time(cost.predicted_ns / max(side.steps, 1), predicted=True)


def _predicted_on_no_line_ns(side: ComparedProfile, lines: Iterable[LineCost | None]) -> float:
    """What is left a step of all that is predicted for a side, less what is for its lines."""
    of_lines_ns = sum(line.predicted_ns or 0 for line in lines if line)
    return ((side.predicted_ns or 0) - of_lines_ns) / max(side.steps, 1)
