"""Goes through rows by time, some at once, so that what is worked out about them stays small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sidelight.analysis.nesting import Indexes, IntColumn


@dataclass(frozen=True)
class Stretches:
    """When something was, and on which core.

    Attributes:
        core: The number of the logical core.
        start_ns: The first instant of each.
        end_ns: The first instant after it.
    """

    core: Indexes
    start_ns: IntColumn
    end_ns: IntColumn

    def __len__(self) -> int:
        return len(self.start_ns)

    def within(self, window: TimeWindow, rows: Indexes) -> Stretches:
        """Some of them, as far as they are in a window."""
        return Stretches(
            self.core[rows],
            np.maximum(self.start_ns[rows], window.start_ns),
            np.minimum(self.end_ns[rows], window.end_ns),
        )


@dataclass(frozen=True)
class TimeWindow:
    """A part of the time.

    Attributes:
        start_ns: Its first instant.
        end_ns: The first instant after it.
    """

    start_ns: int
    end_ns: int

    def overlapping(self, stretches: Stretches) -> Indexes:
        """Which stretches are in it, at least in part."""
        return np.flatnonzero(
            (stretches.start_ns < self.end_ns) & (stretches.end_ns > self.start_ns)
        )


def time_windows(stretches: Stretches, starts: int) -> Iterator[tuple[TimeWindow, Indexes]]:
    """Cut the time in which there are stretches into windows.

    Args:
        stretches: None of them is empty.
        starts: How many of them start in each window.

    Returns:
        The windows, one after another without a gap, each with the stretches that are in it.
    """
    order = np.argsort(stretches.start_ns, kind="stable").astype(np.int32)
    running = order[:0]
    for first in range(0, len(order), starts):
        following = first + starts
        running = np.concatenate((running, order[first:following]))
        ends_ns = stretches.end_ns[running]
        end_ns = stretches.start_ns[order[following]] if following < len(order) else ends_ns.max()
        window = TimeWindow(int(stretches.start_ns[order[first]]), int(end_ns))
        # More may start at one instant than in a window; what starts at its end is not in it.
        if window.end_ns > window.start_ns:
            yield window, running[stretches.start_ns[running] < end_ns]
        running = running[ends_ns > end_ns]
