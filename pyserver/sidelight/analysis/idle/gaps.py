"""When the device had nothing to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sidelight.analysis.device_time import busy_changes
from sidelight.analysis.intervals import Intervals
from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.profile.tables import Table


@dataclass(frozen=True)
class IdleGaps:
    """The stretches in which no row of device time ran, on any stream.

    Attributes:
        row: The event each gap lies directly before: it starts, or resumes after what was nested
            in it, where the gap ends. Of several, the first in the events' order.
        start_ns: When each began.
        end_ns: When it ended.
        duration_ns: How long each was, without what lies between steps.
        span_ns: From the first start of device time to its last end, in which they lie.
        busy: The rest of that.
    """

    row: Indexes
    start_ns: IntColumn
    end_ns: IntColumn
    duration_ns: IntColumn
    span_ns: int
    busy: Intervals


def idle_gaps(events: Table, steps: Table) -> IdleGaps:
    """Find the gaps between the recorded steps' first and last device time.

    Together they are ``span_ns - device_busy_ns``, exactly, where the steps follow one another
    without a break. What lies between two steps that do not was not asked for, and work there is
    not counted: that part of a gap is left out.

    Args:
        events: Attributed events.
        steps: The recorded steps.
    """
    changes = busy_changes(events)
    time_ns = changes.time_ns
    runs, takes_time = changes.running[:-1] > 0, np.diff(time_ns) > 0
    is_gap = np.flatnonzero(~runs & takes_time)
    starts, ends = time_ns[is_gap], time_ns[is_gap + 1]
    breaks = breaks_between(steps)
    unrecorded_ns = breaks.before(ends) - breaks.before(starts)
    return IdleGaps(
        row=changes.row[is_gap + 1],
        start_ns=starts,
        end_ns=ends,
        duration_ns=ends - starts - unrecorded_ns,
        span_ns=int(time_ns[-1] - time_ns[0]) if len(time_ns) else 0,
        busy=Intervals.union(time_ns[:-1][runs], time_ns[1:][runs]),
    )


def breaks_between(steps: Table) -> Intervals:
    """The time between steps that do not follow one another without a break.

    Args:
        steps: The recorded steps.
    """
    return Intervals.union(steps["end_ns"][:-1], steps["start_ns"][1:])
