"""Messages about a profile's markers."""

from __future__ import annotations

from sidelight.profile.markers import MarkerName, MarkerTime
from sidelight.server.protocol.message import Message


class TimelineMarker(Message, frozen=True):
    """A moment that a person has named.

    Attributes:
        at_ns: When.
    """

    name: MarkerName
    at_ns: MarkerTime


class MarkersParams(Message, frozen=True):
    """Markers that go, and markers that come: what others have set meanwhile stays.

    Attributes:
        directory: The profile.
        removed: One that is not there any more is no error.
        added: One that is there stays the only one of its kind.
    """

    directory: str
    removed: list[TimelineMarker]
    added: list[TimelineMarker]


class TimelineMarkers(Message, frozen=True):
    """All markers of a profile, by time."""

    markers: list[TimelineMarker]
