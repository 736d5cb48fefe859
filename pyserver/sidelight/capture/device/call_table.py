"""The calls that a device's clock is told of, each different one under a number."""

from __future__ import annotations

import threading
from itertools import count
from typing import Any, NamedTuple, Union

from ...hardware.setup import Setup
from .kernel_calls import BackwardCall, GraphCall, KernelCall

_MOST_CALLS = 1 << 16
"""Calls of different shapes or numbers that are told apart at most; 20 MB of them."""

Call = Union[KernelCall, BackwardCall, GraphCall]
"""What runs on the device as one."""


class Kernel(NamedTuple):
    """A call on a stream.

    Attributes:
        stream: The stream's number.
        call: The call.
        waits: Whether the host waits for what it gives.
    """

    stream: int
    call: Call
    waits: bool = False


class CallTable:
    """Numbers calls, and knows what they take.

    Args:
        setup: What durations are predicted for.

    Attributes:
        numbers: The number of each call, by whatever tells it from others.
    """

    def __init__(self, setup: Setup) -> None:
        self.numbers: dict[Any, int] = {}
        self._setup = setup
        self._kernels: dict[int, Kernel] = {}
        self._durations_ns: dict[Call, int] = {}
        self._new_numbers = count()
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget the calls."""
        return len(self._kernels) >= _MOST_CALLS

    def forget(self) -> None:
        """Forget all calls; their numbers are not given again."""
        with self._lock:
            for table in (self._kernels, self.numbers, self._durations_ns):
                table.clear()

    def add(self, key: Any, kernel: Kernel) -> int:
        """A new call's number.

        Args:
            key: What tells it from others.
            kernel: The call.
        """
        with self._lock:
            number = next(self._new_numbers)
            self._kernels[number] = kernel
            self.numbers[key] = number
            return number

    def kernel(self, number: int) -> Kernel | None:
        """The call of a number; None if it was forgotten."""
        return self._kernels.get(number)

    def launch_ns(self, call: Call) -> int:
        """What submitting a call takes the host at least."""
        return call.launch_ns(self._setup)

    def duration_ns(self, call: Call) -> int:
        """What a call takes the device; equal ones are predicted once."""
        duration_ns = self._durations_ns.get(call)
        if duration_ns is None:
            duration_ns = self._durations_ns[call] = call.duration_ns(self._setup)
        return duration_ns
