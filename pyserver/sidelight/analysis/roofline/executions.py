"""Which execution of a program each row of a core's engines is part of."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.engine_time import core_numbers
from sidelight.analysis.intervals import distinct
from sidelight.analysis.nesting import IntColumn
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

NO_EXECUTION = -1


def executions_that_count(profile: Profile) -> IntColumn:
    """The executions that are device time; none where the engines' rows are it themselves.

    Args:
        profile: An attributed profile.
    """
    events = profile.events
    is_whole = counted_rows(events) & (events["category"] != Category.ENGINE_WORK)
    return np.flatnonzero(is_whole & (events["duration_ns"] > 0))


def execution_around(profile: Profile, executions: IntColumn, rows: IntColumn) -> IntColumn:
    """The execution that each row starts in: of its core's, the last to have begun.

    Args:
        profile: An attributed profile.
        executions: Executions, in any order.
        rows: Rows of engines.

    Returns:
        Events, ``NO_EXECUTION`` for what runs beside all of them.
    """
    events, core_of_track = profile.events, core_numbers(profile)
    start_ns = events["start_ns"]
    end_ns = start_ns + events["duration_ns"]
    executions = executions[np.argsort(start_ns[executions], kind="stable")]
    core_of_execution = core_of_track[events["track"][executions]]
    core_of_row = core_of_track[events["track"][rows]]
    found = np.full(len(rows), NO_EXECUTION, np.int64)
    for core in distinct(core_of_execution.astype(np.int64)).tolist():
        own = executions[core_of_execution == core]
        asked = np.flatnonzero(core_of_row == core)
        begun_ns = start_ns[rows[asked]]
        index = np.searchsorted(start_ns[own], begun_ns, side="right") - 1
        current = own[np.maximum(index, 0)]
        found[asked] = np.where((index >= 0) & (begun_ns < end_ns[current]), current, NO_EXECUTION)
    return found
