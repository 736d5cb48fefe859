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


def step_entered_in(
    steps: Table,
    step_before_ns: int | None,
    start_ns: npt.NDArray[np.int64],
    end_ns: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """The step that a line's entry counts in, where module calls separate the steps.

    The call that opens a step is made from within lines: ``y = model(x)`` is entered a moment
    before the step that it calls begins. So a line counts in the step that begins next after its
    entry if that happens while it is open, else in the one it starts in.

    Args:
        steps: The recorded steps.
        step_before_ns: Start of the last step left out before them, None for none.
        start_ns: Start of each line.
        end_ns: End of each line.
    """
    if not len(steps):
        return np.full(len(start_ns), -1, np.int32)
    # Beyond the last recorded step another begins, if the recording went on: in no step of ours.
    begins_ns = np.append(steps["start_ns"], steps["end_ns"][-1] + 1)
    step = np.append(np.arange(len(steps)), -1)
    following = np.searchsorted(steps["start_ns"], start_ns, side="left")
    opens_step = begins_ns[following] <= end_ns
    opens_step &= start_ns < begins_ns[-1]
    if step_before_ns is not None:
        # What was entered before that boundary opened a step that is left out.
        opens_step &= start_ns >= step_before_ns
    return np.where(opens_step, step[following], step_of(steps, start_ns)).astype(np.int32)


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
