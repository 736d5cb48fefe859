"""What the rows of a recording tell of where something stood in for the device.

The stand-in answers each operator in a row of its own, and in there calls others: to find a shape,
or to compute on the CPU what the device would. Those are no work of the program's. In an answer it
may leave a mark: that the host alone took part, or that the host waited for the device. Another is
left in an operator that was stopped before it ran.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.hardware.operators.free import SYNCHRONIZE
from sidelight.hardware.operators.registry import is_operator as names_operator
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Table

_ANSWER: Final = "sidelight::stand_in"
"""The capture's row around an answer."""

ANSWERS: Final = frozenset({_ANSWER, "PythonDispatchMode"})
"""The same, and the one that newer versions of torch have around that. Where the stand-in takes an
operator apart, what it is made of is in the latter too, and the program's."""

_ON_HOST: Final = "sidelight::on_host"
"""The mark of an answer in which only the host takes part."""

_STOPPED: Final = "sidelight::stopped"
"""The mark in an operator that was stopped before it ran."""

_OWN_PREFIX: Final = "sidelight::"

_Mask = npt.NDArray[np.bool_]


def leave_programs_rows(profile: Profile, computes_on: str | None) -> None:
    """Leave the program's own rows, and tell its operators on the device from those on the host.

    Args:
        profile: A profile of a target that stands in for a device; its events are sorted as its
            tables want it, and not yet attributed.
        computes_on: The kind of device that the program computes on. Where that is the host, the
            host's operators are what the device would run.
    """
    events = profile.events
    is_operator = events["category"] == Category.OPERATOR
    named = {name: index for index, name in enumerate(profile.strings)}
    is_answer = is_operator & (events["name"] == named.get(_ANSWER, -1))
    is_around = is_operator & np.isin(events["name"], [named.get(name, -1) for name in ANSWERS])
    inside = rows_inside(events, is_answer)
    is_stop = is_operator & (events["name"] == named.get(_STOPPED, -1))
    on_host = np.zeros(len(events), np.bool_)
    if is_stop.any():
        on_host |= _stopped(profile, is_stop, is_around)
    if computes_on not in (None, "cpu"):
        marks = events["name"] == named.get(_ON_HOST, -1)
        on_device = _holding(events, _device_answers(events, is_answer & ~inside, marks))
        is_own = np.array([name.startswith(_OWN_PREFIX) for name in profile.strings], np.bool_)
        on_host |= is_operator & ~on_device & ~is_own[events["name"]]
    if on_host.any():
        category = np.where(on_host, Category.HOST_OPERATOR, events["category"])
        events = events.with_columns({"category": category.astype(np.int8)})
    kept = ~(inside | is_around | is_stop) | (events["name"] == named.get(SYNCHRONIZE, -1))
    profile.events = Table({name: events[name][kept] for name in events})


def rows_inside(events: Table, is_outer: _Mask) -> _Mask:
    """Which rows lie within one of those given.

    Args:
        events: Sorted as a profile's tables want them.
        is_outer: Rows that nest, an outer one before those in it.
    """
    start_ns = events["start_ns"]
    end_ns = start_ns + events["duration_ns"]
    inside = np.zeros(len(events), np.bool_)
    for first, last in _tracks(events):
        # What starts before an earlier outer row has ended lies within that one. A region of the
        # program's that was opened in there, by an operator for that, reaches beyond it.
        latest_end_ns = np.maximum.accumulate(
            np.where(is_outer[first:last], end_ns[first:last], np.iinfo(np.int64).min)
        )
        begins_inside = start_ns[first + 1 : last] < latest_end_ns[:-1]
        inside[first + 1 : last] = begins_inside & (end_ns[first + 1 : last] <= latest_end_ns[:-1])
    return inside


def _stopped(profile: Profile, is_stop: _Mask, is_around: _Mask) -> _Mask:
    """Which operators hold a mark of one that was stopped, with only operators in between.

    The program's own code, and a node of autograd's, go on after it, and with them all around.
    """
    events = profile.events
    names_one = np.array([names_operator(name) for name in profile.strings], np.bool_)
    is_operator = (events["category"] == Category.OPERATOR) & names_one[events["name"]]
    holds = _holding(events, is_stop) & ~is_stop & ~is_around
    return holds & is_operator & ~_holding(events, holds & ~is_operator)


def _device_answers(events: Table, answers: _Mask, marks: _Mask) -> _Mask:
    """Which of the outermost answers hold no mark of the host's."""
    return answers & ~_holding(events, marks)


def _holding(events: Table, wanted: _Mask) -> _Mask:
    """Which rows are one of those wanted, or hold one."""
    start_ns = events["start_ns"]
    end_ns = start_ns + events["duration_ns"]
    holds = np.zeros(len(events), np.bool_)
    for first, last in _tracks(events):
        starts_ns = start_ns[first:last]
        so_far = np.concatenate(([0], np.cumsum(wanted[first:last])))
        # What is in a row comes after it, up to the first that starts when it has ended.
        after = np.searchsorted(starts_ns, end_ns[first:last], side="left")
        after = np.maximum(after, np.arange(1, last - first + 1))
        holds[first:last] = so_far[after] > so_far[:-1]
    return holds


def _tracks(events: Table) -> Iterator[tuple[int, int]]:
    """The first row of each track, and the one after its last."""
    bounds = np.append(np.flatnonzero(np.diff(events["track"], prepend=-1)), len(events))
    yield from zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
