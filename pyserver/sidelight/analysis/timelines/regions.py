"""Modules (layers) as regions of the timeline: over a host's thread, and over a device's streams.

Over a thread a region is a call of a module. Over a stream it is what the call's work spans there,
from the start of the first row that the call, or one in it, launched to the end of the last;
backward work has regions of its own.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.launching import launching_rows
from sidelight.analysis.modules.calls import ModuleCalls, calls_of_events, module_calls
from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.model import Profile

_FORWARD, _BACKWARD = 0, 1
_NEVER_NS = np.iinfo(np.int64).max


class Regions:
    """The regions of a profile, by the track they lie over and start, the longest first.

    Args:
        profile: An attributed profile.

    Attributes:
        calls: The calls of modules that they are of.
        lane: The track of the profile that each lies over.
        call: The call that it is of.
        backward: Whether it is the call's backward work.
        start_ns: Its start.
        end_ns: Its end.
        device_ns: The device time in recorded steps that the call, with those in it, launched: on
            this stream, or of a thread's regions on all, with what ran backward for it.
        rows: How many rows of device time that is.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.calls: ModuleCalls = module_calls(profile)
        parts = [_NONE] if not len(self.calls) else [*self._over_streams(), self._over_threads()]
        lane, call, backward, start_ns, end_ns, device_ns, rows = (
            np.concatenate(columns) for columns in zip(*parts, strict=True)
        )
        order = np.lexsort((start_ns - end_ns, start_ns, lane))
        self.lane: IntColumn = lane[order]
        self.call: IntColumn = call[order]
        self.backward: Mask = backward[order] == _BACKWARD
        self.start_ns: IntColumn = start_ns[order]
        self.end_ns: IntColumn = end_ns[order]
        self.device_ns: IntColumn = device_ns[order]
        self.rows: IntColumn = rows[order]

    def __len__(self) -> int:
        return len(self.lane)

    @cached_property
    def lanes(self) -> list[int]:
        """The tracks of the profile that regions lie over, ascending."""
        return np.unique(self.lane).tolist()

    def name(self, region: int) -> str:
        """What a region is called."""
        name = self.calls.names[int(self.call[region])]
        return f"{name}, backward" if self.backward[region] else name

    @cached_property
    def _launched(self) -> tuple[IntColumn, IntColumn]:
        """The rows of device time that calls launched, and the call of each."""
        profile, events = self._profile, self._profile.events
        of_host = calls_of_events(profile, self.calls)
        is_counted = counted_rows(events)
        is_device = np.array([track.kind == "device" for track in profile.tracks], np.bool_)
        on_device = is_counted & is_device[events["track"]]
        launched_by = launching_rows(profile, on_device).astype(np.int64)
        launched_by = np.where(on_device, launched_by, np.arange(len(events)))
        rows = np.flatnonzero(is_counted & (launched_by >= 0))
        call = of_host[launched_by[rows]]
        return rows[call >= 0], call[call >= 0]

    def _over_streams(self) -> list[tuple[IntColumn, ...]]:
        events, tracks = self._profile.events, self._profile.tracks
        rows, call = self._launched
        lane, backward = events["track"][rows].astype(np.int64), events["backward"][rows]
        found: list[tuple[IntColumn, ...]] = []
        for number, track in enumerate(tracks):
            for is_backward in (_FORWARD, _BACKWARD):
                own = (lane == number) & (backward == is_backward)
                if track.kind == "device" and own.any():
                    found.append(self._extents(number, is_backward, rows[own], call[own]))
        return found

    def _extents(
        self, lane: int, backward: int, rows: IntColumn, call: IntColumn
    ) -> tuple[IntColumn, ...]:
        """What each call, with those in it, spans by some rows."""
        events, count = self._profile.events, len(self.calls)
        start_ns = np.full(count, _NEVER_NS)
        end_ns = np.full(count, -1, np.int64)
        np.minimum.at(start_ns, call, events["start_ns"][rows])
        np.maximum.at(end_ns, call, events["start_ns"][rows] + events["duration_ns"][rows])
        for inner in self._inner_first:
            outer = self.calls.caller[inner]
            np.minimum.at(start_ns, outer, start_ns[inner])
            np.maximum.at(end_ns, outer, end_ns[inner])
        device_ns, number = self._sums(rows, call)
        shown = np.flatnonzero(end_ns >= 0)
        alike = np.ones(len(shown), np.int64)
        columns = (start_ns, end_ns, device_ns, number)
        return lane * alike, shown, backward * alike, *(column[shown] for column in columns)

    def _over_threads(self) -> tuple[IntColumn, ...]:
        """The calls themselves, where they are no events, which are drawn in any case."""
        calls = self.calls
        rows, call = self._launched
        device_ns, number = self._sums(rows, call)
        shown = np.flatnonzero(calls.event < 0)
        forward = np.zeros(len(shown), np.int64)
        columns = (calls.start_ns, calls.end_ns, device_ns, number)
        return calls.track[shown], shown, forward, *(column[shown] for column in columns)

    def _sums(self, rows: IntColumn, call: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Device time of rows in recorded steps, and their number, by call with those in it."""
        events = self._profile.events
        recorded = events["step"][rows] >= 0
        rows, call = rows[recorded], call[recorded]
        device_ns = np.zeros(len(self.calls), np.int64)
        number = np.zeros(len(self.calls), np.int64)
        np.add.at(device_ns, call, events["device_ns"][rows])
        np.add.at(number, call, 1)
        for inner in self._inner_first:
            outer = self.calls.caller[inner]
            np.add.at(device_ns, outer, device_ns[inner])
            np.add.at(number, outer, number[inner])
        return device_ns, number

    @cached_property
    def _inner_first(self) -> list[IntColumn]:
        """The calls within others, those of one depth together, the deepest first."""
        caller = self.calls.caller
        depth = np.zeros(len(caller), np.int64)
        above = caller
        while (above >= 0).any():
            depth += above >= 0
            above = np.where(above >= 0, caller[above], -1)
        return [np.flatnonzero(depth == each) for each in range(int(depth.max()), 0, -1)]


_NONE: tuple[IntColumn, ...] = tuple(np.zeros(0, np.int64) for _ in range(7))
