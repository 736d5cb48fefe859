"""Rows far apart in time: what is by another clock, in another unit, or at no time at all."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.time_policy import APART_NS, Mask
from sidelight.ingest.trace_events import Int64s

_UNITS_APART: Final = 1000.0


class Stretches:
    """Stretches of time with rows in them, more than a day from one another.

    In most inputs there is one. Of several, the one with most rows is right. One that is the same
    at another unit, and one that is a single instant, hold no times. The others are by a clock
    that was set meanwhile, or by another: they are moved to follow one another.

    Args:
        starts_ns: Starts of rows, as the input counts them, each as :func:`good_times` allows.
    """

    def __init__(self, starts_ns: Int64s) -> None:
        instants, rows = np.unique(starts_ns, return_counts=True)
        begins = np.flatnonzero(np.diff(instants, prepend=instants[:1] - APART_NS - 1) > APART_NS)
        self._first_ns = instants[begins]
        self._last_ns = instants[np.append(begins[1:], len(instants)) - 1]
        stretch_rows = np.add.reduceat(rows, begins)
        # Of equal ones the later: absent times are zero more often than too large.
        self._main = main = len(begins) - 1 - int(np.argmax(stretch_rows[::-1]))
        self._other_unit = self._is_of_other_unit()
        is_instant = np.diff(begins, append=len(instants)) == 1
        is_instant[main] = False
        self._stray = is_instant & ~self._other_unit
        self._kept = np.flatnonzero(~self._stray & ~self._other_unit)
        self._moves_ns = np.zeros(len(self._kept), np.int64)

    @property
    def jumps(self) -> int:
        """How many gaps were closed."""
        return len(self._kept) - 1

    def stray(self, starts_ns: Int64s) -> Mask:
        """Which of the rows are at a single instant far from all others."""
        return self._stray[self._of(starts_ns)]

    def other_unit(self, starts_ns: Int64s) -> Mask:
        """Which of the rows count in another unit."""
        return self._other_unit[self._of(starts_ns)]

    def after_last_ns(self, ends_ns: Int64s) -> Int64s:
        """How long after the last start of the stretch that it is in, or after, each end is."""
        return ends_ns - self._last_ns[self._kept][self._kept_of(ends_ns)]

    def close_up(self, starts_ns: Int64s, ends_ns: Int64s) -> None:
        """Find where stretches go, so that each begins where the rows of the one before it end.

        Args:
            starts_ns: Starts of the rows that are left.
            ends_ns: Their ends, none before its start.
        """
        stretch, ends_in = self._kept_of(starts_ns), self._kept_of(ends_ns)
        first_ns, until_ns = self._first_ns[self._kept], self._last_ns[self._kept]
        own = np.flatnonzero(stretch == ends_in)
        np.maximum.at(until_ns, stretch[own], ends_ns[own])
        middle = int(np.searchsorted(self._kept, self._main))
        for index in range(middle + 1, len(first_ns)):
            end_ns = until_ns[index - 1] + self._moves_ns[index - 1]
            self._moves_ns[index] = end_ns - first_ns[index]
        for index in range(middle - 1, -1, -1):
            start_ns = first_ns[index + 1] + self._moves_ns[index + 1]
            self._moves_ns[index] = start_ns - until_ns[index]

    def moved(self, times_ns: Int64s) -> Int64s:
        """Instants, with the gaps closed."""
        return times_ns + self._moves_ns[self._kept_of(times_ns)]

    def _of(self, starts_ns: Int64s) -> npt.NDArray[np.intp]:
        return np.searchsorted(self._first_ns, starts_ns, "right") - 1

    def _kept_of(self, times_ns: Int64s) -> npt.NDArray[np.intp]:
        first_ns = self._first_ns[self._kept]
        return np.maximum(np.searchsorted(first_ns, times_ns, "right") - 1, 0)

    def _is_of_other_unit(self) -> Mask:
        first, last = self._first_ns.astype(np.float64), self._last_ns.astype(np.float64)
        main = self._main
        extent = last[main] - first[main] + 1e9
        found = np.zeros(len(first), np.bool_)
        if abs(first[main]) > 10 * extent:  # near zero the thousandth of anything is near
            for factor in (_UNITS_APART, 1 / _UNITS_APART):
                low, high = first * factor, last * factor
                found |= (low >= first[main] - extent) & (high <= last[main] + extent)
        found[main] = False
        return found
