"""The timeline: its windows, its events, and where a line is on it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

import msgspec
from pygls.uris import to_fs_path

from sidelight.analysis.timelines.told_types import Find, TimelinePlace
from sidelight.server import protocol
from sidelight.server.places import PlaceFinder
from sidelight.server.protocol import Message, Place
from sidelight.server.session import Session

M = TypeVar("M", bound=Message)


def register(session: Session) -> None:
    """Let a session answer for timelines."""
    session.answers_request(protocol.TIMELINE, _timeline)
    session.answers_request(protocol.TIMELINE_WINDOW, _window)
    session.answers_request(protocol.TIMELINE_EVENT, _event)
    session.answers_request(protocol.TIMELINE_AREA, _area)
    session.answers_request(protocol.TIMELINE_MATCH, _match)
    session.answers_request(protocol.TIMELINE_UTILISATION, _utilisation)
    session.answers_request(protocol.TIMELINE_COUNTERS, _counters)
    session.answers_request(protocol.LINE_ON_TIMELINE, _line)


async def _timeline(session: Session, params: protocol.ProfileParams) -> protocol.Timeline:
    folder, directory = session.showing.find(Path(params.directory))
    overview = await session.timelines.ask(
        directory, lambda queries, cancel: queries.timeline(cancel=cancel)
    )
    manifest = folder.manifest(directory)
    return _message(
        protocol.Timeline,
        overview,
        directory=params.directory,
        rank=manifest.rank if manifest else None,
        world_size=manifest.world_size if manifest else None,
    )


async def _window(session: Session, params: protocol.WindowParams) -> protocol.TimelineWindow:
    _, directory = session.showing.find(Path(params.directory))
    find = _find(params.find) if params.find else None
    window = await session.timelines.ask(
        directory,
        lambda queries, cancel: queries.window(
            params.from_ns, params.to_ns, params.width, find, params.colour_by, cancel=cancel
        ),
    )
    return _message(protocol.TimelineWindow, window)


async def _event(session: Session, params: protocol.EventParams) -> protocol.EventDetails:
    _, directory = session.showing.find(Path(params.directory))
    details = await session.timelines.ask(
        directory, lambda queries, cancel: queries.event(params.event, cancel=cancel)
    )
    places = await _places(session, directory, details.places)
    return _message(protocol.EventDetails, details, places=places)


async def _area(session: Session, params: protocol.AreaParams) -> protocol.TimelineArea:
    _, directory = session.showing.find(Path(params.directory))
    area = await session.timelines.ask(
        directory,
        lambda queries, cancel: queries.area(
            params.from_ns, params.to_ns, params.tracks, cancel=cancel
        ),
    )
    return _message(protocol.TimelineArea, area)


async def _match(session: Session, params: protocol.MatchParams) -> protocol.TimelineMatch | None:
    _, directory = session.showing.find(Path(params.directory))
    find = _find(params.find)
    match = await session.timelines.ask(
        directory,
        lambda queries, cancel: queries.match(
            find, params.event, params.at_ns, params.direction, cancel=cancel
        ),
    )
    return _message(protocol.TimelineMatch, match) if match else None


async def _utilisation(
    session: Session, params: protocol.UtilisationParams
) -> protocol.TimelineUtilisation:
    _, directory = session.showing.find(Path(params.directory))
    found = await session.timelines.ask(
        directory,
        lambda queries, cancel: queries.utilisation(
            params.from_ns, params.to_ns, params.width, params.groups, cancel=cancel
        ),
    )
    return _message(protocol.TimelineUtilisation, found)


async def _counters(session: Session, params: protocol.CounterParams) -> protocol.TimelineCounters:
    _, directory = session.showing.find(Path(params.directory))
    found = await session.timelines.ask(
        directory,
        lambda queries, cancel: queries.counters(
            params.from_ns, params.to_ns, params.width, cancel=cancel
        ),
    )
    return _message(protocol.TimelineCounters, found)


async def _line(session: Session, params: protocol.LineParams) -> protocol.LineOnTimeline | None:
    _, directory = session.showing.find(Path(params.directory))
    span = await session.timelines.ask(
        directory, lambda queries, cancel: queries.line(params.file, params.line, cancel=cancel)
    )
    return _message(protocol.LineOnTimeline, span) if span else None


def _find(find: protocol.Find) -> Find:
    return Find(text=find.text, file=find.file, line=find.line)


def _message(kind: type[M], answer: msgspec.Struct, **others: object) -> M:
    """The message whose fields an answer has, and whose parts' fields its parts have.

    Args:
        kind: The message.
        answer: The answer.
        **others: Fields that the answer lacks, or has otherwise.
    """
    fields = SimpleNamespace(**{**msgspec.structs.asdict(answer), **others})
    return msgspec.convert(fields, kind, from_attributes=True)


async def _places(session: Session, directory: Path, places: list[TimelinePlace]) -> list[Place]:
    loaded = await session.showing.load(directory)
    open_texts = {
        path: document.source
        for document in session.workspace.text_documents.values()
        if (path := to_fs_path(document.uri))
    }
    folders = [folder.path for folder in session.showing.folders]
    finder = PlaceFinder(loaded.files, open_texts, folders, session.source_map)

    def found(place: TimelinePlace) -> Place:
        here = finder.find(place.file, place.line)
        return _message(Place, place, uri=here.uri, current_line=here.current_line)

    return await asyncio.to_thread(lambda: [found(place) for place in places])
