"""What separates the clock of a device profile from that of the system profile beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Final, NamedTuple

from sidelight.ingest.executions import EXECUTION
from sidelight.ingest.explorer.columns import NO_TIME
from sidelight.ingest.explorer.instructions import INSTRUCTIONS
from sidelight.ingest.explorer.spans import spans_of
from sidelight.ingest.explorer.system_events import EVENTS_TABLE
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.transfers import PACKETS
from sidelight.ingest.notes import clocks_set_by_guess
from sidelight.profile.quality import QualityNote

_TIMES: Final = ("start_ts", "end_ts", "duration_ns")
_INSTANT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?"
    r"\s*(?:Z|(?:\+00:?00)?\s*(?:UTC)?)"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)


class _Extent(NamedTuple):
    first_ns: int
    last_ns: int

    def meets(self, other: _Extent, moved_ns: int) -> bool:
        """Whether they have time in common when this one is moved."""
        return (
            self.first_ns + moved_ns <= other.last_ns and other.first_ns <= self.last_ns + moved_ns
        )


class DeviceClock(NamedTuple):
    """How the clock of a device profile is set.

    Attributes:
        offset_ns: What to add to its times so that they count since 1970, as far as is known.
        is_common: Whether a system profile beside it, if there is one, is by the same clock then.
        notes: What had to be guessed.
    """

    offset_ns: int
    is_common: bool = True
    notes: Sequence[QualityNote] = ()


def device_clock(tables: Tables) -> DeviceClock:
    """Tell how the clock of a device profile is set.

    ``Metadata`` has the first instant by both clocks, as far as the recording knew it. Where a
    system profile was recorded at another time than that, its executions may tell where the device
    profile belongs; without any, the device's first instant is set to the system's.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    since_1970_ns = _since_1970_ns(tables)
    if EVENTS_TABLE not in tables:
        return DeviceClock(since_1970_ns)
    device = _extent(tables, (INSTRUCTIONS, PACKETS))
    system = _extent(tables, (EVENTS_TABLE,))
    if device is None or system is None or device.meets(system, since_1970_ns):
        return DeviceClock(since_1970_ns)
    if _extent(tables, (EVENTS_TABLE,), name=EXECUTION) is not None:
        return DeviceClock(since_1970_ns, is_common=False)
    guessed = clocks_set_by_guess("the system profile")
    return DeviceClock(system.first_ns - device.first_ns, notes=(guessed,))


def _since_1970_ns(tables: Tables) -> int:
    metadata = tables.read("Metadata", ("first_ts", "first_hw_timestamp"))
    for text, by_device in zip(
        metadata.texts("first_ts"), metadata.times("first_hw_timestamp").tolist(), strict=True
    ):
        since_1970 = _parsed_ns(text)
        if since_1970 is not None and by_device != NO_TIME:
            return since_1970 - by_device
    return 0


def _extent(tables: Tables, names: tuple[str, ...], name: str | None = None) -> _Extent | None:
    """First start and last end of the rows of tables, or of those of one name."""
    found: _Extent | None = None
    for table in names:
        for batch in tables.batches(table, (*_TIMES, "name")):
            spans = spans_of(batch)
            if name is not None:
                is_named = batch.mapped("name", lambda text: int(text == name), 0) == 1
                spans = spans.only(is_named[spans.rows])
            if len(spans.rows):
                first = int(spans.start_ns.min())
                last = int((spans.start_ns + spans.duration_ns).max())
                if found is not None:
                    first, last = min(first, found.first_ns), max(last, found.last_ns)
                found = _Extent(first, last)
    return found


def _parsed_ns(text: str) -> int | None:
    """Nanoseconds since 1970 of a time in UTC, to the last digit; None for another text."""
    match = _INSTANT.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction = match.groups(default="0")
    try:
        instant = datetime(
            *(int(year), int(month), int(day)),
            *(int(hour), int(minute), int(second)),
            tzinfo=timezone.utc,
        )
    except ValueError:
        return None
    since = instant - _EPOCH
    return (since.days * 86_400 + since.seconds) * 10**9 + int(fraction.ljust(9, "0"))
