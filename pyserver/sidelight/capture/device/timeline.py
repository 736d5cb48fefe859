"""When the host and each stream get to what they are given: the device's clock by itself.

The device runs in order per stream, and beside the host. The host moves on by what it does itself,
and a kernel's submission takes it at least the launch time of the predictor, in which the time that
eager code takes it between two kernels is contained.
"""

from __future__ import annotations

from collections import defaultdict


class Moment:
    """A point in a stream's work.

    Attributes:
        reached_ns: When the stream gets there; None where that is not worked out, or not yet known.
    """

    __slots__ = ("reached_ns",)

    def __init__(self) -> None:
        self.reached_ns: int | None = None


class Timeline:
    """A host and its device's streams, from an instant that counts as 0.

    All times are nanoseconds. ``host_time_ns`` is what the host's own clock shows, less what it did
    in the device's stead.

    Args:
        is_blocking: Whether the host waits for each kernel that it submits.
        host_time_ns: What the host's own clock shows at the start.

    Attributes:
        host_ns: Where the host is.
    """

    def __init__(self, *, is_blocking: bool, host_time_ns: int) -> None:
        self.host_ns = 0
        self._is_blocking = is_blocking
        self._host_time_ns = host_time_ns
        self._done_ns: defaultdict[int, int] = defaultdict(int)

    def reach(self, host_time_ns: int) -> None:
        """The host has done work of its own."""
        self.host_ns += self._passed_ns(host_time_ns)

    def launch(self, host_time_ns: int, stream: int, launch_ns: int, duration_ns: int) -> None:
        """The host submits a kernel, which starts once the stream is free.

        Args:
            host_time_ns: What the host's own clock shows.
            stream: The stream that runs it.
            launch_ns: What submitting it takes the host at least.
            duration_ns: What it takes the device.
        """
        self.host_ns += max(self._passed_ns(host_time_ns), launch_ns)
        done_ns = max(self.host_ns, self._done_ns[stream]) + duration_ns
        self._done_ns[stream] = done_ns
        if self._is_blocking:
            self.host_ns = done_ns

    def done_ns(self, stream: int | None = None) -> int:
        """When a stream is done with what it was given so far; None for the device as a whole."""
        if stream is None:
            return max(self._done_ns.values(), default=0)
        return self._done_ns[stream]

    def wait(self, until_ns: int) -> None:
        """The host waits."""
        self.host_ns = max(self.host_ns, until_ns)

    def hold(self, stream: int, until_ns: int) -> None:
        """A stream begins what it is given from now on no earlier."""
        self._done_ns[stream] = max(self._done_ns[stream], until_ns)

    def _passed_ns(self, host_time_ns: int) -> int:
        # Threads may tell of their instants out of order.
        passed_ns = max(host_time_ns - self._host_time_ns, 0)
        self._host_time_ns = max(self._host_time_ns, host_time_ns)
        return passed_ns
