"""The markers of profiles, which every window on a store shares."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sidelight.profile.markers import Marker, change_markers, read_markers
from sidelight.server import protocol
from sidelight.server.answers import message
from sidelight.server.protocol import TimelineMarker
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session keep markers."""
    session.answers_request(protocol.TIMELINE_MARKERS, _markers)


async def _markers(session: Session, params: protocol.MarkersParams) -> protocol.TimelineMarkers:
    _, directory = session.showing.find(Path(params.directory))
    removed, added = _stored(params.removed), _stored(params.added)
    if removed or added:
        # It waits for others, and for the disk.
        markers = await asyncio.to_thread(change_markers, directory, removed=removed, added=added)
    else:
        markers = await asyncio.to_thread(read_markers, directory)
    return protocol.TimelineMarkers(markers=[message(TimelineMarker, marker) for marker in markers])


def _stored(markers: list[TimelineMarker]) -> list[Marker]:
    return [Marker(name=marker.name, at_ns=marker.at_ns) for marker in markers]
