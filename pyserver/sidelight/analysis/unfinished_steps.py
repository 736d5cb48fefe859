"""Finds steps that end on the host before the device has done what they launched.

A host that waits for nothing runs ahead of the device: how long its steps take is then the time of
launching, and what a recorder misses at the end is missing. What counts is whether the device was
at work beyond a step's end, whatever the calls are named by which a host waits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn
from sidelight.profile.manifest import STAND_IN_TARGETS
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category

_LATE: Final = 0.1
"""The part of a step's length by which the device may go on: an optimizer's last kernels do so in
steps that wait before them, which changes no conclusion."""

_DEVICE: Final = (Category.DEVICE, Category.DEVICE_COARSE)
_CALLS: Final = (
    Category.OPERATOR,
    Category.LINE,
    Category.FUNCTION,
    Category.RUNTIME,
    Category.DEVICE_RUNTIME,
)
"""Rows that say how long the host was recorded; a profiler's own rows go on for longer."""


def notes_on_unfinished_steps(profile: Profile) -> list[QualityNote]:
    """A note on the recorded steps at whose end the device is still at work for them, if any.

    Args:
        profile: An attributed profile.
    """
    if profile.manifest.target in STAND_IN_TARGETS:
        return []  # the device's times there are no recording's
    events = profile.events
    category, step = events["category"], events["step"]
    end_ns = events["start_ns"] + events["duration_ns"]
    calls = np.isin(category, _CALLS)
    is_device = np.isin(category, _DEVICE) & (events["device_ns"] > 0) & (step >= 0)
    # Only what a recorded operator launched tells whether the host ran ahead.
    rows = np.flatnonzero(is_device & (events["operator"] != np.arange(len(events))))
    if not calls.any() or not len(rows):
        return []
    starts_ns = profile.steps["start_ns"]
    ends_ns: IntColumn = np.minimum(profile.steps["end_ns"], end_ns[calls].max())
    done_ns = np.array(ends_ns)
    np.maximum.at(done_ns, step[rows], end_ns[rows])
    late = int(np.count_nonzero(done_ns - ends_ns > _LATE * np.maximum(ends_ns - starts_ns, 0)))
    if not late:
        return []
    return [
        QualityNote(
            "no_synchronize",
            "info",
            "Steps end on the host before the device has done what they launched. Device time is "
            "of the step that launched it; how long a step takes on the host is the time of "
            "launching, and work that goes on when the recorder stops is missing. Wait for the "
            "device (torch.neuron.synchronize(), or your device's) before a step ends to time it.",
            late,
        )
    ]
