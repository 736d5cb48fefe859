"""How far something is, told to the client, which may cancel it there."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable
from typing import TypeVar

from lsprotocol import types

from sidelight.server.session import Session

T = TypeVar("T")

_SAY_INTERVAL_S = 0.1
_LONGEST_MESSAGE = 120


async def created_token(session: Session) -> str | None:
    """A token for progress that the client did not ask for; None where it shows none."""
    if not session.client.progress:
        return None
    token = f"sidelight-{uuid.uuid4()}"
    await session.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))
    return token


class WorkProgress:
    """Tells the client how far something is; nothing without a token, and nothing after the end.

    All of it happens on the event loop, where it is made.

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
        self._loop = asyncio.get_running_loop()
        self._may_say_at_s = 0.0
        if token is not None:
            session.cancellable[token] = cancel
        self._tell(types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def from_thread(self, tell: Callable[[T], None]) -> Callable[[T], None]:
        """One of the methods below, to be called from any thread."""

        def tell_on_loop(what: T) -> None:
            self._loop.call_soon_threadsafe(tell, what)

        return tell_on_loop

    def report(self, fraction: float) -> None:
        """Tell how much is done, 0 to 1."""
        percentage = min(100, int(100 * fraction))
        if percentage > self._percentage:
            self._percentage = percentage
            self._tell(types.WorkDoneProgressReport(percentage=percentage))

    def say(self, message: str) -> None:
        """Tell what is being done; of many messages at once, the first."""
        now_s = self._loop.time()
        if now_s >= self._may_say_at_s:
            self._may_say_at_s = now_s + _SAY_INTERVAL_S
            self._tell(types.WorkDoneProgressReport(message=message[:_LONGEST_MESSAGE]))

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
