"""What the time of each step went to.

Each instant counts once, for the first of these that is so in it: something computes; a collective
is under way; data is moved; an execution runs, of which nothing finer is known; the host works.
What is left is idle. That what overlaps counts by such an order is as in torch-tb-profiler
(``ProfileRole`` in its ``event_parser.py``: kernels, copies, communication, then the host), and
that computing comes first, so that the rest is what it does not hide, as in
HolisticTraceAnalysis (temporal breakdown). Collectives stand before transfers here, because those
of a NeuronCore move their data by DMA, which would hide them.

The host works while a thread of it is in a line, an operator or a call, and does not wait for the
device.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from sidelight.analysis.chosen_rows import rows_on_host
from sidelight.analysis.collectives.operations import library_rows
from sidelight.analysis.device_kinds import DeviceKind, device_kinds, holds_executions
from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.idle.gaps import idle_gaps
from sidelight.analysis.idle.host_rows import waiting_rows
from sidelight.analysis.intervals import Intervals
from sidelight.analysis.nesting import IntColumn, Mask, enclosing_rows
from sidelight.profile.manifest import TimeKind
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table

RULE: Final = (
    "Each instant of a step counts once: for computing, else for a collective, else for data that "
    "is moved, else for the host, where that works and the device does not; what is left is idle."
)

RULE_OF_CPU: Final = (
    "The CPU is the device here. Each instant of a step counts once: for computing, where an "
    "operator runs, else for a collective, else for the program outside its operators; what is "
    "left is idle."
)

_CALLS: Final = (Category.RUNTIME, Category.DEVICE_RUNTIME)


class TimeParts(msgspec.Struct, frozen=True, kw_only=True):
    """A time and what it went to, in nanoseconds: the parts that are known add up to it, exactly.

    Attributes:
        duration_ns: The whole.
        compute_ns: Something on the device computes.
        collectives_ns: A collective is under way, and nothing computes; None where the device's
            rows are whole executions, which do not tell.
        dma_ns: Data is moved, and neither of these; None likewise.
        host_ns: The device does nothing, and the host works; None where nothing is recorded of it.
        idle_ns: The device does nothing, and the host, as far as is recorded, does neither: or it
            waits.
    """

    duration_ns: int
    compute_ns: int
    collectives_ns: int | None
    dma_ns: int | None
    host_ns: int | None
    idle_ns: int

    @property
    def device_ns(self) -> int:
        """The time in which the device did anything."""
        return self.compute_ns + (self.collectives_ns or 0) + (self.dma_ns or 0)


class StepParts(TimeParts, frozen=True, kw_only=True):
    """The time of one step.

    Attributes:
        start_ns: When it began, from the profile's start.
    """

    start_ns: int


class MeanParts(msgspec.Struct, frozen=True, kw_only=True):
    """The means over the recorded steps, in nanoseconds; as ``TimeParts`` has them."""

    duration_ns: float
    compute_ns: float
    collectives_ns: float | None
    dma_ns: float | None
    host_ns: float | None
    idle_ns: float


class StepTime(msgspec.Struct, frozen=True, kw_only=True):
    """What the time of the recorded steps went to.

    Attributes:
        time_kind: Whether the device's times, and the host's with them, are measured.
        rule: How what overlaps is counted, as a sentence.
        total: Summed over the steps.
        mean: The mean step's.
        steps: One after another.
    """

    time_kind: TimeKind
    rule: str
    total: TimeParts
    mean: MeanParts
    steps: list[StepParts]


def step_time(profile: Profile) -> StepTime | None:
    """Divide the time of each recorded step.

    Args:
        profile: An attributed profile.

    Returns:
        None where there is no step that took any time.
    """
    steps = profile.steps
    starts_ns, ends_ns = steps["start_ns"], steps["end_ns"]
    if not len(profile.events) or not (ends_ns > starts_ns).any():
        return None
    device, host = _device(profile), _host(profile)
    tells_kinds = not _only_executions(profile)
    reached = _unions(device)
    covered = [each.before(ends_ns) - each.before(starts_ns) for each in reached]
    compute_ns, collectives_ns, dma_ns, execution_ns = np.diff(
        np.stack([np.zeros(len(steps), np.int64), *covered]), axis=0
    )
    duration_ns = ends_ns - starts_ns
    host_ns = np.zeros(len(steps), np.int64)
    if host is not None:
        alone = host.minus(reached[-1])
        host_ns = alone.before(ends_ns) - alone.before(starts_ns)
    compute_ns = compute_ns + execution_ns
    idle_ns = duration_ns - compute_ns - collectives_ns - dma_ns - host_ns
    columns = {
        "duration_ns": duration_ns,
        "compute_ns": compute_ns,
        "collectives_ns": collectives_ns if tells_kinds else None,
        "dma_ns": dma_ns if tells_kinds else None,
        "host_ns": None if host is None else host_ns,
        "idle_ns": idle_ns,
    }

    def parts(of: slice) -> dict[str, int | None]:
        return {
            name: None if column is None else int(column[of].sum())
            for name, column in columns.items()
        }

    sums, count = parts(slice(None)), len(steps)
    return StepTime(
        time_kind=profile.manifest.time_kind,
        rule=RULE_OF_CPU if profile.manifest.device == "cpu" else RULE,
        total=msgspec.convert(sums, TimeParts),
        mean=msgspec.convert(
            {name: None if sum_ns is None else sum_ns / count for name, sum_ns in sums.items()},
            MeanParts,
        ),
        steps=[
            msgspec.convert(
                {"start_ns": int(starts_ns[step]), **parts(slice(step, step + 1))}, StepParts
            )
            for step in range(count)
        ],
    )


def _unions(sets: list[Intervals]) -> list[Intervals]:
    """Each set together with those before it."""
    found: list[Intervals] = []
    for each in sets:
        found.append(Intervals.union_of([*found[-1:], each]))
    return found


def _device(profile: Profile) -> list[Intervals]:
    """When the device computes, exchanges data, moves data, and runs anything at all."""
    events = profile.events
    counted = counted_rows(events)
    if (events["category"][counted] == Category.OPERATOR).any():
        # On the host an operator does not run where a line is nested in it, and a library exchanges
        # data on threads of its own.
        busy = idle_gaps(events, profile.steps).busy
        nothing = Intervals.union_of([])
        return [busy, Intervals.of_rows(events, library_rows(profile)), nothing, nothing]
    kinds = device_kinds(profile)
    order = (DeviceKind.COMPUTE, DeviceKind.COLLECTIVE, DeviceKind.DMA, DeviceKind.EXECUTION)
    return [Intervals.of_rows(events, kinds == kind) for kind in order]


def _only_executions(profile: Profile) -> bool:
    """Whether nothing tells what the device did in its executions."""
    has_engines = (profile.events["category"] == Category.ENGINE_WORK).any()
    return holds_executions(profile) and not has_engines


def _host(profile: Profile) -> Intervals | None:
    """When any thread of the host works; None where nothing is recorded of it."""
    events = profile.events
    works = (enclosing_rows(events) | np.isin(events["category"], _CALLS)) & (events["parent"] < 0)
    works &= rows_on_host(profile)
    if not works.any():
        return None
    waits = waiting_rows(profile)
    working: list[Intervals] = []
    # A thread that waits does not work; another that works meanwhile does.
    for of_thread in _rows_by_track(events, works | waits):
        busy = Intervals.of_rows(events, of_thread[works[of_thread]])
        working.append(busy.minus(Intervals.of_rows(events, of_thread[waits[of_thread]])))
    return Intervals.union_of(working)


def _rows_by_track(events: Table, rows: Mask) -> list[IntColumn]:
    """The rows of each track: in the events' order one track follows another."""
    chosen = np.flatnonzero(rows)
    return np.split(chosen, np.flatnonzero(np.diff(events["track"][chosen])) + 1)
