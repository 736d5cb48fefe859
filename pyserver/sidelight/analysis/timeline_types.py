"""What a timeline asks a profile for, as types: cheap to import, no numpy in here.

:mod:`sidelight.analysis.timeline` makes them. Times are whole nanoseconds from the profile's start.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sidelight.profile.manifest import TimeKind
from sidelight.profile.quality import QualityNote


class TimelineTrack(msgspec.Struct, frozen=True):
    """A thread of the host, or a stream of a device.

    Attributes:
        track: The number spans call it by: its index in the profile's tracks.
        process: The process, or of a device the device or core, as the trace has it.
        thread: The thread, or of a device the stream, as the trace has it.
        engine: What of a NeuronCore it is of, for people; None for whole cores and other devices.
        depth: How many rows its nesting needs, at least 1.
        start_ns: Start of its first event.
        end_ns: End of its last.
    """

    track: int
    kind: Literal["host", "device"]
    name: str
    process: str
    thread: str
    engine: str | None
    depth: int
    start_ns: int
    end_ns: int


class TimelineStep(msgspec.Struct, frozen=True):
    """A recorded step; the first has number 1."""

    number: int
    start_ns: int
    end_ns: int


class TimelineCounter(msgspec.Struct, frozen=True, kw_only=True):
    """A quantity over time.

    Attributes:
        counter: What windows call it by.
        owner: The core, device or machine it was taken on.
        lowest: The lowest value of all.
        highest: The highest.
    """

    counter: int
    name: str
    unit: Literal["bytes", "bytes_per_s", "fraction", ""]
    owner: str
    lowest: float
    highest: float


class TimelineOverview(msgspec.Struct, frozen=True, kw_only=True):
    """What a timeline needs before it asks for windows.

    Attributes:
        headline: The sentence that matters most, as the command line prints it first.
        start_ns: Start of the first event of all.
        end_ns: End of the last.
        tracks: In the order to draw them: devices, then the host's threads, the busiest first.
        counters: Quantities over time.
        categories: Names of what spans' ``category`` numbers mean, by number.
        events: How many events there are in all.
        quality: The data-quality report.
    """

    name: str
    headline: str
    device: str
    time_kind: TimeKind
    start_ns: int
    end_ns: int
    tracks: list[TimelineTrack]
    counters: list[TimelineCounter]
    steps: list[TimelineStep]
    categories: list[str]
    events: int
    quality: list[QualityNote]


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """The spans that lie in, or reach into, a part of the timeline.

    Attributes:
        bin_ns: Events shorter than this were merged with neighbours; 0 where nothing was merged.
        count: How many spans there are.
        names: What their ``name`` numbers mean.
        keys: What their ``key`` numbers mean, by which they are coloured; an empty one is none.
        spans: Base64 of their columns one after another (:data:`SPAN_COLUMNS`).
    """

    from_ns: int
    to_ns: int
    bin_ns: int
    count: int
    names: list[str]
    keys: list[str]
    spans: str


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


SPAN_COLUMNS = (
    ("start_ns", "float64"),
    ("duration_ns", "float64"),
    ("busy_ns", "float64"),
    ("event", "int32"),
    ("merged", "uint32"),
    ("name", "uint32"),
    ("key", "uint32"),
    ("track", "uint16"),
    ("depth", "uint16"),
    ("category", "uint8"),
)
"""The columns of :class:`Window`: name and type, each little-endian, in this order."""
