"""Messages that tell what is in the timeline: events, areas, and what is looked for."""

from __future__ import annotations

from typing import Literal

import msgspec

from sidelight.server.protocol.message import Message
from sidelight.server.protocol.source import Place
from sidelight.server.protocol.timeline import Find


class AreaParams(Message, frozen=True):
    """A stretch of time on some tracks.

    Attributes:
        from_ns: Its start.
        to_ns: Its end.
        tracks: Its tracks; none means all.
    """

    directory: str
    from_ns: int
    to_ns: int
    tracks: list[int] = msgspec.field(default_factory=list[int])


class AreaOperator(Message, frozen=True):
    """An operator's part of an area.

    Attributes:
        name: The operator that its rows count under; None for all that are not named.
        events: How many of its rows of device time touch the area.
        device_time_ns: Their device time inside.
    """

    name: str | None
    events: int
    device_time_ns: int


class AreaEngine(Message, frozen=True):
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


class AreaTrack(Message, frozen=True):
    """A track's part of an area.

    Attributes:
        events: How many of its events touch the area.
        busy_ns: How long any of them ran inside.
    """

    track: int
    events: int
    busy_ns: int


class TimelineArea(Message, frozen=True):
    """What lies in a stretch of time on some tracks, summed up.

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
    time_kind: Literal["measured", "predicted", "mixed"]
    attribution: Literal["exact", "apportioned"]
    operators: list[AreaOperator]
    engines: list[AreaEngine]
    tracks: list[AreaTrack]


class MatchParams(Message, frozen=True):
    """The event found before or after a place.

    Attributes:
        find: What is looked for.
        event: The place, if it is one of those found.
        at_ns: The place, if it is not.
        direction: Which way to go; beyond the last comes the first.
    """

    directory: str
    find: Find
    event: int | None
    at_ns: int
    direction: Literal["next", "previous"]


class TimelineMatch(Message, frozen=True):
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


class EventParams(Message, frozen=True):
    """One event of a profile."""

    directory: str
    event: int


class EventLink(Message, frozen=True):
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


class EventArrow(Message, frozen=True):
    """An event that led to another."""

    source: EventLink
    target: EventLink


class Fact(Message, frozen=True):
    """Something that is known of an event: what it is, and the same for people."""

    term: str
    text: str


class EventDetails(Message, frozen=True):
    """Everything known about one event.

    Attributes:
        duration_text: As people read it, exactly as elsewhere.
        device_time_ns: Its own share of device time; None where it takes no part in it.
        places: The user's lines that caused it, innermost first.
        owners: How many of them, from the first on, it belongs to: those with the largest part of
            it first. The others are around them.
        unattributed_time_text: What of its divided device time belongs to no line; None for none.
        backward: Whether it ran as part of a backward pass.
        shapes: The inputs, one line each, such as ``float32 [64, 1024]``.
        step: The number of its recorded step; None outside them.
        causes: The events that led to it: the operator of a runtime call, the call of a device row.
        effects: The events that it led to.
        chain: What led to its causes, and what its effects led to, on to both ends.
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
    places: list[Place]
    owners: int
    unattributed_time_text: str | None
    shapes: list[str]
    causes: list[EventLink]
    effects: list[EventLink]
    chain: list[EventArrow]
    facts: list[Fact]


class LineOnTimeline(Message, frozen=True):
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
