"""What a timeline tells of what is in it, as types: cheap to import, no numpy in here.

Times are whole nanoseconds from the profile's start.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sidelight.profile.manifest import TimeKind

Direction = Literal["next", "previous"]


class TimelinePlace(msgspec.Struct, frozen=True):
    """A place in the source, as it was when the profile was taken; lines are 1-based.

    Attributes:
        device_time_ns: Its part of an event's device time that is divided over several lines; None
            where it is not.
        device_time_text: The same, as people read it.
    """

    file: str
    line: int
    device_time_ns: int | None = None
    device_time_text: str | None = None


class EventLink(msgspec.Struct, frozen=True, kw_only=True):
    """An event that another leads to, or follows from.

    Attributes:
        kind: How: ``launches``, ``calls``, or what the file calls it.
    """

    event: int
    kind: str
    name: str
    track: int
    depth: int
    start_ns: int
    duration_ns: int


class EventArrow(msgspec.Struct, frozen=True):
    """An event that led to another."""

    source: EventLink
    target: EventLink


class Fact(msgspec.Struct, frozen=True):
    """Something that is known of an event: what it is, and the same for people."""

    term: str
    text: str


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """Everything known about one event.

    Attributes:
        duration_text: As people read it.
        device_time_ns: Its own share of device time; None where it takes no part in it.
        backward: Whether it ran as part of a backward pass.
        step: The number of its recorded step, from 1; None outside them.
        places: The user's lines that caused it, innermost first. Of one that belongs to several
            lines, these come first, those with the largest part of it before the others.
        owners: How many of them, from the first on, it belongs to; the others are around those.
        unattributed_time_text: What of its divided device time belongs to no line; None for none.
        shapes: The inputs, one line each, such as ``float32 [64, 1024]``; of an instruction, its
            operands.
        causes: The events that led to it: the operator of a runtime call, the call of a device row.
        effects: The events that it led to.
        chain: What led to its causes, and what its effects led to, on to both ends: from operator
            to runtime call to device row.
        facts: What else is known of it: its work, its place under the roofline, its ids.
    """

    event: int
    name: str
    category: str
    track: int
    start_ns: int
    duration_ns: int
    duration_text: str
    start_text: str
    device_time_ns: int | None
    device_time_text: str | None
    backward: bool
    step: int | None
    places: list[TimelinePlace]
    owners: int
    unattributed_time_text: str | None
    shapes: list[str]
    causes: list[EventLink] = msgspec.field(default_factory=list[EventLink])
    effects: list[EventLink] = msgspec.field(default_factory=list[EventLink])
    chain: list[EventArrow] = msgspec.field(default_factory=list[EventArrow])
    facts: list[Fact] = msgspec.field(default_factory=list[Fact])


class LineSpan(msgspec.Struct, frozen=True):
    """Where a line's device time lies.

    Attributes:
        from_ns: Start of a stretch that shows one execution of it well.
        to_ns: End of it.
        event: The event to select there.
        executions: How many events of device time the line has in all.
    """

    from_ns: int
    to_ns: int
    event: int
    executions: int


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
