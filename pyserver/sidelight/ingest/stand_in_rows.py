"""Rows of target ``fake`` that are no work of the program's, but of what stands in for a device.

The stand-in answers each operator in a row of its own, and in there calls other operators to find a
shape.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table

_ANSWERS: Final = frozenset({"sidelight::stand_in", "PythonDispatchMode"})
"""The capture's row around an answer, and the one that newer versions of torch have around that."""


def leave_out_stand_ins_rows(profile: Profile) -> None:
    """Leave the program's own rows in a profile of target ``fake``.

    Args:
        profile: A profile whose events are sorted as its tables want it, not yet attributed.
    """
    events = profile.events
    names = np.array([text in _ANSWERS for text in profile.strings], np.bool_)
    is_answer = (events["category"] == Category.OPERATOR) & names[events["name"]]
    inside = np.zeros(len(events), np.bool_)
    end_ns = events["start_ns"] + events["duration_ns"]
    tracks = np.append(np.flatnonzero(np.diff(events["track"], prepend=-1)), len(events))
    for first, last in zip(tracks[:-1].tolist(), tracks[1:].tolist(), strict=True):
        # Rows nest, an outer one before those in it: what starts before an earlier answer has
        # ended lies within that answer.
        answered_until_ns = np.maximum.accumulate(
            np.where(is_answer[first:last], end_ns[first:last], np.iinfo(np.int64).min)
        )
        inside[first + 1 : last] = events["start_ns"][first + 1 : last] < answered_until_ns[:-1]
    kept = ~(inside | is_answer)
    profile.events = Table({name: events[name][kept] for name in events})
