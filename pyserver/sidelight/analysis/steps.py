"""Recorded steps: which one an instant belongs to, and how much of an interval they hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sidelight.profile.tables import Table


def step_of(steps: Table, time_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The step that holds each instant, -1 for none; a boundary belongs to the later step."""
    if not len(steps):
        return np.full(len(time_ns), -1, np.int32)
    index = np.searchsorted(steps["start_ns"], time_ns, side="right") - 1
    inside = (index >= 0) & (time_ns <= steps["end_ns"][np.maximum(index, 0)])
    return np.where(inside, index, -1).astype(np.int32)


def recorded_before(steps: Table, time_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many nanoseconds of recorded steps lie before each instant.

    The difference of two such values is the part of an interval that recorded steps hold.
    """
    starts, ends = steps["start_ns"], steps["end_ns"]
    if not len(steps):
        return np.zeros(len(time_ns), np.int64)
    elapsed = np.concatenate(([0], np.cumsum(ends - starts)))
    index = np.searchsorted(starts, time_ns, side="right") - 1
    current = np.maximum(index, 0)
    within = np.minimum(time_ns, ends[current]) - starts[current]
    return np.where(index < 0, 0, elapsed[current] + within)
