"""What a timeline is asked for beside its windows, as types: cheap to import, no numpy in here.

Times are whole nanoseconds from the profile's start.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sidelight.profile.manifest import TimeKind

ColourBy = Literal["category", "operator", "module", "file"]
"""What makes two spans have one colour."""

Direction = Literal["next", "previous"]


class Find(msgspec.Struct, frozen=True, kw_only=True):
    """What events are looked for.

    Attributes:
        text: Part of what stands on them, whatever its case; empty finds none.
        file: With ``line``, the line that they are of, as the profile has it; None for any.
        line: 1-based.
    """

    text: str = ""
    file: str | None = None
    line: int | None = None


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One of the events that were found.

    Attributes:
        count: How many were found.
        number: Which of them this is, by time, from 1.
    """

    count: int
    number: int
    event: int
    start_ns: int
    duration_ns: int


class GroupUtilisation(msgspec.Struct, frozen=True):
    """How busy a group of tracks is.

    Attributes:
        busy_ns: How long any of its events ran.
        levels: Base64 of a uint8 a pixel: 255 where some event ran all the time, 0 where none did.
    """

    busy_ns: int
    levels: str


class Utilisation(msgspec.Struct, frozen=True, kw_only=True):
    """How busy groups of tracks are in a stretch of time.

    Attributes:
        width: How many pixels there are.
        groups: In the order they were asked for.
    """

    from_ns: int
    to_ns: int
    width: int
    groups: list[GroupUtilisation]


class CounterWindow(msgspec.Struct, frozen=True):
    """A quantity in a stretch of time, pixel by pixel.

    Attributes:
        mean: Base64 of a little-endian float32 a pixel: the mean by time; NaN where not known.
        highest: The same of the highest value.
    """

    counter: int
    mean: str
    highest: str


class CounterWindows(msgspec.Struct, frozen=True, kw_only=True):
    """All quantities in a stretch of time.

    Attributes:
        width: How many pixels there are.
    """

    from_ns: int
    to_ns: int
    width: int
    counters: list[CounterWindow]


class AreaOperator(msgspec.Struct, frozen=True):
    """An operator's part of an area.

    Attributes:
        name: The operator that its rows count under; None for all that are not named.
        events: How many of its rows of device time touch the area.
        device_time_ns: Their device time inside.
    """

    name: str | None
    events: int
    device_time_ns: int


class AreaEngine(msgspec.Struct, frozen=True):
    """An engine's part of an area.

    Attributes:
        core: Whose engine, as the trace calls the core; empty where it is predicted.
        engine: What people call it.
        busy_ns: How long it worked inside, whatever ran beside it.
        time_kind: How that is known.
    """

    core: str
    engine: str
    busy_ns: int
    time_kind: Literal["measured", "predicted"]


class AreaTrack(msgspec.Struct, frozen=True):
    """A track's part of an area.

    Attributes:
        events: How many of its events touch the area.
        busy_ns: How long any of them ran inside.
    """

    track: int
    events: int
    busy_ns: int


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """What lies in a stretch of time on some of the tracks, summed up.

    An event that an edge cuts counts by the part of it inside.

    Attributes:
        events: How many events touch it.
        busy_ns: How long any of them ran.
        device_busy_ns: How long any row of device time ran.
        device_time_ns: Device time, each row's own.
        attribution: ``apportioned`` where a row's device time inside is a share of an instant,
            or in proportion to the part of it that is inside.
        operators: By operator, the largest first; their device time adds up to the whole.
        engines: By core and engine; empty where nothing is known of engines.
        tracks: Those that have events in it.
    """

    from_ns: int
    to_ns: int
    events: int
    busy_ns: int
    device_busy_ns: int
    device_time_ns: int
    time_kind: TimeKind
    attribution: Literal["exact", "apportioned"]
    operators: list[AreaOperator]
    engines: list[AreaEngine]
    tracks: list[AreaTrack]
