"""Every request and notification of our own, by its LSP method."""

from __future__ import annotations

from typing import Final

from sidelight.server.protocol.analysis import (
    Analysis,
    FlameMatch,
    FlameMatchParams,
    FoundLine,
    TableCsv,
    TableCsvParams,
    TableParams,
    TableRows,
)
from sidelight.server.protocol.markers import MarkersParams, TimelineMarkers
from sidelight.server.protocol.message import Nothing, Notification, Request
from sidelight.server.protocol.profiles import (
    ExportedProfile,
    ExportParams,
    OpenedTrace,
    OpenTraceParams,
    ProfileList,
    ProfileParams,
    RenameParams,
    ShownProfile,
    ShownProfiles,
)
from sidelight.server.protocol.roofline import RooflineChanged, RooflineChangeParams
from sidelight.server.protocol.source import (
    DocumentLineParams,
    DocumentParams,
    Heat,
    LineParams,
    RankedSources,
    SourceCandidates,
)
from sidelight.server.protocol.timeline import (
    CounterParams,
    Timeline,
    TimelineCounters,
    TimelineUtilisation,
    TimelineWindow,
    UtilisationParams,
    WindowParams,
)
from sidelight.server.protocol.timeline_answers import (
    AreaParams,
    EventDetails,
    EventParams,
    LineOnTimeline,
    MatchParams,
    TimelineArea,
    TimelineMatch,
)

LIST_PROFILES: Final = Request("sidelight/listProfiles", Nothing, ProfileList)
SHOWN_PROFILES: Final = Request("sidelight/shownProfiles", Nothing, ShownProfiles)
SHOW_PROFILE: Final = Request("sidelight/showProfile", ProfileParams, ShownProfile)
CLEAR_ANNOTATIONS: Final = Request("sidelight/clearAnnotations", Nothing, Nothing)
DELETE_PROFILE: Final = Request("sidelight/deleteProfile", ProfileParams, Nothing)
RENAME_PROFILE: Final = Request("sidelight/renameProfile", RenameParams, Nothing)
OPEN_TRACE: Final = Request("sidelight/openTrace", OpenTraceParams, OpenedTrace)
EXPORT_PROFILE: Final = Request("sidelight/exportProfile", ExportParams, ExportedProfile)
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
TIMELINE_MARKERS: Final = Request("sidelight/timelineMarkers", MarkersParams, TimelineMarkers)
LINE_ON_TIMELINE: Final = Request(
    "sidelight/lineOnTimeline", LineParams, LineOnTimeline, optional_result=True
)
LINE_OF_DOCUMENT: Final = Request(
    "sidelight/lineOfDocument", DocumentLineParams, LineParams, optional_result=True
)
FIND_LINE: Final = Request("sidelight/findLine", LineParams, FoundLine)
ANALYSIS: Final = Request("sidelight/analysis", ProfileParams, Analysis)
TABLE: Final = Request("sidelight/table", TableParams, TableRows)
TABLE_CSV: Final = Request("sidelight/tableCsv", TableCsvParams, TableCsv)
FLAME_MATCH: Final = Request("sidelight/flameMatch", FlameMatchParams, FlameMatch)
ROOFLINE_CHANGE: Final = Request("sidelight/rooflineChange", RooflineChangeParams, RooflineChanged)
RANK_SOURCES: Final = Request("sidelight/rankSources", SourceCandidates, RankedSources)

REQUESTS: Final = (
    LIST_PROFILES,
    SHOWN_PROFILES,
    SHOW_PROFILE,
    CLEAR_ANNOTATIONS,
    DELETE_PROFILE,
    RENAME_PROFILE,
    OPEN_TRACE,
    EXPORT_PROFILE,
    HEAT,
    TIMELINE,
    TIMELINE_WINDOW,
    TIMELINE_EVENT,
    TIMELINE_AREA,
    TIMELINE_MATCH,
    TIMELINE_UTILISATION,
    TIMELINE_COUNTERS,
    TIMELINE_MARKERS,
    LINE_ON_TIMELINE,
    ANALYSIS,
    TABLE,
    TABLE_CSV,
    FLAME_MATCH,
    LINE_OF_DOCUMENT,
    FIND_LINE,
    ROOFLINE_CHANGE,
    RANK_SOURCES,
)

SHOWN_CHANGED: Final = Notification("sidelight/shownChanged", ShownProfiles)
"""Another profile is shown somewhere, or its index has become ready."""

ANNOTATIONS_CHANGED: Final = Notification("sidelight/annotationsChanged", DocumentParams)
"""A document's heat should be asked for again."""

PROFILES_CHANGED: Final = Notification("sidelight/profilesChanged", Nothing)
"""A store has other profiles than before."""

MARKERS_CHANGED: Final = Notification("sidelight/markersChanged", ProfileParams)
"""A profile whose markers were asked for has others than before."""

NOTIFICATIONS: Final = (SHOWN_CHANGED, ANNOTATIONS_CHANGED, PROFILES_CHANGED, MARKERS_CHANGED)
