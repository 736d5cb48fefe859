"""The markers of profiles, which every window on a store shares."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from sidelight.profile.markers import Marker, change_markers, markers_stamp, read_markers
from sidelight.server import protocol
from sidelight.server.answers import message
from sidelight.server.protocol import TimelineMarker
from sidelight.server.session import Session

_LOOK_INTERVAL_S: Final = 1.0
_MOST_WATCHED: Final = 8


def register(session: Session) -> None:
    """Let a session keep markers, and tell when another has changed them."""
    watched = _Watched()

    async def answer(session: Session, params: protocol.MarkersParams) -> protocol.TimelineMarkers:
        _, directory = session.showing.find(Path(params.directory))
        if watched.take(params.directory, directory):
            session.run(watched.watch(session))
        return await _answer(directory, params)

    session.answers_request(protocol.TIMELINE_MARKERS, answer)


async def _answer(directory: Path, params: protocol.MarkersParams) -> protocol.TimelineMarkers:
    removed, added = _stored(params.removed), _stored(params.added)
    if removed or added:
        # It waits for others, and for the disk.
        markers = await asyncio.to_thread(change_markers, directory, removed=removed, added=added)
    else:
        markers = await asyncio.to_thread(read_markers, directory)
    return protocol.TimelineMarkers(markers=[message(TimelineMarker, marker) for marker in markers])


def _stored(markers: list[TimelineMarker]) -> list[Marker]:
    return [Marker(name=marker.name, at_ns=marker.at_ns) for marker in markers]


class _Watched:
    """The profiles whose markers the client was told: the last few."""

    def __init__(self) -> None:
        self._directories: dict[str, Path] = {}
        self._stamps: dict[str, object] = {}
        self._is_watching = False

    def take(self, name: str, directory: Path) -> bool:
        """Watch one more.

        Args:
            name: The profile's directory, as the client calls it.
            directory: The same, as the store has it.

        Returns:
            Whether nothing watches yet.
        """
        self._directories.pop(name, None)
        self._directories[name] = directory
        # Before they are read: what changes after that is told.
        self._stamps[name] = markers_stamp(directory)
        while len(self._directories) > _MOST_WATCHED:
            oldest = next(iter(self._directories))
            del self._directories[oldest], self._stamps[oldest]
        was_watching, self._is_watching = self._is_watching, True
        return not was_watching

    async def watch(self, session: Session) -> None:
        """Tell of changes until the session ends."""
        while True:
            await asyncio.sleep(_LOOK_INTERVAL_S)
            for name, directory in list(self._directories.items()):
                before = self._stamps.get(name)
                now = await asyncio.to_thread(markers_stamp, directory)
                if now == before or self._stamps.get(name) != before:
                    continue
                self._stamps[name] = now
                session.tell(protocol.MARKERS_CHANGED, protocol.ProfileParams(directory=name))
