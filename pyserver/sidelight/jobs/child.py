"""A process of our own making: how it is started, how it ends, and how errors leave it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from sidelight.profile.errors import SidelightError


class WorkerError(SidelightError):
    """The process died, or ran out of memory, before it had a result."""


class CancelledError(SidelightError):
    """The caller cancelled the work."""


class UnexpectedWorkerError(Exception):
    """The function raised what it should not; its traceback is the cause's text."""


@dataclass(frozen=True)
class Result:
    """What a function returned."""

    value: Any


@dataclass(frozen=True)
class Refusal:
    """An expected error."""

    kind: type[SidelightError]
    code: str
    message: str


@dataclass(frozen=True)
class Fault:
    """Any other error."""

    summary: str
    traceback: str


Outcome = Result | Refusal | Fault
"""What came of calling a function; it can be sent to another process."""

_TIME_TO_DIE_S = 5

_unfinished: set[Path] = set()
"""In a child: files that nobody finishes if its parent is gone."""

_starting = threading.Lock()
"""Starting a process changes this one's environment for a moment."""


def start_child(target: Callable[..., None], *args: object, duplex: bool = False) -> Child:
    """Start a process that ends with this one, whatever happens to it.

    Args:
        target: A module-level function; it is called with the child's end of a pipe, then ``args``.
        *args: They must pickle.
        duplex: Whether the pipe goes both ways, or only from the child to here.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=duplex)
    process = context.Process(target=_run, args=(target, theirs, *args), daemon=True)
    with theirs:
        try:
            with _starting, _interrupts_stay_here(), _safe_path():
                process.start()
        except BaseException:
            ours.close()
            raise
    return Child(process, ours)


@dataclass(frozen=True)
class Child:
    """A started process.

    Attributes:
        process: The process.
        connection: This end of the pipe to it.
    """

    process: SpawnProcess
    connection: Connection[Any, Any]

    def end(self) -> None:
        """End it at once, and wait until it is gone."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def death(self, doing: str) -> WorkerError:
        """The error that says how it died.

        Args:
            doing: What it was to do, as in "reading trace.json".
        """
        self.process.join(_TIME_TO_DIE_S)
        self.process.kill()  # nothing came from it, and nothing will
        self.process.join()
        exit_code = self.process.exitcode
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


def outcome_of(function: Callable[[], Any]) -> Outcome:
    """Call a function, in the child."""
    try:
        return Result(function())
    except SidelightError as error:
        return Refusal(type(error), error.code, error.message)
    except MemoryError:
        return Refusal(
            WorkerError,
            "out_of_memory",
            "There was not enough memory to do this. "
            "Close other programs, or record fewer steps (`--steps N`).",
        )
    except Exception as error:
        summary = traceback.format_exception_only(error)[-1].strip()
        return Fault(summary, traceback.format_exc())


def value_of(outcome: Outcome) -> Any:
    """What the function returned, in the parent.

    Raises:
        SidelightError: As the function raised it; WorkerError where memory ran out.
        UnexpectedWorkerError: The function raised anything else.
    """
    if isinstance(outcome, Refusal):
        raise outcome.kind(outcome.code, outcome.message)
    if isinstance(outcome, Fault):
        raise UnexpectedWorkerError(outcome.summary) from _RemoteError(outcome.traceback)
    return outcome.value


@contextmanager
def gone_with_parent(path: Path) -> Generator[None]:
    """In the child: a file that is written here, and removed if the parent is killed meanwhile."""
    _unfinished.add(path)
    try:
        yield
    finally:
        _unfinished.discard(path)


class _RemoteError(Exception):
    def __str__(self) -> str:
        return f"\n{self.args[0]}"


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


def _run(target: Callable[..., None], connection: Connection[Any, Any], *args: object) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Standard output is the parent's: a document, or a protocol, that nothing may get into.
    with suppress(OSError):  # there may be none
        os.dup2(2, 1)
    target(connection, *args)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        for path in tuple(_unfinished):
            with suppress(OSError):
                path.unlink()
        sys.stderr.flush()
        os._exit(1)
