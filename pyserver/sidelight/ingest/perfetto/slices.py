"""Joins beginnings and ends of slices, on one clock for all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sidelight.ingest.perfetto.track_events import BEGIN, END, TIME_LIMIT_NS, TrackEvents
from sidelight.ingest.time_policy import good_times

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Slices:
    """Slices in the order in which they begin, on each track.

    Attributes:
        event: Index of the event that each begins with; of an instant, of it.
        start_ns: On the trace's clock.
        duration_ns: Of an instant 0.
        unmatched: Beginnings without an end and ends without a beginning, left out.
        bad_times: Slices whose time or duration is none, left out.
    """

    event: Integers
    start_ns: Integers
    duration_ns: Integers
    unmatched: int
    bad_times: int


def join_slices(events: TrackEvents, offset_ns: Integers) -> Slices:
    """Give each beginning the end that follows it on its track, the innermost first.

    Args:
        events: What was read.
        offset_ns: What to add to the reading of each clock, by its code.
    """
    clock = np.array(events.clock, np.int64)
    at_ns = np.array(events.at_ns, np.int64) + offset_ns[clock]
    good = np.abs(at_ns) < TIME_LIMIT_NS
    kept = np.flatnonzero(good)
    order = kept[np.lexsort((at_ns[kept], np.array(events.track, np.int32)[kept]))]
    kinds, tracks = events.kind, events.track
    begins: list[int] = []
    ends: list[int] = []
    opened: defaultdict[int, list[int]] = defaultdict(list)
    unmatched = 0
    for row in map(int, order):
        kind = kinds[row]
        if kind == BEGIN:
            opened[tracks[row]].append(row)
        elif kind == END:
            stack = opened[tracks[row]]
            if stack:
                begins.append(stack.pop())
                ends.append(row)
            else:
                unmatched += 1
        else:
            begins.append(row)
            ends.append(row)
    unmatched += sum(map(len, opened.values()))
    begin, end = np.array(begins, np.int64), np.array(ends, np.int64)
    duration_ns = at_ns[end] - at_ns[begin]
    sound = good_times(at_ns[begin], duration_ns)
    return Slices(
        begin[sound],
        at_ns[begin][sound],
        duration_ns[sound],
        unmatched,
        int(np.count_nonzero(~good)) + int(np.count_nonzero(~sound)),
    )
