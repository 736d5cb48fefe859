"""How much the recorded steps differ, which a mean over them hides. Cheap to import: no numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from sidelight.analysis.nesting import IntColumn
    from sidelight.profile.model import Profile

_WIDE = 2
"""A step that takes more than so many times the median is not what a mean speaks of."""


class StepSpread(msgspec.Struct, frozen=True):
    """A time of the recorded steps, in nanoseconds.

    Attributes:
        least_ns: That of the step that has least of it.
        median_ns: That of the step in the middle; of two, the one that has less.
        most_ns: That of the step that has most.
    """

    least_ns: int
    median_ns: int
    most_ns: int

    @property
    def is_wide(self) -> bool:
        """Whether a mean tells little of one step."""
        return self.most_ns > _WIDE * self.median_ns


def device_time_spread(profile: Profile, counted: IntColumn) -> StepSpread | None:
    """How the steps' device times differ; None where there are no two steps.

    Args:
        profile: An attributed profile.
        counted: The rows of device time within recorded steps.
    """
    if len(profile.steps) < 2:
        return None
    import numpy as np

    of_step = np.zeros(len(profile.steps), np.int64)
    np.add.at(of_step, profile.events["step"][counted], profile.events["device_ns"][counted])
    return _spread(of_step)


def length_spread(profile: Profile) -> StepSpread | None:
    """How long the steps themselves take, likewise."""
    if len(profile.steps) < 2:
        return None
    return _spread(profile.steps["end_ns"] - profile.steps["start_ns"])


def _spread(times_ns: IntColumn) -> StepSpread:
    ordered: list[int] = sorted(times_ns.tolist())
    return StepSpread(ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1])
