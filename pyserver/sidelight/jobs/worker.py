"""Run a function in a process of its own, with progress and cancel.

What it used is gone with it: a reading that took gigabytes leaves the caller as small as before,
and one that is killed or crashes is an error here, not the end.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from sidelight.profile.errors import SidelightError

T = TypeVar("T")

_CANCEL_POLL_S = 0.05
_PROGRESS_INTERVAL_S = 0.05


class WorkerError(SidelightError):
    """The process died, or ran out of memory, before it had a result."""


class CancelledError(SidelightError):
    """The caller cancelled the work."""


class UnexpectedWorkerError(Exception):
    """The function raised what it should not; its traceback is the cause's text."""


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
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, function, args), daemon=True)
    with receiver:
        with sender, _interrupts_stay_here(), _safe_path():
            process.start()
        try:
            outcome = _follow(process, receiver, doing, on_progress, cancel)
        finally:
            process.kill()
            process.join()
    if isinstance(outcome, _Refusal):
        raise outcome.kind(outcome.code, outcome.message)
    if isinstance(outcome, _Fault):
        raise UnexpectedWorkerError(outcome.summary) from _RemoteError(outcome.traceback)
    return outcome.value


@contextmanager
def _safe_path() -> Generator[None]:
    """Start children that import nothing from the working directory, whatever lies there.

    Python 3.10 has no such switch.
    """
    variable = "PYTHONSAFEPATH"
    before = os.environ.get(variable)
    os.environ[variable] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before


@dataclass(frozen=True)
class _Progress:
    fraction: float


@dataclass(frozen=True)
class _Result:
    value: Any


@dataclass(frozen=True)
class _Refusal:
    kind: type[SidelightError]
    code: str
    message: str


@dataclass(frozen=True)
class _Fault:
    summary: str
    traceback: str


class _RemoteError(Exception):
    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _follow(
    process: SpawnProcess,
    receiver: Connection[Any, Any],
    doing: str,
    on_progress: Callable[[float], None] | None,
    cancel: threading.Event | None,
) -> _Result | _Refusal | _Fault:
    while True:
        wait([receiver, process.sentinel], timeout=_CANCEL_POLL_S if cancel else None)
        if cancel and cancel.is_set():
            raise CancelledError("cancelled", f"Cancelled while {doing}.")
        ended = not process.is_alive()  # asked before the pipe, which may then hold the last word
        while receiver.poll():
            try:
                message = receiver.recv()
            except (EOFError, OSError):  # it died with a message half sent
                process.join()
                raise _death(process.exitcode, doing) from None
            if not isinstance(message, _Progress):
                return message
            if on_progress:
                on_progress(message.fraction)
        if ended:
            raise _death(process.exitcode, doing)


def _death(exit_code: int | None, doing: str) -> WorkerError:
    if exit_code == -signal.SIGKILL:
        return WorkerError(
            "worker_killed",
            f"The process {doing} was killed, most likely because memory ran out. "
            "Close other programs, or record fewer steps (`--steps N`).",
        )
    how = f"ended with status {exit_code}"
    if exit_code is not None and exit_code < 0:
        with suppress(ValueError):  # a signal without a name
            how = f"was ended by {signal.Signals(-exit_code).name}"
    return WorkerError(
        "worker_crashed", f"The process {doing} {how} before it was done. Try again."
    )


@contextmanager
def _interrupts_stay_here() -> Generator[None]:
    """Start children that a terminal's Ctrl-C does not reach: this process ends them."""
    if os.name == "nt":
        yield
        return
    # It is started with the first child, and unblocks the signal again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(
    sender: Connection[Any, Any], function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    """The child: run the function, send what came of it."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    outcome: _Result | _Refusal | _Fault
    try:
        outcome = _Result(function(*args, progress=_progress_to(sender)))
    except SidelightError as error:
        outcome = _Refusal(type(error), error.code, error.message)
    except MemoryError:
        outcome = _Refusal(
            WorkerError,
            "out_of_memory",
            "There was not enough memory to do this. "
            "Close other programs, or record fewer steps (`--steps N`).",
        )
    except Exception as error:
        summary = traceback.format_exception_only(error)[-1].strip()
        outcome = _Fault(summary, traceback.format_exc())
    sender.send(outcome)


def _progress_to(sender: Connection[Any, Any]) -> Callable[[float], None]:
    next_s = time.monotonic()

    def progress(fraction: float) -> None:
        nonlocal next_s
        if time.monotonic() >= next_s:
            next_s = time.monotonic() + _PROGRESS_INTERVAL_S
            sender.send(_Progress(fraction))

    return progress


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        sys.stderr.flush()
        os._exit(1)
