"""The calls of modules, each by itself, and which of them each event is of.

They are those that a capture noted, else the rows that torch writes of them (``with_modules`` or
``with_stack``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sidelight.analysis.chosen_rows import named_rows, rows_on_host
from sidelight.analysis.modules.backward import add_backward
from sidelight.analysis.nesting import IntColumn, nest
from sidelight.profile.model import Profile
from sidelight.profile.tables import MODULE_CALL_COLUMNS, Category, Table

NO_CALL = -1

_MODULE_ROW: Final = "nn.Module: "
"""Begins torch's names of rows of module calls; the class and the instance's number follow."""


@dataclass(frozen=True)
class ModuleCalls:
    """Calls of modules, by track and start, callers first.

    Attributes:
        track: The host's thread of each.
        start_ns: Its start.
        end_ns: Its end.
        names: What each is called: its path and class, or as torch numbers it.
        caller: The call around each, ``NO_CALL`` for none.
        event: The event that each is itself; -1 where it is none.
    """

    track: IntColumn
    start_ns: IntColumn
    end_ns: IntColumn
    names: list[str]
    caller: IntColumn
    event: IntColumn

    def __len__(self) -> int:
        return len(self.track)


def module_calls(profile: Profile) -> ModuleCalls:
    """The calls of modules that a profile knows of.

    Args:
        profile: Any profile.
    """
    noted = profile.module_calls
    if not len(noted):
        return calls_in_rows(profile)
    return _calls(profile, noted, np.full(len(noted), -1, np.int64))


def calls_in_rows(profile: Profile) -> ModuleCalls:
    """The calls of modules that torch wrote rows of.

    Args:
        profile: Any profile.
    """
    events = profile.events
    is_function = events["category"] == Category.FUNCTION
    rows = np.flatnonzero(
        named_rows(profile, is_function, lambda name: name.startswith(_MODULE_ROW))
    )
    columns = {name: events[name][rows] for name in MODULE_CALL_COLUMNS}
    return _calls(profile, Table.of(MODULE_CALL_COLUMNS, columns), rows)


def _calls(profile: Profile, calls: Table, event: IntColumn) -> ModuleCalls:
    track, start_ns = calls["track"].astype(np.int64), calls["start_ns"]
    end_ns = start_ns + calls["duration_ns"]
    names: list[int] = calls["name"].tolist()
    texts = [profile.strings[name].removeprefix(_MODULE_ROW) for name in names]
    caller = nest(track, start_ns, end_ns, np.ones(len(track), np.bool_)).parent
    return ModuleCalls(track, start_ns, end_ns, texts, caller, event)


def calls_of_events(profile: Profile, calls: ModuleCalls) -> IntColumn:
    """The innermost call that each event of a host's thread is of, ``NO_CALL`` for none.

    Backward work is of the call of its forward operator.

    Args:
        profile: An attributed profile.
        calls: Its calls of modules.
    """
    events = profile.events
    of_host = np.full(len(events), NO_CALL, np.int64)
    threads = np.zeros(len(profile.tracks), np.bool_)
    threads[calls.track] = True
    rows = np.flatnonzero(rows_on_host(profile) & threads[events["track"]])
    around = calls_around(
        calls, events["track"][rows], events["start_ns"][rows], events["duration_ns"][rows]
    )
    of_host[rows] = around
    add_backward(profile, of_host)
    return of_host


def calls_around(
    calls: ModuleCalls, track: IntColumn, start_ns: IntColumn, duration_ns: IntColumn
) -> IntColumn:
    """The innermost call around each row of a host's thread, ``NO_CALL`` for none.

    Args:
        calls: Calls of modules.
        track: The track of each row.
        start_ns: Its start.
        duration_ns: Its duration.
    """
    tracks = np.concatenate((calls.track, track))
    starts_ns = np.concatenate((calls.start_ns, start_ns))
    ends_ns = np.concatenate((calls.end_ns, start_ns + duration_ns))
    # The sort is stable: of a call and a row that are alike, the call is around the row.
    order = np.lexsort((starts_ns - ends_ns, starts_ns, tracks))
    is_call = order < len(calls)
    parent = nest(tracks[order], starts_ns[order], ends_ns[order], is_call).parent
    around = np.full(len(order), NO_CALL, np.int64)
    around[order] = np.where(parent >= 0, order[parent], NO_CALL)
    return around[len(calls) :]
