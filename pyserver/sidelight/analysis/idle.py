"""When the device had nothing to do, and what it was waiting for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sidelight.analysis.device_time import busy_changes
from sidelight.analysis.nesting import Indexes, IntColumn
from sidelight.analysis.steps import recorded_before
from sidelight.profile.tables import Table


@dataclass(frozen=True)
class IdleGaps:
    """The stretches in which no row of device time ran, on any stream.

    Attributes:
        row: The event each gap lies directly before: it starts, or resumes after what was nested
            in it, where the gap ends. Of several, the first in the events' order.
        duration_ns: How long each was.
    """

    row: Indexes
    duration_ns: IntColumn


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
    is_gap = np.flatnonzero((changes.running[:-1] == 0) & (np.diff(changes.time_ns) > 0))
    starts, ends = changes.time_ns[is_gap], changes.time_ns[is_gap + 1]
    breaks = Table({"start_ns": steps["end_ns"][:-1], "end_ns": steps["start_ns"][1:]})
    unrecorded_ns = recorded_before(breaks, ends) - recorded_before(breaks, starts)
    return IdleGaps(changes.row[is_gap + 1], ends - starts - unrecorded_ns)
