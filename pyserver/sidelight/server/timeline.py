"""The timeline: its windows, its events, and where a line is on it."""

from __future__ import annotations

from pathlib import Path

from sidelight.analysis.timelines.told_types import Find, TimelinePlace
from sidelight.server import protocol
from sidelight.server.answers import message
from sidelight.server.find_lines import find_lines
from sidelight.server.protocol import Place
from sidelight.server.session import Session


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
    overview = await session.timelines.ask(directory, lambda queries: queries.timeline())
    manifest = folder.manifest(directory)
    return message(
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
        lambda queries: queries.window(
            params.from_ns, params.to_ns, params.width, find, params.colour_by
        ),
    )
    return message(protocol.TimelineWindow, window)


async def _event(session: Session, params: protocol.EventParams) -> protocol.EventDetails:
    _, directory = session.showing.find(Path(params.directory))
    details = await session.timelines.ask(directory, lambda queries: queries.event(params.event))
    places = await _places(session, directory, details.places)
    return message(protocol.EventDetails, details, places=places)


async def _area(session: Session, params: protocol.AreaParams) -> protocol.TimelineArea:
    _, directory = session.showing.find(Path(params.directory))
    area = await session.timelines.ask(
        directory,
        lambda queries: queries.area(params.from_ns, params.to_ns, params.tracks),
    )
    return message(protocol.TimelineArea, area)


async def _match(session: Session, params: protocol.MatchParams) -> protocol.TimelineMatch | None:
    _, directory = session.showing.find(Path(params.directory))
    find = _find(params.find)
    match = await session.timelines.ask(
        directory,
        lambda queries: queries.match(find, params.event, params.at_ns, params.direction),
    )
    return message(protocol.TimelineMatch, match) if match else None


async def _utilisation(
    session: Session, params: protocol.UtilisationParams
) -> protocol.TimelineUtilisation:
    _, directory = session.showing.find(Path(params.directory))
    found = await session.timelines.ask(
        directory,
        lambda queries: queries.utilisation(
            params.from_ns, params.to_ns, params.width, params.groups
        ),
    )
    return message(protocol.TimelineUtilisation, found)


async def _counters(session: Session, params: protocol.CounterParams) -> protocol.TimelineCounters:
    _, directory = session.showing.find(Path(params.directory))
    found = await session.timelines.ask(
        directory,
        lambda queries: queries.counters(params.from_ns, params.to_ns, params.width),
    )
    return message(protocol.TimelineCounters, found)


async def _line(session: Session, params: protocol.LineParams) -> protocol.LineOnTimeline | None:
    _, directory = session.showing.find(Path(params.directory))
    span = await session.timelines.ask(
        directory, lambda queries: queries.line(params.file, params.line)
    )
    return message(protocol.LineOnTimeline, span) if span else None


def _find(find: protocol.Find) -> Find:
    return Find(text=find.text, file=find.file, line=find.line)


async def _places(session: Session, directory: Path, places: list[TimelinePlace]) -> list[Place]:
    here = await find_lines(session, directory, [(place.file, place.line) for place in places])
    return [
        message(Place, place, uri=found.uri, current_line=found.current_line)
        for place, found in zip(places, here, strict=True)
    ]
