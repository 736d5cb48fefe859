"""Reads a trace into a store, with progress and cancel, and shows it."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol import types

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.hardware.chips import HardwareError
from sidelight.jobs.explorer import EXPLORER, tables_made_of
from sidelight.jobs.explorer_offer import (
    ExplorerOffer,
    offer_after_failure,
    offer_after_reading,
)
from sidelight.jobs.reading import ReadResult, first_of, read_all_into_store
from sidelight.profile.errors import SidelightError, UnreadableInputError
from sidelight.server import protocol
from sidelight.server.folder import Folder
from sidelight.server.profiles import profile_entry
from sidelight.server.protocol import OPEN_TRACE, OpenedTrace, OpenTraceParams, PricingParams
from sidelight.server.session import Session
from sidelight.server.work_progress import WorkProgress, created_token

T = TypeVar("T")

_log = logging.getLogger(__name__)


def register(session: Session) -> None:
    """Let a session open traces."""
    session.answers_request(OPEN_TRACE, _open_trace)
    session.hears(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, _cancel)


def _cancel(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    if cancel := session.cancellable.get(params.token):
        cancel.set()


async def _open_trace(session: Session, params: OpenTraceParams) -> OpenedTrace:
    folder = _folder(session, params.folder_uri)
    path = folder.path / os.path.expanduser(params.path)  # an absolute path stays what it is
    pricing = _request(params.pricing) if params.pricing else None
    try:
        result = await _read(session, path, folder, pricing, params)
    except UnreadableInputError as error:
        offer = await _offered(offer_after_failure, path, error, params)
        if offer is None:
            raise
        return OpenedTrace(profile=None, directories=[], explorer=offer)
    first = await asyncio.to_thread(first_of, result, folder.store)
    await session.showing.show(first.directory)
    await _delete(session, params.replaced)
    return OpenedTrace(
        profile=await asyncio.to_thread(profile_entry, folder, first),
        directories=[str(profile.directory) for profile in result.profiles],
        explorer=await _offered(offer_after_reading, path, result, params),
    )


async def _offered(
    offer_of: Callable[[Path, T], ExplorerOffer | None],
    path: Path,
    outcome: T,
    params: OpenTraceParams,
) -> protocol.ExplorerOffer | None:
    """What Neuron's own tool could tell, unless it was run already."""
    if params.run_explorer:
        return None
    offer = await asyncio.to_thread(offer_of, path, outcome)
    if offer is None:
        return None
    return protocol.ExplorerOffer(
        path=str(offer.path), message=offer.message, command=offer.command
    )


async def _delete(session: Session, directories: Sequence[str]) -> None:
    for each in directories:
        try:
            folder, directory = session.showing.find(Path(each))
            await asyncio.to_thread(folder.store.delete, directory.name)
        except SidelightError as error:  # what took its place is shown all the same
            _log.warning("%s", error.message)
    if directories:
        await session.showing.look(closely=True)


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
    params: OpenTraceParams,
) -> ReadResult:
    cancel = threading.Event()
    title = f"Running {EXPLORER} on" if params.run_explorer else "Reading"
    token = params.work_done_token
    if token is None:
        token = await created_token(session)
    progress = WorkProgress(session, token, f"{title} {path.name}", cancel)
    reading = partial(
        read_all_into_store,
        path,
        folder.store,
        pricing=pricing,
        on_progress=progress.from_thread(progress.report),
        cancel=cancel,
    )
    said = progress.from_thread(progress.say)

    def read_with_tables() -> ReadResult:
        with tables_made_of(path, folder.store, on_line=said, cancel=cancel) as tables:
            return reading(beside=tables)

    try:
        async with session.readings:
            return await asyncio.to_thread(read_with_tables if params.run_explorer else reading)
    finally:
        cancel.set()
        progress.end()
