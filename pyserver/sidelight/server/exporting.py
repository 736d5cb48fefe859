"""Exports stored profiles to files, with progress and cancel."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path

from sidelight.jobs.export import Exported, export_profile
from sidelight.profile.errors import SidelightError
from sidelight.profile.stored_profile import StoredProfile
from sidelight.server.protocol import EXPORT_PROFILE, ExportedProfile, ExportParams
from sidelight.server.session import Session
from sidelight.server.work_progress import WorkProgress, created_token


def register(session: Session) -> None:
    """Let a session export profiles."""
    session.answers_request(EXPORT_PROFILE, _export)


async def _export(session: Session, params: ExportParams) -> ExportedProfile:
    _, directory = session.showing.find(Path(params.directory))
    path = Path(params.path)
    if not path.is_absolute():
        raise SidelightError(
            "not_absolute",
            f"{path} does not say in which directory it is to be. Name a whole path.",
        )
    exported = await _written(session, StoredProfile(directory), path, params)
    return ExportedProfile(
        path=str(exported.path),
        size_bytes=exported.size_bytes,
        events=exported.events,
        missing=[note.message for note in exported.notes],
    )


async def _written(
    session: Session, stored: StoredProfile, path: Path, params: ExportParams
) -> Exported:
    cancel = threading.Event()
    token = params.work_done_token
    if token is None:
        token = await created_token(session)
    progress = WorkProgress(session, token, f"Exporting {stored.manifest.name}", cancel)
    export = partial(
        export_profile,
        stored,
        params.format,
        path,
        on_progress=progress.from_thread(progress.report),
        cancel=cancel,
    )
    try:
        async with session.readings:
            return await asyncio.to_thread(export)
    finally:
        cancel.set()
        progress.end()
