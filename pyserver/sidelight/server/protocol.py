"""Every message between Sidelight's server and its clients that is not the LSP's own.

This is their one declaration: the TypeScript side (``extension/src/protocol.ts``) is generated
from it by ``make protocol``, and a test fails when the two drift apart. On the wire, fields are
camelCase. Times are whole nanoseconds: from the profile's start where they are points, and sums
over the recorded steps where they are device time, unless the name says otherwise.
"""

from __future__ import annotations

from typing import Final, Generic, Literal, TypeVar

import msgspec

from sidelight.analysis.timelines.drawn_types import SPAN_COLUMNS as SPAN_COLUMNS


class Message(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What goes over the wire."""


class Nothing(Message, frozen=True):
    """No parameters, or no result."""


# --- the stores and what is shown of them ---------------------------------------------------------


class ProfileEntry(Message, frozen=True):
    """A stored profile, as a list shows it.

    Attributes:
        directory: Absolute path; what other messages call a profile by.
        created: ISO 8601, UTC.
        device_time_ns: Over all recorded steps; None where it is not known.
        time_kind: How that time is known.
        priced_for: What device times are predicted for, such as ``trn2, LNC 2``, beside measured
            ones or in their place; None where none are.
        shown: Whether its folder's annotations are this profile's.
    """

    directory: str
    id: str
    name: str
    created: str
    target: str
    device: str
    device_time_ns: int | None
    time_kind: Literal["measured", "predicted", "mixed"]
    priced_for: str | None
    steps: int
    rank: int | None
    world_size: int | None
    size_bytes: int
    shown: bool


class StoreListing(Message, frozen=True):
    """The profiles of one workspace folder, newest first.

    Attributes:
        folder_uri: The folder.
        folder_name: What the client calls it.
        directory: The store, whether it exists yet or not.
        runs: Directories of profiles that are ranks of one run, by rank; of runs with several.
        problems: Sentences on profiles that cannot be read.
    """

    folder_uri: str
    folder_name: str
    directory: str
    profiles: list[ProfileEntry]
    runs: list[list[str]]
    size_bytes: int
    problems: list[str]


class ProfileList(Message, frozen=True):
    """The stores of all workspace folders."""

    stores: list[StoreListing]


class ShownProfile(Message, frozen=True):
    """The profile whose numbers stand in a folder's files.

    Attributes:
        folder_uri: The folder.
        priced_for: As in :class:`ProfileEntry`.
        headline: One plain sentence, as the command line's first.
        device_time_text: Device time a step, as people read it (``27.6 ms``).
        loading: Its index is still being made; numbers follow.
        problem: Why it cannot be shown, as a sentence; None if all is well.
    """

    folder_uri: str
    directory: str
    name: str
    target: str
    device: str
    time_kind: Literal["measured", "predicted", "mixed"]
    priced_for: str | None
    steps: int
    rank: int | None
    world_size: int | None
    headline: str
    device_time_text: str
    loading: bool
    problem: str | None


class ShownProfiles(Message, frozen=True):
    """What is shown now, one entry a folder that shows something."""

    shown: list[ShownProfile]


class ProfileParams(Message, frozen=True):
    """One stored profile.

    Attributes:
        directory: Its directory.
    """

    directory: str


class RenameParams(Message, frozen=True):
    """A profile's new name."""

    directory: str
    name: str


class PricingParams(Message, frozen=True):
    """What device times are predicted for.

    Attributes:
        chip: The chip.
        lnc: Physical cores that make one logical core of it; None for the chip's own default.
        auto_cast: Which float32 operators are taken to run in bfloat16.
    """

    chip: Literal["trn1", "trn2", "trn3", "inf2"]
    lnc: int | None = None
    auto_cast: Literal["all", "matmult", "none"] = "matmult"


class OpenTraceParams(Message, frozen=True):
    """A file or folder to read into a store, and to show.

    What only Neuron's own tool can read of it is told in the answer; asked again with
    ``run_explorer``, the server runs the tool first. Progress goes to ``work_done_token``;
    ``$/cancelRequest`` ends the reading, and nothing is stored then.

    Attributes:
        path: What to read.
        folder_uri: The workspace folder whose store takes it in; None for the only or first one.
        pricing: What its operators are priced for; None leaves them without a price.
        run_explorer: Whether Neuron's own tool first makes tables of what only it can read.
        replaced: Directories of profiles to delete once the new ones are stored.
        work_done_token: As in the LSP.
    """

    path: str
    folder_uri: str | None = None
    pricing: PricingParams | None = None
    run_explorer: bool = False
    replaced: list[str] = msgspec.field(default_factory=list[str])
    work_done_token: str | int | None = None


class ExplorerOffer(Message, frozen=True):
    """What Neuron Explorer could tell of an input that only it can read whole.

    Attributes:
        path: What to open with ``run_explorer``: the input, or what of it the tool takes.
        message: What is missing without it, and how to have it, as sentences.
        command: What to run where the tool is installed; None where it is on the server's path.
    """

    path: str
    message: str
    command: str | None


class OpenedTrace(Message, frozen=True):
    """What came of an input.

    Attributes:
        profile: What is shown now: the profile, or the first of several; None where nothing but
            Neuron's own tool can read anything of it.
        directories: All that were stored, such as the ranks of a run.
        explorer: What that tool could tell; None where it could tell no more.
    """

    profile: ProfileEntry | None
    directories: list[str]
    explorer: ExplorerOffer | None


# --- beside the source ----------------------------------------------------------------------------


class DocumentParams(Message, frozen=True):
    """An open document.

    Attributes:
        uri: The document.
    """

    uri: str


class HeatLine(Message, frozen=True):
    """A line that is drawn warmer than others.

    Attributes:
        line: 0-based, in the document as it is now.
        level: 1 (least) to 8 (most).
        share: Its part of the profile's device time, 0 to 1.
        stale: The line was changed since the profile was taken.
    """

    line: int
    level: int
    share: float
    stale: bool


class Heat(Message, frozen=True):
    """The warm lines of a document, hottest first, at most 1,000.

    Attributes:
        version: The document's version they are true for; None where the client gave none.
    """

    version: int | None
    lines: list[HeatLine]


# --- the timeline ---------------------------------------------------------------------------------


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
    """

    counter: int
    name: str
    unit: Literal["bytes", "bytes_per_s", "fraction", ""]
    owner: str
    lowest: float
    highest: float


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


class UtilisationParams(Message, frozen=True):
    """How busy groups of tracks are, pixel by pixel.

    Attributes:
        from_ns: Start of a stretch of time.
        to_ns: Its end.
        width: How many pixels wide it is drawn, at most 16,000.
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
        width: How many pixels wide it is drawn, at most 16,000.
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


class EventParams(Message, frozen=True):
    """One event of a profile."""

    directory: str
    event: int


class Place(Message, frozen=True):
    """A place in the source.

    Attributes:
        file: As the profile has it, for people.
        uri: The file on this machine; None where it is not found.
        line: 1-based, as it was when the profile was taken.
        current_line: 1-based, where that line is now; None where it was removed.
        device_time_ns: Its part of the event's device time, which is divided over several lines;
            None where it is not.
        device_time_text: The same, as people read it.
    """

    file: str
    uri: str | None
    line: int
    current_line: int | None
    device_time_ns: int | None
    device_time_text: str | None


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


class LineParams(Message, frozen=True):
    """A line of the source, by the profile's own count.

    Attributes:
        file: As the profile has it.
        line: 1-based, as it was when the profile was taken.
    """

    directory: str
    file: str
    line: int


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


class SourceCandidates(Message, frozen=True):
    """Files of the workspace that a profile's file may be.

    Attributes:
        directory: The profile's.
        file: The profile's file, as the profile has it.
        uris: The files to look at.
    """

    directory: str
    file: str
    uris: list[str]


class SourceCandidate(Message, frozen=True):
    """A file that a profile's file may be.

    Attributes:
        same_end: How many last parts of the two paths agree.
        alike: The part of the profile's lines that it has, 0 to 1; None where the profile does not
            have the text.
    """

    uri: str
    same_end: int
    alike: float | None


class RankedSources(Message, frozen=True):
    """Those that may be it, the likeliest first."""

    candidates: list[SourceCandidate]


# --- the methods ----------------------------------------------------------------------------------


P = TypeVar("P", bound=Message)
R = TypeVar("R", bound=Message)


class Request(msgspec.Struct, Generic[P, R], frozen=True):
    """A request from the client, and what it is answered with.

    Attributes:
        method: Its LSP method.
        params: What it carries.
        result: What the answer carries.
        optional_result: Whether the answer may be null.
    """

    method: str
    params: type[P]
    result: type[R]
    optional_result: bool = False


class Notification(msgspec.Struct, Generic[P], frozen=True):
    """What the server tells without being asked.

    Attributes:
        method: Its LSP method.
        params: What it carries.
    """

    method: str
    params: type[P]


LIST_PROFILES: Final = Request("sidelight/listProfiles", Nothing, ProfileList)
SHOWN_PROFILES: Final = Request("sidelight/shownProfiles", Nothing, ShownProfiles)
SHOW_PROFILE: Final = Request("sidelight/showProfile", ProfileParams, ShownProfile)
CLEAR_ANNOTATIONS: Final = Request("sidelight/clearAnnotations", Nothing, Nothing)
DELETE_PROFILE: Final = Request("sidelight/deleteProfile", ProfileParams, Nothing)
RENAME_PROFILE: Final = Request("sidelight/renameProfile", RenameParams, Nothing)
OPEN_TRACE: Final = Request("sidelight/openTrace", OpenTraceParams, OpenedTrace)
HEAT: Final = Request("sidelight/heat", DocumentParams, Heat)
TIMELINE: Final = Request("sidelight/timeline", ProfileParams, Timeline)
TIMELINE_WINDOW: Final = Request("sidelight/timelineWindow", WindowParams, TimelineWindow)
TIMELINE_EVENT: Final = Request("sidelight/timelineEvent", EventParams, EventDetails)
TIMELINE_AREA: Final = Request("sidelight/timelineArea", AreaParams, TimelineArea)
TIMELINE_MATCH: Final = Request(
    "sidelight/timelineMatch", MatchParams, TimelineMatch, optional_result=True
)
TIMELINE_UTILISATION: Final = Request(
    "sidelight/timelineUtilisation", UtilisationParams, TimelineUtilisation
)
TIMELINE_COUNTERS: Final = Request("sidelight/timelineCounters", CounterParams, TimelineCounters)
LINE_ON_TIMELINE: Final = Request(
    "sidelight/lineOnTimeline", LineParams, LineOnTimeline, optional_result=True
)
RANK_SOURCES: Final = Request("sidelight/rankSources", SourceCandidates, RankedSources)

REQUESTS: Final = (
    LIST_PROFILES,
    SHOWN_PROFILES,
    SHOW_PROFILE,
    CLEAR_ANNOTATIONS,
    DELETE_PROFILE,
    RENAME_PROFILE,
    OPEN_TRACE,
    HEAT,
    TIMELINE,
    TIMELINE_WINDOW,
    TIMELINE_EVENT,
    TIMELINE_AREA,
    TIMELINE_MATCH,
    TIMELINE_UTILISATION,
    TIMELINE_COUNTERS,
    LINE_ON_TIMELINE,
    RANK_SOURCES,
)

SHOWN_CHANGED: Final = Notification("sidelight/shownChanged", ShownProfiles)
"""Another profile is shown somewhere, or its index has become ready."""

ANNOTATIONS_CHANGED: Final = Notification("sidelight/annotationsChanged", DocumentParams)
"""A document's heat should be asked for again."""

PROFILES_CHANGED: Final = Notification("sidelight/profilesChanged", Nothing)
"""A store has other profiles than before."""

NOTIFICATIONS: Final = (SHOWN_CHANGED, ANNOTATIONS_CHANGED, PROFILES_CHANGED)


class ClientOptions(Message, frozen=True):
    """What a client may say in ``initializationOptions``.

    Attributes:
        command_links: Whether it runs ``command:`` links in hovers. The one that is used is
            ``sidelight.showTimeline`` with a :class:`LineParams` as its argument.
    """

    command_links: bool = False


class InlayHintSettings(Message, frozen=True):
    """What stands at line ends.

    Attributes:
        enabled: Whether anything does.
        minimum_share_percent: Lines with less than this part of the device time have no hint.
        time: Whether to show self device time a step.
        share: Whether to show its part of the whole.
        count: Whether to show how often a step enters the line.
    """

    enabled: bool = True
    minimum_share_percent: float = 0.5
    time: bool = True
    share: bool = True
    count: bool = True


class CodeLensSettings(Message, frozen=True):
    """What stands above functions and classes.

    Attributes:
        enabled: Whether anything does.
        minimum_share_percent: Functions with less than this part have no lens.
    """

    enabled: bool = True
    minimum_share_percent: float = 0.5


class Settings(Message, frozen=True):
    """The part of the ``sidelight`` settings section that the server reads.

    Attributes:
        inlay_hints: See :class:`InlayHintSettings`.
        code_lens: See :class:`CodeLensSettings`.
        source_map: Where files and directories of other machines are on this one.
    """

    inlay_hints: InlayHintSettings = msgspec.field(default_factory=InlayHintSettings)
    code_lens: CodeLensSettings = msgspec.field(default_factory=CodeLensSettings)
    source_map: dict[str, str] = msgspec.field(default_factory=dict[str, str])
