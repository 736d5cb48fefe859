"""When a device that works in order per stream would have run what its host gave it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sidelight.analysis.nesting import IntColumn

DEFAULT_STREAM = 0
"""The stream that work goes to where a program chose none."""


class Launch(NamedTuple):
    """The host submits a kernel.

    Attributes:
        at_ns: When it begins to.
        launch_ns: What that takes it.
        duration_ns: What the kernel takes the device.
        stream: The stream that runs it.
    """

    at_ns: int
    launch_ns: int
    duration_ns: int
    stream: int = DEFAULT_STREAM


class Wait(NamedTuple):
    """The host waits.

    Attributes:
        at_ns: From when.
        stream: For this stream; None for the device as a whole.
        moment: Instead, for a moment of some stream's.
    """

    at_ns: int
    stream: int | None = None
    moment: int | None = None


class Record(NamedTuple):
    """A moment is where a stream's work ends now."""

    at_ns: int
    stream: int
    moment: int


class Hold(NamedTuple):
    """A stream begins what it is given from now on no earlier than another gets to a moment."""

    at_ns: int
    stream: int
    moment: int


Happening = Launch | Wait | Record | Hold


@dataclass(frozen=True)
class Layout:
    """The new clock, and when each kernel runs by it.

    Attributes:
        old_ns: Instants of the recording at which anything begins or ends, ascending.
        new_ns: The same instants on the new clock, strictly ascending.
        device_start_ns: When each kernel starts, by the new clock.
    """

    old_ns: IntColumn
    new_ns: IntColumn
    device_start_ns: IntColumn

    def moved(self, time_ns: IntColumn) -> IntColumn:
        """The same instants, each one of ``old_ns``, on the new clock."""
        return self.new_ns[np.searchsorted(self.old_ns, time_ns)]


def lay_out(
    instants_ns: IntColumn,
    elapsed_ns: IntColumn,
    happenings: Sequence[Happening],
    boundaries_ns: IntColumn,
    *,
    waits_at_last: bool,
) -> Layout:
    """Set the host's clock anew, and the device's by it.

    A launch takes its time from when the host last turned to the device, unless that has passed. It
    and a wait move the clock on at the instant they begin, and a step's boundary is reached once
    the device has done all that was launched before the boundary before it.

    Args:
        instants_ns: Every instant at which anything begins or ends, ascending, each once.
        elapsed_ns: What else passes from each of them to the next: at least a nanosecond, so that
            what was nested stays so. The last has none that follows.
        happenings: What the host has to do with the device, each at one of the instants, in order.
        boundaries_ns: Where a step gives way to the next, ascending. At one instant they come
            before all else.
        waits_at_last: Whether the last of them is reached once the device has done everything.

    Returns:
        The layout, with the start of each launch's kernel in the order of ``happenings``.
    """
    run = _Run(elapsed_ns)
    boundaries: list[int] = np.searchsorted(instants_ns, boundaries_ns).tolist()
    last = boundaries[-1] if boundaries and waits_at_last else None
    waiting = _Merged(boundaries)
    at_of: list[int] = np.searchsorted(instants_ns, [each.at_ns for each in happenings]).tolist()
    for at, happening in zip(at_of, happenings, strict=True):
        for boundary in waiting.up_to(at):
            run.pass_boundary(boundary, waits=boundary == last)
        run.happen(at, happening)
    for boundary in waiting.up_to(len(instants_ns)):
        run.pass_boundary(boundary, waits=boundary == last)
    return Layout(instants_ns, run.clock(), np.array(run.starts_ns, np.int64))


@dataclass
class _Merged:
    """Hands out ascending numbers as they are reached."""

    numbers: list[int]
    _next: int = 0

    def up_to(self, limit: int) -> Iterator[int]:
        while self._next < len(self.numbers) and self.numbers[self._next] <= limit:
            yield self.numbers[self._next]
            self._next += 1


@dataclass
class _Run:
    """The host and the streams, as they move on.

    Attributes:
        elapsed_ns: What passes from each instant to the next.
        starts_ns: The start of each kernel so far.
    """

    elapsed_ns: IntColumn
    starts_ns: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self._passed = np.concatenate((np.zeros(1, np.int64), np.cumsum(self.elapsed_ns[:-1])))
        self._passed_ns: list[int] = self._passed.tolist()
        self._added_ns = np.zeros(len(self.elapsed_ns) + 1, np.int64)
        self._moved_ns = 0
        self._turned_to_device_ns = 0
        self._done_ns: defaultdict[int, int] = defaultdict(int)
        self._reached_ns: dict[int, int] = {}
        self._done_at_boundary_ns = 0

    def clock(self) -> IntColumn:
        """Every instant on the new clock."""
        return self._passed[: len(self.elapsed_ns)] + np.cumsum(self._added_ns)[:-1]

    def pass_boundary(self, at: int, *, waits: bool) -> None:
        """A step gives way to the next; waited for is what the one before it has launched."""
        self._turned_to_device_ns = self._passed_ns[at]
        done_ns = self._all_done_ns()
        self._wait(at, done_ns if waits else self._done_at_boundary_ns, before=True)
        self._done_at_boundary_ns = done_ns

    def happen(self, at: int, happening: Happening) -> None:
        """The host turns to the device."""
        since_ns = self._passed_ns[at] - self._turned_to_device_ns
        self._turned_to_device_ns = self._passed_ns[at]
        if isinstance(happening, Launch):
            self._add(at + 1, max(happening.launch_ns - since_ns, 0))
            start_ns = max(self._done_ns[happening.stream], self._host_ns(at))
            self.starts_ns.append(start_ns)
            self._done_ns[happening.stream] = start_ns + happening.duration_ns
        elif isinstance(happening, Wait):
            self._wait(at, self._awaited_ns(happening), before=False)
        elif isinstance(happening, Record):
            done_ns = self._done_ns[happening.stream]
            self._reached_ns[happening.moment] = max(done_ns, self._host_ns(at))
        else:
            reached_ns = self._reached_ns.get(happening.moment, 0)
            done_ns = self._done_ns[happening.stream]
            self._done_ns[happening.stream] = max(done_ns, reached_ns)

    def _awaited_ns(self, wait: Wait) -> int:
        if wait.moment is not None:
            return self._reached_ns.get(wait.moment, 0)
        return self._all_done_ns() if wait.stream is None else self._done_ns[wait.stream]

    def _all_done_ns(self) -> int:
        return max(self._done_ns.values(), default=0)

    def _host_ns(self, at: int) -> int:
        return self._passed_ns[at] + self._moved_ns

    def _wait(self, at: int, until_ns: int, *, before: bool) -> None:
        """Wait at an instant: before what happens there, or from then on."""
        self._add(at if before else at + 1, max(until_ns - self._host_ns(at), 0))

    def _add(self, at: int, added_ns: int) -> None:
        self._added_ns[at] += added_ns
        self._moved_ns += added_ns
