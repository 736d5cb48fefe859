"""Where optimizers work: the regions that torch marks around their steps."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.model import Profile

_REGION_PREFIX = "Optimizer."
"""How torch names the row around ``step()`` and ``zero_grad()`` of every optimizer."""


def rows_in_optimizers(profile: Profile) -> Mask:
    """Which rows begin within a region of an optimizer on their own track.

    Args:
        profile: Its events are sorted by track and start.
    """
    events = profile.events
    is_region = np.array([name.startswith(_REGION_PREFIX) for name in profile.strings], np.bool_)
    track, start_ns = events["track"], events["start_ns"]
    first_of_track = np.searchsorted(track, np.arange(int(track.max(initial=-1)) + 2))
    changes = np.zeros(len(events) + 1, np.int64)
    regions: list[int] = np.flatnonzero(is_region[events["name"]]).tolist()
    for row in regions:
        following_ns: IntColumn = start_ns[row : int(first_of_track[track[row] + 1])]
        end_ns = int(start_ns[row] + events["duration_ns"][row])
        changes[row] += 1
        changes[row + int(np.searchsorted(following_ns, end_ns, side="left"))] -= 1
    return np.cumsum(changes[:-1]) > 0
