"""Run a function in a process of its own, with progress and cancel.

What it used is gone with it: a reading that took gigabytes leaves the caller as small as before,
and one that is killed or crashes is an error here, not the end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from sidelight.jobs.child import (
    CancelledError,
    Child,
    Outcome,
    UnexpectedWorkerError,
    WorkerError,
    outcome_of,
    start_child,
    value_of,
)

__all__ = ["CancelledError", "UnexpectedWorkerError", "WorkerError", "run_in_worker"]

T = TypeVar("T")

_CANCEL_POLL_S = 0.05
_PROGRESS_INTERVAL_S = 0.05


def run_in_worker(
    function: Callable[..., T],
    *args: object,
    doing: str,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> T:
    """Call ``function(*args, progress=...)`` in a fresh process and wait for its result.

    Args:
        function: A module-level function. It takes the keyword ``progress``, to call with the
            part done, 0 to 1, as often as it likes.
        *args: Its arguments; they and the result must pickle.
        doing: What it does, as errors say it: "reading trace.json".
        on_progress: Called in this process with the part done, at most 20 times a second.
        cancel: Set it, from another thread, to end the work within 0.2 s.

    Returns:
        What the function returned.

    Raises:
        SidelightError: As the function raised it.
        WorkerError: ``out_of_memory``, ``worker_killed`` or ``worker_crashed``.
        CancelledError: It was cancelled.
        UnexpectedWorkerError: The function raised anything else.
    """
    child = start_child(_work, function, args)
    try:
        outcome = _follow(child, doing, on_progress, cancel)
    finally:
        child.end()
    return value_of(outcome)


@dataclass(frozen=True)
class _Progress:
    fraction: float


def _follow(
    child: Child,
    doing: str,
    on_progress: Callable[[float], None] | None,
    cancel: threading.Event | None,
) -> Outcome:
    receiver = child.connection
    while True:
        wait([receiver, child.process.sentinel], timeout=_CANCEL_POLL_S if cancel else None)
        _raise_if_cancelled(cancel, doing)
        # Asked before the pipe, which may then hold the last word.
        ended = not child.process.is_alive()
        while receiver.poll():
            try:
                message = receiver.recv()
            except (EOFError, OSError):  # it died with a message half sent
                raise child.death(doing) from None
            if not isinstance(message, _Progress):
                return message
            if on_progress:
                on_progress(message.fraction)
                _raise_if_cancelled(cancel, doing)  # also where the result has come meanwhile
        if ended:
            raise child.death(doing)


def _raise_if_cancelled(cancel: threading.Event | None, doing: str) -> None:
    if cancel and cancel.is_set():
        raise CancelledError("cancelled", f"Cancelled while {doing}.")


def _work(
    sender: Connection[Any, Any], function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    """The child: run the function, send what came of it."""
    progress = _progress_to(sender)
    sender.send(outcome_of(lambda: function(*args, progress=progress)))


def _progress_to(sender: Connection[Any, Any]) -> Callable[[float], None]:
    next_s = time.monotonic()

    def progress(fraction: float) -> None:
        nonlocal next_s
        if time.monotonic() >= next_s:
            next_s = time.monotonic() + _PROGRESS_INTERVAL_S
            sender.send(_Progress(fraction))

    return progress
