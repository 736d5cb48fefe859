"""Messages that draw the timeline."""

from __future__ import annotations

from typing import Literal

from sidelight.server.protocol.message import Message


class TimelineTrack(Message, frozen=True):
    """A lane group of the timeline: a thread of the host, or a stream of a device.

    Attributes:
        track: The number spans call it by.
        process: The process, or of a device the device or core, as the trace has it.
        thread: The thread, or of a device the stream, as the trace has it.
        engine: What of a NeuronCore it is of, for people; None for whole cores and other devices.
        depth: How many rows its nesting needs, at least 1.
        start_ns: Start of its first event.
        end_ns: End of its last.
        regions_of: The track that its spans are regions of modules over; None where they are
            events.
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
    regions_of: int | None


class TimelineStep(Message, frozen=True):
    """A recorded step."""

    number: int
    start_ns: int
    end_ns: int


class TimelineCounter(Message, frozen=True):
    """A quantity over time, drawn as an area.

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
    capacity: float | None


class QualityNote(Message, frozen=True):
    """An entry of a profile's data-quality report.

    Attributes:
        code: Stable snake_case identifier.
        message: Plain sentences: what is so, what follows from it, and the next step.
        count: How many events, files or places are concerned.
    """

    code: str
    severity: Literal["info", "warning", "error"]
    message: str
    count: int


class Timeline(Message, frozen=True):
    """What a timeline needs before it asks for windows.

    Attributes:
        directory: The profile.
        headline: As in :class:`ShownProfile`.
        start_ns: Start of the first event of all.
        end_ns: End of the last.
        tracks: In the order to draw them.
        counters: Quantities over time.
        categories: Names of what spans' ``category`` numbers mean, by number.
        events: How many events there are in all.
        quality: The data-quality report.
    """

    directory: str
    name: str
    rank: int | None
    world_size: int | None
    headline: str
    device: str
    time_kind: Literal["measured", "predicted", "mixed"]
    start_ns: int
    end_ns: int
    tracks: list[TimelineTrack]
    counters: list[TimelineCounter]
    steps: list[TimelineStep]
    categories: list[str]
    events: int
    quality: list[QualityNote]


class Find(Message, frozen=True):
    """What events are looked for.

    Attributes:
        text: Part of what stands on them, whatever its case; empty finds none.
        file: With ``line``, the line that they are device time of, as the profile has it.
        line: 1-based, as it was when the profile was taken.
    """

    text: str = ""
    file: str | None = None
    line: int | None = None


class WindowParams(Message, frozen=True):
    """A part of a timeline at a resolution.

    Attributes:
        from_ns: Its start.
        to_ns: Its end.
        width: How many pixels wide it is drawn: what is narrower than one is merged.
        find: What to show alone, to be drawn over the rest; None shows everything.
        colour_by: What the spans' ``key`` tells, by which they are coloured.
    """

    directory: str
    from_ns: int
    to_ns: int
    width: int
    find: Find | None = None
    colour_by: Literal["category", "operator", "module", "file"] = "category"


class TimelineWindow(Message, frozen=True):
    """The spans that lie in, or reach into, a window; merged where they are too narrow to be seen.

    ``spans`` is base64 of columns one after another, each ``count`` little-endian values long, in
    this order (``SPAN_COLUMNS``):

    * ``start_ns`` float64; ``duration_ns`` float64: the span, a merged one from its first event's
      start to its last one's end;
    * ``busy_ns`` float64: the time events take up in it;
    * ``event`` int32: the event's number, of a merged span its longest's;
    * ``merged`` uint32: how many events it stands for, 1 where it is one event itself;
    * ``name`` uint32: index into ``names``, of a merged span its longest event's;
    * ``key`` uint32: index into ``keys``, of a merged span its longest event's;
    * ``track`` uint16; ``depth`` uint16; ``category`` uint8.

    Attributes:
        bin_ns: Events shorter than this were merged with neighbours; 0 where nothing was merged.
        keys: What spans are coloured by, as ``colour_by`` asked; an empty one is none.
    """

    from_ns: int
    to_ns: int
    bin_ns: int
    count: int
    names: list[str]
    keys: list[str]
    spans: str


class UtilisationParams(Message, frozen=True):
    """How busy groups of tracks are, pixel by pixel.

    Attributes:
        from_ns: Start of a stretch of time.
        to_ns: Its end.
        width: How many pixels wide it is drawn, at most 16,000; the answer has fewer where there
            are thousands of groups.
        groups: The tracks of each.
    """

    directory: str
    from_ns: int
    to_ns: int
    width: int
    groups: list[list[int]]


class GroupUtilisation(Message, frozen=True):
    """How busy a group of tracks is.

    Attributes:
        busy_ns: How long any of its events ran.
        levels: Base64 of a uint8 a pixel: 255 where some event ran all the time, 0 where none did.
    """

    busy_ns: int
    levels: str


class TimelineUtilisation(Message, frozen=True):
    """How busy groups of tracks are.

    Attributes:
        width: How many pixels there are.
        groups: In the order they were asked for.
    """

    from_ns: int
    to_ns: int
    width: int
    groups: list[GroupUtilisation]


class CounterParams(Message, frozen=True):
    """Quantities over time, pixel by pixel.

    Attributes:
        from_ns: Start of a stretch of time.
        to_ns: Its end.
        width: How many pixels wide it is drawn, at most 16,000; the answer has fewer where there
            are thousands of quantities.
    """

    directory: str
    from_ns: int
    to_ns: int
    width: int


class CounterWindow(Message, frozen=True):
    """A quantity in a stretch of time.

    Attributes:
        mean: Base64 of a little-endian float32 a pixel: the mean by time; NaN where not known.
        highest: The same of the highest value.
    """

    counter: int
    mean: str
    highest: str


class TimelineCounters(Message, frozen=True):
    """All quantities of a profile in a stretch of time.

    Attributes:
        width: How many pixels there are.
    """

    from_ns: int
    to_ns: int
    width: int
    counters: list[CounterWindow]
