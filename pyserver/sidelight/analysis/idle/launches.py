"""When the work that ends each gap was launched, and by which row of the host."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sidelight.analysis.idle.gaps import IdleGaps
from sidelight.analysis.launching import launching_rows
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category


@dataclass(frozen=True)
class Launches:
    """The launches of what ends gaps, one a gap.

    Attributes:
        row: The row of the host that launched it, -1 where it is not known. Where the host's rows
            are the device time, that is the row itself.
        over_ns: When the launch was over: no later than what it launched started.
        is_late: Whether that was after the gap had begun.
    """

    row: IntColumn
    over_ns: IntColumn
    is_late: Mask


def launches_of(profile: Profile, gaps: IdleGaps) -> Launches:
    """Find the launches of what ends gaps.

    Args:
        profile: An attributed profile.
        gaps: Its gaps.
    """
    events = profile.events
    ends = np.zeros(len(events), np.bool_)
    ends[gaps.row] = True
    category = events["category"]
    on_device = np.isin(category, (Category.DEVICE, Category.DEVICE_COARSE))
    launch = launching_rows(profile, ends & on_device)[gaps.row].astype(np.int64)
    row = np.where(category[gaps.row] == Category.OPERATOR, gaps.row, launch)
    end_ns = events["start_ns"][row] + events["duration_ns"][row]
    over_ns = np.minimum(np.where(row == gaps.row, gaps.end_ns, end_ns), gaps.end_ns)
    return Launches(row, over_ns, (row >= 0) & (over_ns > gaps.start_ns))
