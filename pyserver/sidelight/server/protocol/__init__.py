"""Every message between Sidelight's server and its clients that is not the LSP's own.

This is their one declaration: the TypeScript side (``extension/src/protocol.ts``) is generated
from it by ``make protocol``, and a test fails when the two drift apart. On the wire, fields are
camelCase. Times are whole nanoseconds: from the profile's start where they are points, and sums
over the recorded steps where they are device time, unless the name says otherwise.
"""

from __future__ import annotations

from sidelight.analysis.timelines.drawn_types import SPAN_COLUMNS as SPAN_COLUMNS
from sidelight.server.protocol.analysis import (
    Analysis as Analysis,
    FlameMatch as FlameMatch,
    FlameMatchParams as FlameMatchParams,
    FoundLine as FoundLine,
    GroupMember as GroupMember,
    RowRange as RowRange,
    TableCsv as TableCsv,
    TableCsvParams as TableCsvParams,
    TableOrder as TableOrder,
    TableParams as TableParams,
    TableRows as TableRows,
)
from sidelight.server.protocol.markers import (
    MarkersParams as MarkersParams,
    TimelineMarker as TimelineMarker,
    TimelineMarkers as TimelineMarkers,
)
from sidelight.server.protocol.message import (
    Message as Message,
    Nothing as Nothing,
    Notification as Notification,
    Request as Request,
)
from sidelight.server.protocol.methods import (
    ANALYSIS as ANALYSIS,
    ANNOTATIONS_CHANGED as ANNOTATIONS_CHANGED,
    CLEAR_ANNOTATIONS as CLEAR_ANNOTATIONS,
    DELETE_PROFILE as DELETE_PROFILE,
    EXPORT_PROFILE as EXPORT_PROFILE,
    FIND_LINE as FIND_LINE,
    FLAME_MATCH as FLAME_MATCH,
    HEAT as HEAT,
    LINE_OF_DOCUMENT as LINE_OF_DOCUMENT,
    LINE_ON_TIMELINE as LINE_ON_TIMELINE,
    LIST_PROFILES as LIST_PROFILES,
    MARKERS_CHANGED as MARKERS_CHANGED,
    NOTIFICATIONS as NOTIFICATIONS,
    OPEN_TRACE as OPEN_TRACE,
    PROFILES_CHANGED as PROFILES_CHANGED,
    RANK_SOURCES as RANK_SOURCES,
    RENAME_PROFILE as RENAME_PROFILE,
    REQUESTS as REQUESTS,
    ROOFLINE_CHANGE as ROOFLINE_CHANGE,
    SHOW_PROFILE as SHOW_PROFILE,
    SHOWN_CHANGED as SHOWN_CHANGED,
    SHOWN_PROFILES as SHOWN_PROFILES,
    TABLE as TABLE,
    TABLE_CSV as TABLE_CSV,
    TIMELINE as TIMELINE,
    TIMELINE_AREA as TIMELINE_AREA,
    TIMELINE_COUNTERS as TIMELINE_COUNTERS,
    TIMELINE_EVENT as TIMELINE_EVENT,
    TIMELINE_MARKERS as TIMELINE_MARKERS,
    TIMELINE_MATCH as TIMELINE_MATCH,
    TIMELINE_UTILISATION as TIMELINE_UTILISATION,
    TIMELINE_WINDOW as TIMELINE_WINDOW,
)
from sidelight.server.protocol.profiles import (
    ExplorerOffer as ExplorerOffer,
    ExportedProfile as ExportedProfile,
    ExportParams as ExportParams,
    OpenedTrace as OpenedTrace,
    OpenTraceParams as OpenTraceParams,
    PricingParams as PricingParams,
    ProfileEntry as ProfileEntry,
    ProfileList as ProfileList,
    ProfileParams as ProfileParams,
    RenameParams as RenameParams,
    ShownProfile as ShownProfile,
    ShownProfiles as ShownProfiles,
    StoreListing as StoreListing,
)
from sidelight.server.protocol.roofline import (
    RooflineChanged as RooflineChanged,
    RooflineChangeParams as RooflineChangeParams,
)
from sidelight.server.protocol.settings import (
    ClientOptions as ClientOptions,
    CodeLensSettings as CodeLensSettings,
    InlayHintSettings as InlayHintSettings,
    Settings as Settings,
)
from sidelight.server.protocol.source import (
    DocumentLineParams as DocumentLineParams,
    DocumentParams as DocumentParams,
    Heat as Heat,
    HeatLine as HeatLine,
    LineParams as LineParams,
    Place as Place,
    RankedSources as RankedSources,
    SourceCandidate as SourceCandidate,
    SourceCandidates as SourceCandidates,
)
from sidelight.server.protocol.timeline import (
    CounterParams as CounterParams,
    CounterWindow as CounterWindow,
    Find as Find,
    GroupUtilisation as GroupUtilisation,
    QualityNote as QualityNote,
    Timeline as Timeline,
    TimelineCounter as TimelineCounter,
    TimelineCounters as TimelineCounters,
    TimelineStep as TimelineStep,
    TimelineTrack as TimelineTrack,
    TimelineUtilisation as TimelineUtilisation,
    TimelineWindow as TimelineWindow,
    UtilisationParams as UtilisationParams,
    WindowParams as WindowParams,
)
from sidelight.server.protocol.timeline_answers import (
    AreaEngine as AreaEngine,
    AreaOperator as AreaOperator,
    AreaParams as AreaParams,
    AreaTrack as AreaTrack,
    EventArrow as EventArrow,
    EventDetails as EventDetails,
    EventLink as EventLink,
    EventParams as EventParams,
    Fact as Fact,
    LineOnTimeline as LineOnTimeline,
    MatchParams as MatchParams,
    TimelineArea as TimelineArea,
    TimelineMatch as TimelineMatch,
)
