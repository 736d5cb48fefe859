"""The roofline chart of a profile: its roofs, and dots by operator, by line and by module."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.roofline.dots import (
    KeyOf,
    RooflineDot,
    device_time_by_key,
    dot,
    sum_work,
)
from sidelight.analysis.roofline.roofs import CoreRoofs, Roofs
from sidelight.analysis.roofline.work import (
    WorkParts,
    engine_work,
    has_engine_work,
    has_prices,
    priced_work,
    pricing_rows,
)
from sidelight.analysis.roofline.work_sum import WorkSum
from sidelight.analysis.source_lines import NO_LINE, Place, SourceLines
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import place_name

_Named = Callable[[int], tuple[str, Place | None]]
"""From a key to what it is called, and where it is."""


class RooflineLevel(msgspec.Struct, frozen=True):
    """The dots of one level; their ``device_ns`` and ``unpriced_ns`` add up to the device time.

    Attributes:
        dots: Largest device time first.
        unpriced_ns: Device time behind which no work is known.
        off_chart_dots: How many of the dots have no place on logarithmic axes: they do no FLOPs, or
            it is not known what they do, or move.
        off_chart_ns: Their device time.
    """

    dots: list[RooflineDot]
    unpriced_ns: int
    off_chart_dots: int
    off_chart_ns: int


class RooflineChart(msgspec.Struct, frozen=True):
    """A profile under its roofline.

    Attributes:
        roofs: What its core can do; None where no chip is known for it.
        device_ns: Device time of the recorded steps.
        whole: All of the known work as one dot; None where there is none.
        operators: By the operator that counts as a kernel; each where most of its device time is.
        lines: By source line, as ``sidelight lines --explain`` has them.
        modules: By the innermost module.
    """

    roofs: Roofs | None
    device_ns: int
    whole: RooflineDot | None
    operators: RooflineLevel
    lines: RooflineLevel
    modules: RooflineLevel


def roofline_chart(profile: Profile, modules: Modules | None = None) -> RooflineChart | None:
    """Work out a profile's roofline chart.

    Args:
        profile: An attributed profile.
        modules: Its modules, where they are at hand; they are found where not.

    Returns:
        None where nothing is known of the work behind its device time.
    """
    if not (has_prices(profile) or has_engine_work(profile)):
        return None
    return _Charted(profile).chart(Modules(profile) if modules is None else modules)


class _Charted:
    """The levels of one profile's chart."""

    def __init__(self, profile: Profile) -> None:
        events = profile.events
        self._profile = profile
        self._roofs = CoreRoofs(profile)
        self._source_lines = SourceLines(profile)
        self._counted: IntColumn = np.flatnonzero(counted_rows(events) & (events["step"] >= 0))
        self._device_ns = int(events["device_ns"][self._counted].sum())
        self._priced = has_prices(profile)
        if self._priced:
            self._pricing_row = pricing_rows(profile)
            self._timed = self._counted[self._pricing_row[self._counted] >= 0]
            self._rows_work = self._lines_work = priced_work(profile)
        else:
            self._timed = self._counted
            self._rows_work = engine_work(profile, self._source_lines, by_line=False)
            self._lines_work = engine_work(profile, self._source_lines, by_line=True)

    def chart(self, modules: Modules) -> RooflineChart:
        names, paths = self._profile.strings, modules.paths()
        places = list(self._source_lines.numbers)

        def line(key: int) -> tuple[str, Place | None]:
            if key < 0:
                return "on no line", None
            path, number = places[key]
            return place_name(path, number), places[key]

        def module(key: int) -> tuple[str, Place | None]:
            return (paths[key], modules.place(key)) if key >= 0 else ("in no module", None)

        most_on = self._lines_of_operators()

        def operator(key: int) -> tuple[str, Place | None]:
            return names[key], line(most_on.get(key, NO_LINE))[1]

        operators = self._level(self._rows_work, self._operator, operator)
        return RooflineChart(
            roofs=self._roofs.roofs(),
            device_ns=self._device_ns,
            whole=self._whole(),
            operators=operators,
            lines=self._level(
                self._lines_work, lambda _, stack: self._source_lines.innermost(stack), line
            ),
            modules=self._level(self._lines_work, modules.of, module),
        )

    def _operator(self, row: IntColumn, _: IntColumn) -> IntColumn:
        """The string id of the operator that each row counts under, as it was priced."""
        events = self._profile.events
        if self._priced:
            row = self._pricing_row[row]
        return events["name"][events["operator"][row]].astype(np.int64)

    def _level(self, work: WorkParts, key_of: KeyOf, named: _Named) -> RooflineLevel:
        sums = sum_work(self._profile, work, key_of)
        dots: list[RooflineDot] = []
        for key, device_ns, divided, parts in self._times(key_of):
            if key in sums and device_ns:
                name, place = named(key)
                of_key = (divided, parts)
                dots.append(
                    dot(self._profile, self._roofs, sums[key], name, place, device_ns, of_key)
                )
        dots.sort(key=lambda each: (-each.device_ns, each.name, each.file or ""))
        off_chart = [each for each in dots if not each.is_on_chart]
        return RooflineLevel(
            dots=dots,
            unpriced_ns=self._device_ns - sum(each.device_ns for each in dots),
            off_chart_dots=len(off_chart),
            off_chart_ns=sum(each.device_ns for each in off_chart),
        )

    def _lines_of_operators(self) -> dict[int, int]:
        """By operator the line with most of its device time, of equals the first: numbers both."""
        lines = len(self._source_lines.numbers) + 1

        def both(row: IntColumn, stack: IntColumn) -> IntColumn:
            line = self._source_lines.innermost(stack) - NO_LINE
            return self._operator(row, stack) * lines + line

        most: dict[int, tuple[int, int]] = {}
        for key, device_ns, *_ in self._times(both):
            operator, line = divmod(key, lines)
            if device_ns > most.get(operator, (0, 0))[0]:
                most[operator] = device_ns, line + NO_LINE
        return {operator: line for operator, (_, line) in most.items()}

    def _whole(self) -> RooflineDot | None:
        def everything(row: IntColumn, _: IntColumn) -> IntColumn:
            return np.zeros(len(row), np.int64)

        sums = sum_work(self._profile, self._rows_work, everything)
        work = sums.get(0, WorkSum())
        for _, device_ns, divided, parts in self._times(everything):
            if device_ns and sums:
                of_all = (divided, parts)
                return dot(self._profile, self._roofs, work, "all of it", None, device_ns, of_all)
        return None

    def _times(self, key_of: KeyOf) -> list[tuple[int, int, int, int]]:
        return list(device_time_by_key(self._profile, self._timed, key_of))
