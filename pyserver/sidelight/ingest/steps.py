"""The recorded steps: from a capture's marks, from ``prof.step()``, or one a trace."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.model import Profile
from sidelight.profile.tables import DEVICE_TIME_LEVELS, STEP_COLUMNS, Category, Table

Interval = tuple[int, int]
"""A start and an end, in nanoseconds."""

_WORK: Final = (Category.OPERATOR, Category.HOST_OPERATOR, *DEVICE_TIME_LEVELS)

_PROFILER_STEP: Final = re.compile(r"ProfilerStep#\d+")
# Ten digits are beyond every mark that a capture may name; more would only take time.
_MARK: Final = re.compile(r"sidelight\.mark:(\d{1,10})\d*")


def tell_steps(
    category: npt.NDArray[np.int8],
    on_device: npt.NDArray[np.bool_],
    name: npt.NDArray[np.int32],
    names: Vocabulary[str],
) -> npt.NDArray[np.int8]:
    """The categories with the host's ``ProfilerStep#N`` regions told apart."""
    is_step_name = np.fromiter(
        (_PROFILER_STEP.fullmatch(text) is not None for text in names.values()),
        np.bool_,
        len(names),
    )
    # Before 2022 they were written as operators.
    region = (category == Category.ANNOTATION) | (category == Category.OPERATOR)
    steps = region & ~on_device & is_step_name[name]
    return np.where(steps, np.int8(Category.STEP), category)


def tell_marks(
    category: npt.NDArray[np.int8], name: npt.NDArray[np.int32], names: Vocabulary[str]
) -> npt.NDArray[np.int64]:
    """The number of the step mark that each row is, -1 for rows that are none."""
    mark_of = np.full(len(names), -1, np.int64)
    for code, text in enumerate(names.values()):
        if text.startswith("sidelight.mark:") and (match := _MARK.fullmatch(text)):
            mark_of[code] = int(match[1])
    return np.where(category == Category.OPERATOR, mark_of[name], -1)


def steps_between_marks(
    steps: Sequence[tuple[int | None, int | None]],
    marks_ns: Mapping[int, Interval],
    extent_ns: Interval,
) -> tuple[Table, int]:
    """The steps of a capture: from the end of a mark to the start of another.

    Args:
        steps: The numbers of the two marks; None is the start or the end of the recording.
        marks_ns: Start and end of each mark in the trace.
        extent_ns: Start and end of the recording.

    Returns:
        The steps, and how many of them are left out because a mark of theirs is not in the trace.
    """
    intervals: list[Interval] = []
    missing = 0
    for start_mark, end_mark in steps:
        marks = {mark for mark in (start_mark, end_mark) if mark is not None}
        if marks - marks_ns.keys():
            missing += 1
            continue
        intervals.append(
            (
                extent_ns[0] if start_mark is None else marks_ns[start_mark][1],
                extent_ns[1] if end_mark is None else marks_ns[end_mark][0],
            )
        )
    return _step_table(intervals), missing


def set_profiler_steps(profile: Profile, trace_extents_ns: Sequence[Interval]) -> None:
    """Give a profile the steps of :func:`profiler_steps`, and say what separates them."""
    profile.steps = profiler_steps(profile.events, trace_extents_ns)
    if (profile.events["category"] == Category.STEP).any():
        profile.manifest.steps_from = "profiler"


def profiler_steps(events: Table, trace_extents_ns: Sequence[Interval]) -> Table:
    """The steps that a script's own ``prof.step()`` calls made; a trace without any is one step.

    Each runs from its own start to the next one's, so that a trace's steps hold all there is in
    it. Where several threads or processes wrote steps, those of the track with the most count. A
    trace without an operator is no step beside others: a profiler whose script ends in its warm-up
    leaves one.
    """
    rows = np.flatnonzero(events["category"] == Category.STEP)
    if len(rows):
        tracks = events["track"][rows]
        rows = rows[tracks == np.bincount(tracks).argmax()]
    starts_ns = np.sort(events["start_ns"][rows])
    intervals: list[Interval] = []
    work_ns = np.sort(events["start_ns"][np.isin(events["category"], _WORK)])
    with_work = [
        (first_ns, last_ns)
        for first_ns, last_ns in trace_extents_ns
        if np.searchsorted(work_ns, first_ns) < np.searchsorted(work_ns, last_ns, side="right")
    ]
    for first_ns, last_ns in with_work or trace_extents_ns:
        inside = starts_ns[(starts_ns >= first_ns) & (starts_ns <= last_ns)].tolist()
        boundaries_ns = [first_ns, *inside[1:], last_ns]
        intervals.extend(pairwise(boundaries_ns))
    return _step_table(intervals)


def _step_table(intervals: Sequence[Interval]) -> Table:
    """A step table of intervals. Where two overlap, the later one starts when the earlier ends."""
    starts_ns: list[int] = []
    ends_ns: list[int] = []
    free_ns: int | None = None
    for start_ns, end_ns in sorted(intervals):
        start_ns = start_ns if free_ns is None else max(start_ns, free_ns)
        if end_ns > start_ns:
            starts_ns.append(start_ns)
            ends_ns.append(end_ns)
            free_ns = end_ns
    return Table.of(STEP_COLUMNS, {"start_ns": starts_ns, "end_ns": ends_ns})
