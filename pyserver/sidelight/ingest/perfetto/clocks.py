"""The clocks of a trace: what their readings are on the trace's own clock, and since 1970.

A packet's timestamp is on the clock that it names. Clocks are tied together by snapshots of several
at one instant. A producer may have clocks of its own, with other units, and such as count from
packet to packet.
"""

from __future__ import annotations

from typing import Final

from sidelight.ingest.binaries.wire import fields, members, number
from sidelight.ingest.perfetto.packets import TooLargeError
from sidelight.ingest.vocabulary import Vocabulary

REALTIME: Final = 1
BOOTTIME: Final = 6
"""What timestamps are on where nothing is said."""

_SEQUENCES_OWN: Final = range(64, 128)
"""Ids of clocks that each sequence of packets has for itself."""

_CLOCKS, _PRIMARY = 1, 2
_ID, _TIMESTAMP, _IS_INCREMENTAL, _UNIT_NS = 1, 2, 3, 4

_MOST_SNAPSHOTS: Final = 1000
_MOST_CLOCKS: Final = 100_000

_Key = tuple[int, int]
"""The sequence, 0 for clocks that all of them share, and the clock's id."""


class Clocks:
    """Reads timestamps, and relates the clocks that they are on."""

    def __init__(self) -> None:
        self._clocks: Vocabulary[_Key] = Vocabulary()
        self._unit_ns: dict[int, int] = {}
        self._last: dict[int, int] = {}  # of clocks that count from packet to packet
        self._snapshots: list[dict[int, int]] = []
        self._primary: int | None = None

    def __len__(self) -> int:
        return len(self._clocks)

    def add_snapshot(self, snapshot: bytes, sequence: int) -> None:
        """Take in readings of several clocks at one instant.

        Args:
            snapshot: A ``ClockSnapshot``.
            sequence: That of its packet.

        Raises:
            WireError: It is damaged.
            TooLargeError: It has more clocks than any recording.
        """
        readings: dict[int, int] = {}
        for field, value in fields(snapshot):
            if field == _PRIMARY and isinstance(value, int) and self._primary is None:
                self._primary = value
            elif field == _CLOCKS and isinstance(value, bytes):
                clock = members(value)
                code = self._code(sequence, number(clock.get(_ID)))
                reading, unit_ns = number(clock.get(_TIMESTAMP)), number(clock.get(_UNIT_NS)) or 1
                self._unit_ns[code] = unit_ns
                if number(clock.get(_IS_INCREMENTAL)):
                    self._last[code] = reading
                readings[code] = reading * unit_ns
        if len(self._snapshots) < _MOST_SNAPSHOTS:
            self._snapshots.append(readings)

    def read(self, sequence: int, clock_id: int, timestamp: int) -> tuple[int, int]:
        """The code of the clock that a timestamp is on, and the nanoseconds that it shows.

        Args:
            sequence: That of the packet.
            clock_id: As the packet has it.
            timestamp: Likewise.

        Raises:
            TooLargeError: As for :meth:`add_snapshot`.
        """
        code = self._code(sequence, clock_id)
        if code in self._last:
            timestamp += self._last[code]
            self._last[code] = timestamp
        return code, timestamp * self._unit_ns.get(code, 1)

    def offsets_ns(self, used: list[int]) -> tuple[dict[int, int], int | None]:
        """What to add to the readings of clocks to come to one clock for all, the trace's.

        Args:
            used: Codes of the clocks that timestamps are on, at least one.

        Returns:
            The offsets of those clocks that can be related, by code; and what to add to the
            trace's clock to come to nanoseconds since 1970, where a snapshot tells.
        """
        primary = self._code(0, BOOTTIME if self._primary is None else self._primary)
        offsets = self._related(primary)
        if offsets.keys().isdisjoint(used):
            offsets = self._related(used[0])
        realtime = offsets.get(self._code(0, REALTIME))
        return offsets, None if realtime is None else -realtime

    def _related(self, base: int) -> dict[int, int]:
        """What to add to each clock to come to one of them, by the first snapshots that tell."""
        offsets = {base: 0}
        found = True
        while found:
            found = False
            for readings in self._snapshots:
                known = next((code for code in readings if code in offsets), None)
                if known is None:
                    continue
                instant_ns = readings[known] + offsets[known]
                for code, reading_ns in readings.items():
                    if code not in offsets:
                        offsets[code] = instant_ns - reading_ns
                        found = True
        return offsets

    def _code(self, sequence: int, clock_id: int) -> int:
        if len(self._clocks) > _MOST_CLOCKS:
            raise TooLargeError
        return self._clocks.code((sequence if clock_id in _SEQUENCES_OWN else 0, clock_id))
