"""What a timeline draws, as types: cheap to import, no numpy in here.

Times are whole nanoseconds from the profile's start.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from sidelight.profile.manifest import TimeKind
from sidelight.profile.quality import QualityNote

MOST_SPANS: Final = 15_000
"""A window has no more, unless it has more lanes than that."""

ColourBy = Literal["category", "operator", "module", "file"]
"""What makes two spans have one colour."""


class TimelineTrack(msgspec.Struct, frozen=True):
    """A thread of the host, or a stream of a device.

    Attributes:
        track: The number spans call it by: its index in the profile's tracks, or one behind those.
        process: The process, or of a device the device or core, as the trace has it.
        thread: The thread, or of a device the stream, as the trace has it.
        engine: What of a NeuronCore it is of, for people; None for whole cores and other devices.
        depth: How many rows its nesting needs, at least 1.
        start_ns: Start of its first event.
        end_ns: End of its last.
        regions_of: The track that its rows are regions of modules over; None where they are events.
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
    regions_of: int | None = None


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
        capacity: How much there is of it, in its unit; None where that is not known.
    """

    counter: int
    name: str
    unit: Literal["bytes", "bytes_per_s", "fraction", ""]
    owner: str
    lowest: float
    highest: float
    capacity: float | None = None


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
