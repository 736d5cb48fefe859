"""Which of a trace's operators launched what a profile of the device holds.

Four ways, the surest first: the ``nrt_sequence_id`` that the trace writes beside its work; the file
in which the framework notes which operators a sequence id is of; the framework's rows that the
device's profile has taken over from the very trace; and the clock, on one host.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from sidelight.profile.model import Profile
from sidelight.profile.tables import Category, Column

NONE: Final = -1

How = Literal["sequence_id", "framework_mapping", "framework_rows", "clock"]

_SAME_INSTANT_NS: Final = 2_000
"""Traces count in microseconds and Neuron's tools in nanoseconds: one instant in both differs by no
more than rounding."""

_MOST_THREADS: Final = 1024
"""Of operators on more threads than these the clock does not tell which one launched something: no
program has as many, and all would have to be asked of each execution."""


@dataclass(frozen=True)
class MappedOperator:
    """An operator, as the framework's mapping names it.

    Attributes:
        sequence_nr: Autograd's number.
        thread: The thread's number.
    """

    sequence_nr: int
    thread: int


@dataclass(frozen=True)
class Launchers:
    """The operators that launched a device's events.

    Attributes:
        external_id: For each event of the device, the operator's External id, -1 for none.
        how: How many executions each way has told of.
        unknown: Executions of which none has.
    """

    external_id: Column
    how: Mapping[How, int]
    unknown: int


def find_launchers(
    framework: Profile,
    device: Profile,
    *,
    sequence_ids: Mapping[int, int],
    mapping: Mapping[int, Sequence[MappedOperator]],
) -> Launchers:
    """Find the operators that launched the device's executions.

    Args:
        framework: The trace.
        device: The device's profile.
        sequence_ids: External ids of operators by ``nrt_sequence_id``, as the trace has them.
        mapping: Operators by ``nrt_sequence_id``, as the framework's own file has them.
    """
    external_id = np.full(len(device.events), NONE, np.int64)
    executions = np.flatnonzero(device.events["category"] == Category.DEVICE)
    numbers = [*map(int, device.events["correlation_id"][executions])]
    of_trace = _Trace(framework)
    by_rows = of_trace.ids_of_rows(device)
    by_clock = of_trace.ids_by_clock(device, executions)
    how: defaultdict[How, int] = defaultdict(int)
    for index, (row, number) in enumerate(zip(map(int, executions), numbers, strict=True)):
        ways: Iterable[tuple[How, int]] = (
            ("sequence_id", sequence_ids.get(number, NONE)),
            ("framework_mapping", of_trace.id_of_mapped(mapping.get(number, ()))),
            ("framework_rows", by_rows.get(int(device.events["external_id"][row]), NONE)),
            ("clock", by_clock[index]),
        )
        for way, found in ways:
            if found != NONE:
                external_id[row] = found
                how[way] += 1
                break
    return Launchers(external_id, how, len(executions) - sum(how.values()))


class _Trace:
    """The operators of a trace, by what the ways need."""

    def __init__(self, trace: Profile) -> None:
        events = trace.events
        self._trace = trace
        launchers = np.isin(events["category"], (Category.OPERATOR, Category.ANNOTATION))
        rows = np.flatnonzero(launchers & (events["external_id"] > 0))
        self._rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
        self._start_ns = [*map(int, events["start_ns"][self._rows])]
        self._external_id = [*map(int, events["external_id"][self._rows])]
        # Where operators share a number, the last to start remains.
        self._by_number: dict[int, int] = {}
        self._on_thread: dict[tuple[int, str], int] = {}
        numbers, tracks = events["sequence_nr"][self._rows], events["track"][self._rows]
        for place in map(int, np.flatnonzero(numbers >= 0)):
            number, thread = int(numbers[place]), trace.tracks[int(tracks[place])].tid
            self._by_number[number] = self._on_thread[number, thread] = self._external_id[place]

    def id_of_mapped(self, operators: Sequence[MappedOperator]) -> int:
        """The External id of the first of several operators that the trace has.

        Where several operators have the number, the last one has started with it: torch gives an
        operator the number that the next node of autograd will get.
        """
        for operator in operators:
            number = operator.sequence_nr
            on_any = self._by_number.get(number, NONE)
            if on_any != NONE:
                return self._on_thread.get((number, str(operator.thread)), on_any)
        return NONE

    def ids_of_rows(self, device: Profile) -> dict[int, int]:
        """The trace's ids of operators by the ids that the device's profile gives them.

        They are the same rows, so name and start tell them.
        """
        events = device.events
        named: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, start, own in zip(
            map(int, self._rows), self._start_ns, self._external_id, strict=True
        ):
            name = self._trace.strings[int(self._trace.events["name"][row])]
            named[name].append((start, own))
        later_ns = device.manifest.start_unix_ns - self._trace.manifest.start_unix_ns
        theirs = np.isin(events["category"], (Category.OPERATOR, Category.ANNOTATION))
        found: dict[int, int] = {}
        for row in map(int, np.flatnonzero(theirs & (events["external_id"] > 0))):
            candidates = named.get(device.strings[int(events["name"][row])], [])
            start = int(events["start_ns"][row]) + later_ns
            own = _nearest(candidates, start)
            if own is not None:
                found[int(events["external_id"][row])] = own
        return found

    def ids_by_clock(self, device: Profile, executions: Column) -> list[int]:
        """Of work that was dispatched and not done yet when an execution ran, what was done first;
        where the trace has no such rows, the innermost operator around all of the execution, if one
        thread alone has one."""
        events = device.events
        later_ns = device.manifest.start_unix_ns - self._trace.manifest.start_unix_ns
        starts = events["start_ns"][executions] + later_ns
        ends = starts + events["duration_ns"][executions]
        trace = self._trace.events
        work = np.flatnonzero(
            (trace["category"] == Category.DEVICE_COARSE) & (trace["external_id"] > 0)
        )
        if len(work):
            around = _Around(trace["start_ns"][work], trace["duration_ns"][work])
            ids = [*map(int, trace["external_id"][work])]
            return [
                ids[place] if (place := around.first_to_end(int(start), int(end))) != NONE else NONE
                for start, end in zip(starts, ends, strict=True)
            ]
        return self._ids_around(starts, ends)

    def _ids_around(self, starts: Column, ends: Column) -> list[int]:
        trace = self._trace.events
        rows_by_track = self._rows[np.argsort(trace["track"][self._rows], kind="stable")]
        next_track = 1 + np.flatnonzero(np.diff(trace["track"][rows_by_track]))
        if len(next_track) >= _MOST_THREADS:
            return [NONE] * len(starts)
        by_track = [
            (_Around(trace["start_ns"][rows], trace["duration_ns"][rows]), rows)
            for rows in np.split(rows_by_track, next_track)
        ]
        found: list[int] = []
        for start, end in zip(map(int, starts), map(int, ends), strict=True):
            places = [(around.first_to_end(start, end), rows) for around, rows in by_track]
            inside = [int(rows[place]) for place, rows in places if place != NONE]
            found.append(int(trace["external_id"][inside[0]]) if len(inside) == 1 else NONE)
        return found


class _Around:
    """Rows asked which lies around an interval: of several, the one that ends first.

    Of rows that nest that is the innermost. Of work that waits in a queue, each from its dispatch
    to its end, it is what the device does then: the rest ends later.

    Args:
        start_ns: The rows' starts.
        duration_ns: Their durations.
    """

    _MOST_LOOKED_AT = 64

    def __init__(self, start_ns: Column, duration_ns: Column) -> None:
        end_ns = start_ns + duration_ns
        order = np.lexsort((-start_ns, end_ns))
        self._places = [*map(int, order)]
        self._starts = [*map(int, start_ns[order])]
        self._ends = [*map(int, end_ns[order])]

    def first_to_end(self, start_ns: int, end_ns: int) -> int:
        """The place of the row around the interval that ends first; -1 for none."""
        position = bisect_left(self._ends, end_ns)
        for index in range(position, min(len(self._ends), position + self._MOST_LOOKED_AT)):
            if self._starts[index] <= start_ns:
                return self._places[index]
        return NONE


def _nearest(candidates: Sequence[tuple[int, int]], start_ns: int) -> int | None:
    """The id of the candidate that starts at an instant, but for rounding."""
    position = bisect_left(candidates, (start_ns, NONE))
    near = candidates[max(0, position - 1) : position + 1]
    if not near:
        return None
    start, own = min(near, key=lambda each: abs(each[0] - start_ns))
    return own if abs(start - start_ns) <= _SAME_INSTANT_NS else None
