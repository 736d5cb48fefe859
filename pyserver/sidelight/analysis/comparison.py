"""What differs between two profiles, as types.

Costs are integer sums over the recorded steps of the side they are of. Sides may have recorded
different numbers of steps, so differences and ratios are of means per step.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from sidelight.analysis.step_spread import StepSpread
from sidelight.profile.manifest import Attribution, DeviceMemory, Pricing, TimeKind
from sidelight.profile.quality import QualityNote

LineMatch = Literal["same", "changed", "added", "removed"]
"""Whether both sides' sources have a line, with equal text or not, or the new or base alone.

Indentation is no part of the text.
"""

ComparedTimes = Literal["own", "predicted", "none"]
"""Which times of two profiles may be subtracted: their own, those predicted for both, or none."""


class _Timed(Protocol):
    @property
    def time_kind(self) -> TimeKind: ...
    @property
    def predicted_ns(self) -> int | None: ...


def compared_times(base: _Timed, new: _Timed) -> ComparedTimes:
    """Which times of two profiles are of one kind: a measured one is never taken from a predicted.

    Args:
        base: What was before: its report, or the headline of that.
        new: What is now.
    """
    if base.time_kind == new.time_kind:
        return "own"
    return "none" if base.predicted_ns is None or new.predicted_ns is None else "predicted"


class Difference(msgspec.Struct, frozen=True):
    """How a figure changed from base to new.

    Attributes:
        difference: New less base, a step, in the figure's own unit.
        ratio: New by base, a step; None where base is 0.
    """

    difference: float
    ratio: float | None


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What something cost on one side.

    Attributes:
        self_ns: Its own device time.
        launches: How many rows of device time it has, as ``OperatorShare.count``.
        bytes: What it moves between HBM and the core, as ``hbm_bytes`` of the report; None where
            that is not known.
    """

    self_ns: int
    launches: int
    bytes: int | None


class LineCost(Cost, frozen=True, kw_only=True):
    """What a line cost on one side; nothing where it is in the source and had no device time.

    Attributes:
        file: As that side's report has it.
        line: 1-based, in that side's source.
        total_ns: Device time of the line and of all it called, each event once.
        predicted_ns: Predicted device time; None where it is not priced.
        time_kind: Whether the times are measured or predicted.
        attribution: Whether they were apportioned.
    """

    file: str
    line: int
    total_ns: int
    predicted_ns: int | None
    time_kind: TimeKind
    attribution: Attribution


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """How a cost changed; what one side does not have cost nothing there.

    Attributes:
        self_ns: Its own device time.
        launches: How often it was launched.
        bytes: What it moved; None where either side does not know.
    """

    self_ns: Difference
    launches: Difference
    bytes: Difference | None


class LineChange(Change, frozen=True, kw_only=True):
    """How a line's cost changed.

    Attributes:
        total_ns: Device time of the line and of all it called.
        predicted_ns: Its predicted device time; None where either side is not priced.
    """

    total_ns: Difference
    predicted_ns: Difference | None


class CostComparison(msgspec.Struct, frozen=True, kw_only=True):
    """What something cost on both sides."""

    base: Cost
    new: Cost
    change: Change


class OperatorComparison(CostComparison, frozen=True, kw_only=True):
    """What the launches by one operator cost on both sides."""

    name: str


class LineComparison(msgspec.Struct, frozen=True):
    """A line on both sides, or on one.

    Attributes:
        match: Which sides' sources have it.
        base: What it cost there; None where base's source does not have it.
        new: The same of new.
        change: From base to new.
        operators: The operators of its own device time, largest change first.
    """

    match: LineMatch
    base: LineCost | None
    new: LineCost | None
    change: LineChange
    operators: list[OperatorComparison]

    @property
    def place(self) -> tuple[str, int]:
        """Its file and line in new, or in base where new does not have it."""
        cost = self.new or self.base
        return (cost.file, cost.line) if cost else ("", 0)


class ComparedProfile(msgspec.Struct, frozen=True, kw_only=True):
    """One side: the headline of its per-line report, whose names it keeps."""

    profile: str
    name: str
    format: str
    target: str
    device: str
    rank: int | None
    world_size: int | None
    steps: int
    warmup: int
    recorded_ns: int
    device_time_ns: int
    step_device_time: StepSpread | None
    attributed_ns: int
    unattributed_ns: int
    predicted_ns: int | None
    hbm_bytes: int | None
    memory: DeviceMemory | None
    pricing: Pricing | None
    time_kind: TimeKind
    attribution: Attribution
    quality: list[QualityNote]


class ProfileChange(msgspec.Struct, frozen=True):
    """How the whole changed.

    Attributes:
        device_time_ns: All device time.
        predicted_ns: The predicted device time; None where either side is not priced.
        recorded_ns: How long the steps took.
        hbm_bytes: What all kernels move; None where either side does not know.
    """

    device_time_ns: Difference
    predicted_ns: Difference | None
    recorded_ns: Difference
    hbm_bytes: Difference | None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two profiles, line by line and operator by operator.

    Attributes:
        base: What was before.
        new: What is now.
        change: Of the whole.
        lines: Every line that either side's report has, largest change first; a side's ``self_ns``
            and its ``unattributed_ns`` add up to its ``device_time_ns``.
        unattributed: What belongs to no line.
        operators: Every operator, largest change first; a side's ``self_ns`` add up to its
            ``device_time_ns``.
        quality: What keeps the two from being compared with full right.
    """

    base: ComparedProfile
    new: ComparedProfile
    change: ProfileChange
    lines: list[LineComparison]
    unattributed: CostComparison
    operators: list[OperatorComparison]
    quality: list[QualityNote]
