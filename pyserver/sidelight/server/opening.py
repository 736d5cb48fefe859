"""Reads a trace into a store, with progress and cancel, and shows it."""

from __future__ import annotations

import asyncio
import os
import threading
import uuid
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.hardware.chips import HardwareError
from sidelight.jobs.reading import read_into_store
from sidelight.profile.errors import SidelightError
from sidelight.profile.stored_profile import StoredProfile
from sidelight.server.folder import Folder
from sidelight.server.profiles import profile_entry
from sidelight.server.protocol import OPEN_TRACE, OpenTraceParams, PricingParams, ProfileEntry
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session open traces."""
    session.answers_request(OPEN_TRACE, _open_trace)
    session.hears(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, _cancel)


def _cancel(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    if cancel := session.cancellable.get(params.token):
        cancel.set()


async def _open_trace(session: Session, params: OpenTraceParams) -> ProfileEntry:
    folder = _folder(session, params.folder_uri)
    path = folder.path / os.path.expanduser(params.path)  # an absolute path stays what it is
    pricing = _request(params.pricing) if params.pricing else None
    token = params.work_done_token
    if token is None:
        token = await _created_token(session)
    profile = await _read(session, path, folder, pricing, token)
    await session.showing.show(profile.directory)
    return await asyncio.to_thread(profile_entry, folder, profile)


def _folder(session: Session, uri: str | None) -> Folder:
    for folder in session.showing.folders:
        if uri in (None, folder.uri):
            return folder
    raise SidelightError(
        "no_folder",
        "A profile is kept in a folder's store, and that folder is not open. Open a folder first.",
    )


def _request(pricing: PricingParams) -> PricingRequest:
    request = PricingRequest(pricing.chip, pricing.lnc, pricing.auto_cast)
    try:
        request.setup()
    except HardwareError as error:
        raise SidelightError("no_such_lnc", str(error)) from error
    return request


async def _read(
    session: Session,
    path: Path,
    folder: Folder,
    pricing: PricingRequest | None,
    token: str | int | None,
) -> StoredProfile:
    cancel = threading.Event()
    progress = _Progress(session, token, f"Reading {path.name}", cancel)
    loop = asyncio.get_running_loop()
    try:
        async with session.readings:
            return await asyncio.to_thread(
                read_into_store,
                path,
                folder.store,
                pricing=pricing,
                on_progress=_on_loop(loop, progress.report),
                cancel=cancel,
            )
    finally:
        cancel.set()
        progress.end()


def _on_loop(
    loop: asyncio.AbstractEventLoop, report: Callable[[float], None]
) -> Callable[[float], None]:
    def report_on_loop(fraction: float) -> None:
        loop.call_soon_threadsafe(report, fraction)

    return report_on_loop


async def _created_token(session: Session) -> str | None:
    """A token for progress that the client did not ask for; None where it shows none."""
    if not session.client.progress:
        return None
    token = f"sidelight-{uuid.uuid4()}"
    await session.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))
    return token


class _Progress:
    """Tells the client how far something is; nothing without a token, and nothing after the end.

    Args:
        session: Whose client.
        token: What the client knows the progress by.
        title: What is done.
        cancel: Set when the client cancels it there.
    """

    def __init__(
        self, session: Session, token: str | int | None, title: str, cancel: threading.Event
    ) -> None:
        self._session = session
        self._token = token
        self._percentage = 0
        if token is not None:
            session.cancellable[token] = cancel
        self._tell(types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def report(self, fraction: float) -> None:
        """Tell how much is done, 0 to 1."""
        percentage = min(100, int(100 * fraction))
        if percentage > self._percentage:
            self._percentage = percentage
            self._tell(types.WorkDoneProgressReport(percentage=percentage))

    def end(self) -> None:
        """Tell that it is over."""
        self._tell(types.WorkDoneProgressEnd())
        if self._token is not None:
            self._session.cancellable.pop(self._token, None)
        self._token = None

    def _tell(
        self,
        value: types.WorkDoneProgressBegin
        | types.WorkDoneProgressReport
        | types.WorkDoneProgressEnd,
    ) -> None:
        if self._token is not None:
            self._session.progress(types.ProgressParams(self._token, value))
