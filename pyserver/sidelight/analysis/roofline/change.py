"""How dots moved under the roofline from one profile to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from sidelight.analysis.compare import Side, compare
from sidelight.analysis.comparison import ComparedTimes, Difference, LineMatch, compared_times
from sidelight.analysis.roofline.chart import RooflineChart, RooflineLevel
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.analysis.roofline.roofs import Roofs
from sidelight.analysis.source_lines import Place
from sidelight.profile.manifest import TimeKind
from sidelight.profile.quality import QualityNote

_Matched = tuple[LineMatch, "RooflineDot | None", "RooflineDot | None"]

_MatchedPlaces = tuple[LineMatch, "Place | None", "Place | None"]

_EMPTY: Final = RooflineLevel(dots=[], unpriced_ns=0, off_chart_dots=0, off_chart_ns=0)


@dataclass(frozen=True)
class ChartedSide:
    """What one side of a comparison is made from.

    Attributes:
        side: Its lines, and their sources.
        chart: Its chart; None where nothing is known of its work.
    """

    side: Side
    chart: RooflineChart | None


class RooflinePair(msgspec.Struct, frozen=True):
    """A dot before and now.

    Attributes:
        match: ``added`` and ``removed`` are on one side only; of a line also whether its text is
            the ``same``.
        base: The dot before; None where there was none.
        new: The dot now; None where there is none.
        device_ns: How its device time a step changed, in nanoseconds: the predicted one where the
            sides' own are of different kinds. None where it is on one side only, or the two do not
            compare.
    """

    match: LineMatch
    base: RooflineDot | None
    new: RooflineDot | None
    device_ns: Difference | None


class ChartedProfile(msgspec.Struct, frozen=True):
    """One side.

    Attributes:
        name: What the profile is called.
        steps: How many steps its sums are of.
        device_ns: Its device time.
        core: Whose roofs its dots are held against; None where no chip is known.
    """

    name: str
    steps: int
    device_ns: int
    core: str | None


class RooflineChange(msgspec.Struct, frozen=True):
    """How dots moved from one profile to another.

    Attributes:
        base: What was before.
        new: What is now.
        change_kind: Whether the times that ``device_ns`` of pairs are differences of are measured
            or predicted; None where they do not compare.
        whole: All of the known work; None where neither side knows any.
        operators: By name, largest change first, as all levels.
        lines: Lines that moved are followed.
        modules: By the path of their classes or instances.
        remarks: What keeps the two from being compared with full right, as sentences.
        quality: The same of the times and the sources, as ``sidelight compare`` has it.
    """

    base: ChartedProfile
    new: ChartedProfile
    change_kind: TimeKind | None
    whole: RooflinePair | None
    operators: list[RooflinePair]
    lines: list[RooflinePair]
    modules: list[RooflinePair]
    remarks: list[str]
    quality: list[QualityNote]


def roofline_change(base: ChartedSide, new: ChartedSide) -> RooflineChange:
    """Compare two charts.

    Args:
        base: What was before.
        new: What is now.
    """
    comparison = compare(base.side, new.side)
    was, now = base.side.report, new.side.report
    times = compared_times(was, now)
    steps = max(was.steps, 1), max(now.steps, 1)

    def paired(matched: Iterable[_Matched]) -> list[RooflinePair]:
        pairs = [
            RooflinePair(match, before, after, _difference(before, after, steps, times))
            for match, before, after in matched
        ]
        return sorted(pairs, key=lambda pair: _order(pair, steps))

    places: list[_MatchedPlaces] = [
        (
            line.match,
            (line.base.file, line.base.line) if line.base else None,
            (line.new.file, line.new.line) if line.new else None,
        )
        for line in comparison.lines
    ]
    old, fresh = base.chart, new.chart
    wholes = [(old.whole if old else None, fresh.whole if fresh else None)]
    same: LineMatch = "same"
    (whole,) = paired((same, before, after) for before, after in wholes)
    kinds: Mapping[ComparedTimes, TimeKind | None] = {
        "own": now.time_kind,
        "predicted": "predicted",
        "none": None,
    }
    return RooflineChange(
        base=_profile(base),
        new=_profile(new),
        change_kind=kinds[times],
        whole=whole if whole.base or whole.new else None,
        operators=paired(_by_name(_operators(old), _operators(fresh))),
        lines=paired(_by_place(_lines(old), _lines(fresh), places)),
        modules=paired(_by_name(_modules(old), _modules(fresh))),
        remarks=list(_remarks(old, fresh)),
        quality=comparison.quality,
    )


def _operators(chart: RooflineChart | None) -> list[RooflineDot]:
    return (chart.operators if chart else _EMPTY).dots


def _lines(chart: RooflineChart | None) -> list[RooflineDot]:
    return (chart.lines if chart else _EMPTY).dots


def _modules(chart: RooflineChart | None) -> list[RooflineDot]:
    return (chart.modules if chart else _EMPTY).dots


def _by_name(base: Iterable[RooflineDot], new: Iterable[RooflineDot]) -> Iterator[_Matched]:
    """Dots of one name, each in one pair."""
    left = {dot.name: dot for dot in base}
    for dot in new:
        before = left.pop(dot.name, None)
        match: LineMatch = "same" if before else "added"
        yield match, before, dot
    for dot in left.values():
        yield "removed", dot, None


def _by_place(
    base: Iterable[RooflineDot],
    new: Iterable[RooflineDot],
    places: Iterable[_MatchedPlaces],
) -> Iterator[_Matched]:
    """Dots of lines that are one line, each in one pair; what is on no line is one with it."""
    was, now = ({_place(dot): dot for dot in dots} for dots in (base, new))
    nowhere: _MatchedPlaces = ("same", ("", 0), ("", 0))
    for match, old_place, new_place in (*places, nowhere):
        before = was.pop(old_place, None) if old_place else None
        after = now.pop(new_place, None) if new_place else None
        if before and after:
            yield match, before, after
        elif before:
            yield "removed", before, None
        elif after:
            yield "added", None, after
    for dot in was.values():
        yield "removed", dot, None
    for dot in now.values():
        yield "added", None, dot


def _place(dot: RooflineDot) -> Place:
    return dot.file or "", dot.line or 0


def _difference(
    base: RooflineDot | None,
    new: RooflineDot | None,
    steps: tuple[int, int],
    times: ComparedTimes,
) -> Difference | None:
    if base is None or new is None or times == "none":
        return None
    was_ns, now_ns = base.device_ns, new.device_ns
    if times == "predicted":
        if base.predicted_ns is None or new.predicted_ns is None:
            return None
        was_ns, now_ns = base.predicted_ns, new.predicted_ns
    base_steps, new_steps = steps
    return Difference(
        (now_ns * base_steps - was_ns * new_steps) / (base_steps * new_steps),
        now_ns * base_steps / (was_ns * new_steps) if was_ns else None,
    )


def _order(pair: RooflinePair, steps: tuple[int, int]) -> tuple[float, str, str]:
    """Largest change first; what came or went changed by all of its time."""
    dot = pair.new or pair.base
    name, file = (dot.name, dot.file or "") if dot else ("", "")
    if pair.device_ns is not None:
        return -abs(pair.device_ns.difference), name, file
    was_ns, now_ns = (
        each.device_ns / of if each else 0
        for each, of in zip((pair.base, pair.new), steps, strict=True)
    )
    return -max(was_ns, now_ns), name, file


def _profile(charted: ChartedSide) -> ChartedProfile:
    report, chart = charted.side.report, charted.chart
    return ChartedProfile(
        name=report.name,
        steps=report.steps,
        device_ns=report.device_time_ns,
        core=chart.roofs.core if chart and chart.roofs else None,
    )


def _remarks(base: RooflineChart | None, new: RooflineChart | None) -> Iterator[str]:
    if base is None:
        yield (
            "Nothing is known of the baseline's work, so that it has no dots: open it with a "
            "device (sidelight open PROFILE --device trn2) to have it predicted."
        )
        return
    old, fresh = base.roofs, new.roofs if new else None
    if old is not None and fresh is not None and _rates(old) != _rates(fresh):
        yield (
            f"The baseline is held against the roofs of {old.core or 'its own core'}, this profile "
            f"against those of {fresh.core or 'its own core'}: the chart has this profile's, and "
            "how near each dot is to its roof is by its own."
        )


def _rates(roofs: Roofs) -> object:
    compute = {roof.dtype: roof.flops_per_s for roof in roofs.compute}
    return compute, {roof.memory: roof.bytes_per_s for roof in roofs.memory}
