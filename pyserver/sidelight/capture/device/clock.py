"""The device's clock: what ran on which stream, and when it would be done.

It is told of every operator the device answers, which has to cost next to nothing: it notes a
number of the call and the instant, and works out times only when somebody asks.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Callable, NamedTuple

import torch

from ...hardware.operators.registry import waits_for_device
from ...hardware.setup import Setup
from .call_table import Call, CallTable, Kernel
from .kernel_calls import GraphCall, KernelCall, shown
from .rows import KERNEL_PREFIX, STAND_IN, close, mark, row
from .timeline import Moment, Timeline

DEFAULT_STREAM = 0
"""The stream that work goes to where none is chosen."""

_MOST_NOTED = 1 << 16
"""Notes that are kept before times are worked out unasked."""

_NUMBER_BITS = 32
"""A note is an instant and a number in one integer, which garbage collection does not look at."""

_NUMBER_MASK = (1 << _NUMBER_BITS) - 1

_Tensor = torch.Tensor


class _Happening(NamedTuple):
    """What else a note may be: something to be done with the timeline at an instant."""

    host_time_ns: int
    do: Callable[[Timeline], None]


class DeviceClock:
    """Keeps a device's time. All times are nanoseconds.

    Args:
        setup: What durations are predicted for.
        is_blocking: Whether the host waits for each kernel that it submits.
        now_ns: The host's own clock.

    Attributes:
        setup: As given.
        graphs: The compiled graphs that have run, in the order of their first runs.
        leaves_rows: Whether each kernel leaves a row with its duration in its name.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        is_blocking: bool = False,
        now_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self.setup = setup
        self.leaves_rows = False
        self.graphs: dict[GraphCall, None] = {}
        self._now_ns = now_ns
        self._timeline = Timeline(is_blocking=is_blocking, host_time_ns=now_ns())
        self._computing_ns = 0
        self._notes: deque[int | _Happening] = deque()
        self._calls = CallTable(setup)
        self._numbers = self._calls.numbers
        self._executed: Counter[str] = Counter()
        self._lock = threading.RLock()
        self._wholes_running = 0
        self._thread = threading.local()
        self._latest_stream = DEFAULT_STREAM

    @property
    def about(self) -> str:
        """What to say of its times, in one sentence."""
        return f"Times of the device are predicted for {self.setup.core.label}: none ran here."

    @property
    def stream(self) -> int:
        """The stream that the current thread works on.

        A thread that chose none works on the one that was chosen last: such as autograd's, whose
        backward passes run where their forward passes ran.
        """
        return getattr(self._thread, "stream", self._latest_stream)

    @stream.setter
    def stream(self, stream: int) -> None:
        self._thread.stream = self._latest_stream = stream

    def ran(
        self,
        operator: Any,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        computing_ns: int,
    ) -> None:
        """An operator of the device was answered.

        Args:
            operator: torch's operator, with its overload.
            arguments: What it was given.
            keywords: What it was given by name.
            computing_ns: What the answer took the host, which is none of the program's time.
        """
        if self._wholes_running and self.is_in_whole():
            return
        self._computing_ns += computing_ns
        stream = getattr(self._thread, "stream", self._latest_stream)
        try:
            given = tuple(
                [
                    (each.shape, each.dtype)
                    if isinstance(each, _Tensor)
                    else shown(each)
                    if isinstance(each, (list, tuple))
                    else each
                    for each in arguments
                ]
            )
            named = tuple([(name, shown(each)) for name, each in keywords.items()])
            key = (stream, operator, given, named)
            number = self._numbers.get(key)
        except (RuntimeError, TypeError):
            return  # What has no shape, or cannot be compared, has no price.
        if number is None:
            call = KernelCall(operator, given, named)
            number = self._numbered(key, Kernel(stream, call, waits_for_device(call.name)))
        self._launched(number)

    @contextmanager
    def running(self, call: Call) -> Generator[None]:
        """Within it the host computes, in the device's stead, what runs there as a whole."""
        if self.is_in_whole():
            yield
            return
        began_ns = self._now_ns()
        self._wholes_running += 1
        self._thread.in_whole = True
        try:
            yield
        finally:
            self._thread.in_whole = False
            self._wholes_running -= 1
            self.ran_whole(call, self._now_ns() - began_ns)

    def is_in_whole(self) -> bool:
        """Whether the current thread computes what runs on the device as a whole."""
        return getattr(self._thread, "in_whole", False)

    def ran_whole(self, call: Call, computing_ns: int) -> None:
        """Something that runs as a whole was computed, which took the host so long."""
        self._computing_ns += computing_ns
        key = (self.stream, call)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbered(key, Kernel(*key))
            if isinstance(call, GraphCall):
                self.graphs[call] = None
        self._launched(number)

    def computed(self, computing_ns: int) -> None:
        """The host computed a part of what the clock was told of as a whole."""
        self._computing_ns += computing_ns

    def _launched(self, number: int) -> None:
        self._notes.append(self._host_time_ns() << _NUMBER_BITS | number)
        if len(self._notes) > _MOST_NOTED:
            self._work_out()
        if self.leaves_rows:
            self._leave_row(number)

    def waited(self, stream: int | None = None) -> None:
        """The host waited for a stream, or for the device as a whole."""
        self._note(lambda timeline: timeline.wait(timeline.done_ns(stream)))

    def waited_for(self, moment: Moment) -> None:
        """The host waited until a stream got to a moment."""
        self._note(lambda timeline: timeline.wait(moment.reached_ns or 0))

    def mark(self, moment: Moment, stream: int) -> None:
        """A moment is where a stream's work ends now."""

        def reach(timeline: Timeline) -> None:
            moment.reached_ns = max(timeline.host_ns, timeline.done_ns(stream))

        self._note(reach)

    def hold(self, stream: int, moment: Moment) -> None:
        """A stream goes on no earlier than another gets to a moment."""
        self._note(lambda timeline: timeline.hold(stream, moment.reached_ns or 0))

    def reached_ns(self, moment: Moment) -> int:
        """When a stream got, or gets, to a moment that was marked."""
        self._work_out()
        return moment.reached_ns or 0

    def is_past(self, moment: Moment) -> bool:
        """Whether the host is past a moment."""
        self.mark_host()
        self._work_out()
        return self._timeline.host_ns >= (moment.reached_ns or 0)

    def is_idle(self, stream: int) -> bool:
        """Whether a stream is done with all that it was given."""
        self.mark_host()
        self._work_out()
        return self._timeline.host_ns >= self._timeline.done_ns(stream)

    def mark_host(self) -> None:
        """The host got to where it is now."""
        self._note(lambda timeline: None)

    def executed(self) -> Counter[str]:
        """How often the device ran each operator, in the order of their first runs."""
        self._work_out()
        return self._executed

    def forget_executed(self) -> None:
        """Count operators anew."""
        self._work_out()
        self._executed = Counter()

    def _host_time_ns(self) -> int:
        return self._now_ns() - self._computing_ns

    def _note(self, do: Callable[[Timeline], None]) -> None:
        self._notes.append(_Happening(self._host_time_ns(), do))
        if len(self._notes) > _MOST_NOTED:
            self._work_out()

    def _numbered(self, key: Any, kernel: Kernel) -> int:
        """A new call's number."""
        if self._calls.is_full:
            self._work_out()
            self._calls.forget()
        return self._calls.add(key, kernel)

    def _leave_row(self, number: int) -> None:
        began_ns = self._now_ns()
        kernel = self._calls.kernel(number)
        duration_ns = 0 if kernel is None else self._calls.duration_ns(kernel.call)
        if duration_ns:
            # What runs as a whole has no answer of its own around it.
            answer = row(STAND_IN)
            answer.__enter__()
            mark(f"{KERNEL_PREFIX}{duration_ns}")
            close(answer)
        self._computing_ns += self._now_ns() - began_ns

    def _work_out(self) -> None:
        """Bring the timeline up to date; what that takes is none of the program's time."""
        with self._lock:
            began_ns = self._now_ns()
            while self._notes:
                note = self._notes.popleft()
                if isinstance(note, int):
                    kernel = self._calls.kernel(note & _NUMBER_MASK)
                    if kernel is not None:
                        self._launch(note >> _NUMBER_BITS, kernel)
                else:
                    self._timeline.reach(note.host_time_ns)
                    note.do(self._timeline)
            self._computing_ns += self._now_ns() - began_ns

    def _launch(self, host_time_ns: int, kernel: Kernel) -> None:
        duration_ns = self._calls.duration_ns(kernel.call)
        if duration_ns:
            launch_ns = self._calls.launch_ns(kernel.call)
            self._timeline.launch(host_time_ns, kernel.stream, launch_ns, duration_ns)
        if kernel.waits:
            self._timeline.wait(self._timeline.done_ns(kernel.stream))
        self._executed.update(kernel.call.operators)
