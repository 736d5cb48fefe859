"""The figures of a comparison: which columns there is room for, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from sidelight.analysis.comparison import Comparison, Difference, compared_times
from sidelight.cli.columns import GAP
from sidelight.cli.comparison_rows import Row, Time
from sidelight.cli.text import right
from sidelight.profile import units

# Parts of the device time: what changed by so much stands out, and what changed by less is dimmed.
_LARGE_CHANGE = 0.2
_SMALL_CHANGE = 0.01


@dataclass(frozen=True)
class _Column:
    title: str
    narrowest: int
    """The narrowest terminal it is shown on, in cells."""
    figure: Callable[[Row, Comparison], str]
    """What stands in it for a row; empty where there is nothing to say."""


def _base(row: Row, _comparison: Comparison) -> str:
    return _duration(row.base)


def _new(row: Row, _comparison: Comparison) -> str:
    return _duration(row.new)


def _duration(time: Time | None) -> str:
    if time is None or not time.mean_ns:
        return ""
    return units.duration(time.mean_ns, predicted=time.predicted)


def _change(row: Row, _comparison: Comparison) -> str:
    return _difference(row.change, predicted=row.predicted)


def _ratio(row: Row, _comparison: Comparison) -> str:
    if row.change is None or not row.change.ratio:
        return ""
    return units.ratio(row.change.ratio, predicted=row.predicted)


def _total_change(row: Row, _comparison: Comparison) -> str:
    return _difference(row.total, predicted=row.predicted)


def _predicted_change(row: Row, _comparison: Comparison) -> str:
    return _difference(row.prediction, predicted=True)


def _difference(change: Difference | None, *, predicted: bool) -> str:
    if change is None or not change.difference:
        return ""
    return units.change(change.difference, predicted=predicted)


def _launches(row: Row, comparison: Comparison) -> str:
    if compared_times(comparison.base, comparison.new) != "own":
        return ""  # a measured launch may be an operator's, where a predicted one is a kernel's
    was, now = (cost.launches if cost else 0 for cost in (row.costs.base, row.costs.new))
    if not was and not now:
        return ""
    return _before_and_now(
        units.mean_count(was, comparison.base.steps), units.mean_count(now, comparison.new.steps)
    )


def _bytes(row: Row, comparison: Comparison) -> str:
    was, now = (cost.bytes if cost else 0 for cost in (row.costs.base, row.costs.new))
    if row.costs.change.bytes is None or was is None or now is None or not (was or now):
        return ""
    return _before_and_now(
        units.size(round(was / max(comparison.base.steps, 1))),
        units.size(round(now / max(comparison.new.steps, 1))),
    )


def _before_and_now(was: str, now: str) -> str:
    return now if was == now else f"{was} to {now}"


_COLUMNS = (
    _Column("base", 56, _base),
    _Column("new", 0, _new),
    _Column("change", 0, _change),
    _Column("ratio", 64, _ratio),
    _Column("in total", 76, _total_change),
    _Column("predicted", 88, _predicted_change),
    _Column("launches", 96, _launches),
    _Column("bytes", 112, _bytes),
)


def larger_device_time_ns(comparison: Comparison) -> float:
    """The device time a step of the side that has more: what changes are large or small against.

    It is the predicted one where that is what compares.
    """
    sides = (comparison.base, comparison.new)
    predicted = compared_times(*sides) == "predicted"
    return max(
        ((side.predicted_ns or 0) if predicted else side.device_time_ns) / max(side.steps, 1)
        for side in sides
    )


class Figures:
    """The figures of rows, in aligned columns.

    Args:
        rows: The rows.
        comparison: What they are of.
        terminal_width: In cells.

    Attributes:
        width: How wide a row is, in cells.
    """

    def __init__(self, rows: Sequence[Row], comparison: Comparison, terminal_width: int) -> None:
        self._comparison = comparison
        self._columns: list[tuple[_Column, int]] = []
        for column in _COLUMNS:
            widest = max((cell_len(column.figure(row, comparison)) for row in rows), default=0)
            if widest and terminal_width >= column.narrowest:
                self._columns.append((column, max(widest, len(column.title))))
        self.width = sum(width + GAP for _, width in self._columns)
        self._device_time_ns = larger_device_time_ns(comparison)

    def headings(self) -> str:
        """The columns' headings."""
        return "".join(right(column.title, width) + " " * GAP for column, width in self._columns)

    def of(self, row: Row) -> Text:
        """A row's figures."""
        figures = Text()
        for column, width in self._columns:
            is_change = column.title in ("change", "ratio")
            style = self._style(row.change.difference) if is_change and row.change else ""
            figures.append(right(column.figure(row, self._comparison), width) + " " * GAP, style)
        return figures

    def _style(self, difference_ns: float) -> str:
        size_ns = abs(difference_ns)
        if size_ns < _SMALL_CHANGE * self._device_time_ns:
            return "dim"
        colour = "red" if difference_ns > 0 else "green"
        return f"bold {colour}" if size_ns >= _LARGE_CHANGE * self._device_time_ns else colour
