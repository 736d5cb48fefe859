"""Which files of the workspace a profile's file from elsewhere may be."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence, Set
from pathlib import Path

from pygls.uris import to_fs_path

from sidelight.analysis.same_file import likeness, set_of_lines
from sidelight.server.places import is_in_folders, read_source
from sidelight.server.protocol import (
    RANK_SOURCES,
    RankedSources,
    SourceCandidate,
    SourceCandidates,
)
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session rank candidates."""
    session.answers_request(RANK_SOURCES, _rank_sources)


async def _rank_sources(session: Session, params: SourceCandidates) -> RankedSources:
    _, directory = session.showing.find(Path(params.directory))
    loaded = await session.showing.load(directory)
    known = loaded.files.files.get(params.file)
    folders = [folder.path for folder in session.showing.folders]
    candidates = await asyncio.to_thread(
        rank_sources, params.file, known.text if known else None, params.uris, folders
    )
    return RankedSources(candidates=candidates)


def rank_sources(
    file: str, text: str | None, uris: Sequence[str], folders: Sequence[Path]
) -> list[SourceCandidate]:
    """Order the files that a profile's file may be. Reads them: for threads.

    Args:
        file: As the profile has it.
        text: What it held; None where the profile does not know.
        uris: The files to look at. Those outside of ``folders`` are left out.
        folders: The workspace's.

    Returns:
        Those that may be it, the likeliest first.
    """
    lines = set_of_lines(text)
    found = {
        uri: candidate
        for uri in uris
        if (path := to_fs_path(uri)) and is_in_folders(path, folders)
        if (candidate := _candidate(file, lines, uri, path))
    }
    return sorted(found.values(), key=lambda one: (one.same_end, one.alike or 0.0), reverse=True)


def _candidate(file: str, lines: Set[str] | None, uri: str, path: str) -> SourceCandidate | None:
    if lines is None:
        same_end, _ = likeness(file, set(), path, set()) or (0, 0.0)
        return SourceCandidate(uri=uri, same_end=same_end, alike=None)
    text = read_source(path)
    if text is None:
        return None
    found = likeness(file, lines, path, set_of_lines(text))
    return found and SourceCandidate(uri=uri, same_end=found[0], alike=found[1])
