"""Where lines of a profile are on this machine, where they are now, and which are where."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pygls.uris import to_fs_path

from sidelight.server import protocol
from sidelight.server.places import PlaceFinder, Whereabouts
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session answer for lines."""
    session.answers_request(protocol.FIND_LINE, _find_line)
    session.answers_request(protocol.LINE_OF_DOCUMENT, _line_of_document)


async def find_lines(
    session: Session, directory: Path, lines: Sequence[tuple[str, int]]
) -> list[Whereabouts]:
    """Find lines of a profile's source.

    Args:
        session: The client's.
        directory: The profile.
        lines: Files as the profile has them, and lines, 1-based.

    Raises:
        SidelightError: The profile cannot be read.
    """
    loaded = await session.showing.load(directory)
    open_texts = {
        path: document.source
        for document in session.workspace.text_documents.values()
        if (path := to_fs_path(document.uri))
    }
    folders = [folder.path for folder in session.showing.folders]
    finder = PlaceFinder(loaded.files, open_texts, folders, session.source_map)
    return await asyncio.to_thread(lambda: [finder.find(file, line) for file, line in lines])


async def _find_line(session: Session, params: protocol.LineParams) -> protocol.FoundLine:
    _, directory = session.showing.find(Path(params.directory))
    (found,) = await find_lines(session, directory, [(params.file, params.line)])
    return protocol.FoundLine(uri=found.uri, current_line=found.current_line)


async def _line_of_document(
    session: Session, params: protocol.DocumentLineParams
) -> protocol.LineParams | None:
    found = await session.annotated(params.uri)
    line = found[1].at(params.line) if found else None
    if not found or not line:
        return None
    stats = line.annotation.stats
    return protocol.LineParams(
        directory=str(found[1].shown.directory), file=stats.file, line=stats.line
    )
