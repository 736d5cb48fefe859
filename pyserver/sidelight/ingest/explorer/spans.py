"""When the rows of a table were: one policy for times that are missing or cannot be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sidelight.ingest.explorer.columns import Batch, Integers
from sidelight.ingest.time_policy import LATEST_NS, LONGEST_NS, good_times


class Spans(NamedTuple):
    """The times of a batch's rows, in nanoseconds by the file's clock.

    Attributes:
        rows: The rows whose times can be, as indexes into the batch.
        start_ns: Their starts.
        duration_ns: Their durations.
        bad: How many rows there are beside them: time or duration missing, negative or absurd.
    """

    rows: npt.NDArray[np.intp]
    start_ns: Integers
    duration_ns: Integers
    bad: int

    def only(self, chosen: npt.NDArray[np.bool_]) -> Spans:
        """Some of them."""
        return Spans(self.rows[chosen], self.start_ns[chosen], self.duration_ns[chosen], self.bad)


def spans_of(
    batch: Batch, start: str = "start_ts", end: str = "end_ts", duration: str = "duration_ns"
) -> Spans:
    """Tell when the rows of a batch were, from any two of start, end and duration.

    Where a file has all three, start and end count.

    Args:
        batch: The rows.
        start: The column of starts.
        end: The column of ends.
        duration: The column of durations.
    """
    return _spans(batch.times(start), batch.times(end), batch.times(duration))


def _spans(start: Integers, end: Integers, duration: Integers) -> Spans:
    has_start, has_end = can_be(start), can_be(end)
    has_duration = (duration >= 0) & (duration <= LONGEST_NS)
    by_end = has_end & ~has_start & has_duration
    start = np.where(by_end, np.where(by_end, end, 0) - np.where(by_end, duration, 0), start)
    both = has_start & has_end
    difference = np.where(both, end, 0) - np.where(both, start, 0)
    duration = np.where(both, difference, duration)
    rows = np.flatnonzero(good_times(start, duration))
    return Spans(rows, start[rows], duration[rows], len(start) - len(rows))


def can_be(times: Integers) -> npt.NDArray[np.bool_]:
    """Which times a recording can have."""
    return (times > -LATEST_NS) & (times < LATEST_NS)
