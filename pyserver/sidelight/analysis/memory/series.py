"""Memory in use over time, with its peak and what ran then."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
import numpy as np

from sidelight.analysis.idle.threads import HostThreads
from sidelight.analysis.memory.capacity import Capacity, capacity_of_series
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.source_lines import NO_LINE, SourceLines
from sidelight.analysis.steps import step_of
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile
from sidelight.profile.tables import Column

MOST_POINTS: Final = 500
"""Values of a series that are told: of each part of the time the largest, and the last of all."""

MemoryKind = Literal["device", "core", "host", "other"]
"""The device's own memory (HBM), a core's (SBUF), the machine's, or what is not told."""

_KINDS: Final[tuple[tuple[str, MemoryKind], ...]] = (
    ("HBM", "device"),
    ("Device memory", "device"),
    ("SBUF", "core"),
    ("PSUM", "core"),
    ("Host memory", "host"),
)
"""Begins the names of series, which readers give them."""


class MemoryMoment(msgspec.Struct, frozen=True):
    """An instant, and what ran then.

    Attributes:
        at_ns: When, from the profile's start.
        step: Index of the recorded step; None for none.
        file: The line that the host's main thread was in; None where none is known.
        line: 1-based; None likewise.
    """

    at_ns: int
    step: int | None
    file: str | None
    line: int | None


class MemorySeries(msgspec.Struct, frozen=True, kw_only=True):
    """Memory in use over time, as it was sampled.

    Attributes:
        name: What it is of.
        owner: The core, device or machine.
        kind: Which memory it is.
        samples: How many values were recorded.
        peak_bytes: The most.
        peak: When that was first.
        last_bytes: The last.
        capacity: How much there is of it.
        points: ``(at_ns, bytes)``; a value holds until the next.
    """

    name: str
    owner: str
    kind: MemoryKind
    samples: int
    peak_bytes: int
    peak: MemoryMoment
    last_bytes: int
    capacity: Capacity
    points: list[tuple[int, int]]


def memory_series(profile: Profile) -> list[MemorySeries]:
    """The quantities of a profile that are bytes in use.

    Args:
        profile: An attributed profile.
    """
    samples = profile.samples
    found: list[MemorySeries] = []
    moments: _Moments | None = None
    for number, series in enumerate(profile.manifest.series):
        if series.unit != "bytes":
            continue
        rows = np.flatnonzero((samples["series"] == number) & np.isfinite(samples["value"]))
        if not len(rows):
            continue
        moments = moments or _Moments(profile)
        capacity = capacity_of_series(series, profile.manifest)
        found.append(_of(series, capacity, samples["at_ns"][rows], samples["value"][rows], moments))
    return found


def _of(
    series: Series, capacity: Capacity, at_ns: IntColumn, value: Column, moments: _Moments
) -> MemorySeries:
    peak = int(np.argmax(value))
    shown = _largest_of_parts(at_ns, value)
    return MemorySeries(
        name=series.name,
        owner=series.owner,
        kind=_kind_of(series.name),
        samples=len(value),
        peak_bytes=round(float(value[peak])),
        peak=moments.at(int(at_ns[peak])),
        last_bytes=round(float(value[-1])),
        capacity=capacity,
        points=[
            (int(instant), round(float(amount)))
            for instant, amount in zip(at_ns[shown], value[shown], strict=True)
        ],
    )


def _kind_of(name: str) -> MemoryKind:
    for begins, kind in _KINDS:
        if name.startswith(begins):
            return kind
    return "other"


def _largest_of_parts(at_ns: IntColumn, value: Column) -> IntColumn:
    """The largest value of each part of the time, the first of them, and the last value of all."""
    if len(value) <= MOST_POINTS:
        return np.arange(len(value))
    parts = MOST_POINTS - 1
    extent_ns = max(int(at_ns[-1] - at_ns[0]), 1)
    part = np.minimum((at_ns - at_ns[0]) / extent_ns * parts, parts - 1).astype(np.int64)
    order = np.lexsort((at_ns, -value, part))
    first = np.flatnonzero(np.diff(part[order], prepend=-1))
    return np.union1d(order[first], len(value) - 1)


class _Moments:
    """Tells what ran at an instant.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._host, self._lines = HostThreads(profile), SourceLines(profile)

    def at(self, at_ns: int) -> MemoryMoment:
        """What ran at an instant."""
        instant, nobody = np.array([at_ns]), np.array([-1])
        row = self._host.innermost(self._host.busy_thread(nobody, instant), instant)
        stack = np.where(row >= 0, self._profile.events["stack"][row], -1)
        line = int(self._lines.innermost(stack)[0])
        file, number = (None, None) if line == NO_LINE else list(self._lines.numbers)[line]
        step = int(step_of(self._profile.steps, instant)[0])
        return MemoryMoment(at_ns, step if step >= 0 else None, file, number)
