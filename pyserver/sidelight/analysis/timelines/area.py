"""What lies in an area of the timeline, summed up: a stretch of time on some of the tracks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.engine_busy import ENGINE_NAMES
from sidelight.analysis.grouping import Groups
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.predictions import ENGINE_COLUMNS, PricedRows, is_priced
from sidelight.analysis.timelines.busy import BusyTime
from sidelight.analysis.timelines.stretches import stretch
from sidelight.analysis.timelines.told_types import Area, AreaEngine, AreaOperator, AreaTrack
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import shown_name
from sidelight.profile.tables import Category

MOST_OPERATORS = 200
"""An area names no more; the others are summed up as one."""


class AreaSummaries:
    """Sums up areas of a timeline.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        events = profile.events
        self._start_ns = events["start_ns"]
        self._end_ns = events["start_ns"] + events["duration_ns"]
        self._is_counted = counted_rows(events)
        first = np.flatnonzero(np.diff(events["track"], prepend=-1))
        stops = np.append(first, len(events))[1:]
        self._rows_of_track = {
            int(events["track"][begin]): (int(begin), int(stop))
            for begin, stop in zip(first, stops, strict=True)
        }

    @cached_property
    def _priced(self) -> PricedRows:
        return PricedRows(self._profile)

    def of(self, from_ns: int, to_ns: int, tracks: Sequence[int]) -> Area:
        """The events that touch an area, each by the part of it that lies inside.

        Args:
            from_ns: Its start.
            to_ns: Its end, which does not belong to it.
            tracks: Its tracks, by number; none means all.
        """
        from_ns, to_ns = stretch(from_ns, to_ns)
        chosen = sorted(set(tracks) & set(self._rows_of_track)) or (
            [] if tracks else list(self._rows_of_track)
        )
        found = [(track, self._touching(track, from_ns, to_ns)) for track in chosen]
        found = [(track, rows) for track, rows in found if len(rows)]
        rows = np.concatenate([np.zeros(0, np.int64), *(rows for _, rows in found)])
        counted = rows[self._is_counted[rows]]
        device_ns = self._device_ns(counted, from_ns, to_ns)
        return Area(
            from_ns=from_ns,
            to_ns=to_ns,
            events=len(rows),
            busy_ns=self._busy_ns(rows, from_ns, to_ns),
            device_busy_ns=self._busy_ns(counted, from_ns, to_ns),
            device_time_ns=int(device_ns.sum()),
            time_kind=self._profile.manifest.time_kind,
            attribution="apportioned" if self._is_apportioned(counted, from_ns, to_ns) else "exact",
            operators=self._operators(counted, device_ns),
            engines=list(self._engines(found, counted, from_ns, to_ns)),
            tracks=[
                AreaTrack(track, len(rows), self._busy_ns(rows, from_ns, to_ns))
                for track, rows in found
            ],
        )

    def _touching(self, track: int, from_ns: int, to_ns: int) -> IntColumn:
        """What of a track lies in the stretch, or reaches into it, as windows have it."""
        begin, stop = self._rows_of_track[track]
        # Rows are by start, so that none from the first that starts too late on is in it.
        stop = begin + int(np.searchsorted(self._start_ns[begin:stop], to_ns))
        inside = self._end_ns[begin:stop] > from_ns
        inside |= self._start_ns[begin:stop] >= from_ns
        return np.flatnonzero(inside) + begin

    def _inside_ns(self, rows: IntColumn, from_ns: int, to_ns: int) -> IntColumn:
        return np.minimum(self._end_ns[rows], to_ns) - np.maximum(self._start_ns[rows], from_ns)

    def _busy_ns(self, rows: IntColumn, from_ns: int, to_ns: int) -> int:
        return BusyTime(self._start_ns[rows], self._end_ns[rows]).within(from_ns, to_ns)

    def _device_ns(self, counted: IntColumn, from_ns: int, to_ns: int) -> IntColumn:
        """Each row's own device time inside: of one that the edge cuts, in proportion."""
        device_ns = self._profile.events["device_ns"][counted].astype(np.int64)
        duration_ns = self._profile.events["duration_ns"][counted]
        inside_ns = self._inside_ns(counted, from_ns, to_ns)
        for row in np.flatnonzero(inside_ns < duration_ns).tolist():
            # In Python's whole numbers: a product of two times may be too large for a column.
            device_ns[row] = int(device_ns[row]) * int(inside_ns[row]) // int(duration_ns[row])
        return device_ns

    def _is_apportioned(self, counted: IntColumn, from_ns: int, to_ns: int) -> bool:
        """Whether rows have parts of an instant, or are cut where their own time is not all."""
        events = self._profile.events
        if (events["category"][counted] == Category.ENGINE_WORK).any():
            return True
        duration_ns = events["duration_ns"][counted]
        is_cut = self._inside_ns(counted, from_ns, to_ns) < duration_ns
        return bool((is_cut & (events["device_ns"][counted] != duration_ns)).any())

    def _operators(self, counted: IntColumn, device_ns: IntColumn) -> list[AreaOperator]:
        """The operators that rows count under, those with the most device time first."""
        if not len(counted):
            return []
        events, strings = self._profile.events, self._profile.strings
        groups = Groups([events["name"][events["operator"][counted]]])
        names: list[int] = groups.keys[0].tolist()
        times_ns: list[int] = groups.sum(device_ns).tolist()
        counts: list[int] = groups.sum(np.ones(len(counted), np.int64)).tolist()
        found = [
            AreaOperator(shown_name(strings[name]), count, time_ns)
            for name, count, time_ns in zip(names, counts, times_ns, strict=True)
        ]
        found.sort(key=lambda operator: (-operator.device_time_ns, operator.name or ""))
        rest = found[MOST_OPERATORS:]
        if not rest:
            return found
        others = AreaOperator(
            None,
            sum(operator.events for operator in rest),
            sum(operator.device_time_ns for operator in rest),
        )
        return [*found[:MOST_OPERATORS], others]

    def _engines(
        self,
        found: Sequence[tuple[int, IntColumn]],
        counted: IntColumn,
        from_ns: int,
        to_ns: int,
    ) -> Iterator[AreaEngine]:
        """How long each engine of each core worked: as measured, else as predicted."""
        of_engine: dict[tuple[str, str], list[IntColumn]] = {}
        for number, rows in found:
            track = self._profile.tracks[number]
            if track.engine is not None:
                of_engine.setdefault((track.pid, ENGINE_NAMES[track.engine]), []).append(rows)
        for (core, engine), rows in of_engine.items():
            busy_ns = self._busy_ns(np.concatenate(rows), from_ns, to_ns)
            yield AreaEngine(core, engine, busy_ns, "measured")
        if of_engine or not is_priced(self._profile.events):
            return
        priced = self._priced
        is_in = np.isin(priced.rows, counted)
        rows = priced.rows[is_in]
        part = self._inside_ns(rows, from_ns, to_ns) / np.maximum(self._durations_ns(rows), 1)
        for engine, column in ENGINE_COLUMNS.items():
            busy_ns = int(np.rint(priced.part_of(column)[is_in] * part).sum())
            if busy_ns:
                yield AreaEngine("", engine, busy_ns, "predicted")

    def _durations_ns(self, rows: IntColumn) -> IntColumn:
        return self._profile.events["duration_ns"][rows]
