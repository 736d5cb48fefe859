"""A process that answers questions on one stored profile, whose tables it holds."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, TypeVar

from sidelight.jobs.child import (
    CancelledError,
    Child,
    Outcome,
    WorkerError,
    outcome_of,
    start_child,
    value_of,
)

Q = TypeVar("Q", bound="Queries")


class Queries:
    """Asks a process of its own, which starts with the first question and stays.

    Questions wait for their answer, one after another, and may be asked from any thread. A process
    that died is started again, once a question. They raise:

    * StoreError: the profile is damaged, or of another schema version;
    * WorkerError: memory ran out, or the process died again;
    * CancelledError: this was closed.

    Args:
        directory: The profile's directory.

    Attributes:
        answers: Makes what answers, in the child, from the profile's directory: it has a method of
            each question's name.
        doing: What the process does, as in "reading the timeline of".
    """

    answers: ClassVar[Callable[[Path], Any]]
    doing: ClassVar[str]

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._turn = threading.Lock()
        self._child: Child | None = None
        self._closing = threading.Lock()
        self._closed = False

    def __enter__(self: Q) -> Q:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, at once: a question it is busy with is given up."""
        with self._closing:
            self._closed = True
            child = self._child
            if child:
                child.process.kill()
        with self._turn:
            self._end_child()

    def _ask(self, question: str, *args: object) -> Any:
        with self._turn:
            outcome = self._answer(question, args)
            if isinstance(outcome, WorkerError):
                outcome = self._answer(question, args)
        if isinstance(outcome, WorkerError):
            raise outcome
        return value_of(outcome)

    def _answer(self, question: str, args: tuple[object, ...]) -> Outcome | WorkerError:
        """Ask the process; how it died, if it did."""
        child = self._living_child()
        try:
            child.connection.send((question, args))
            return child.connection.recv()
        except (EOFError, OSError):
            death = child.death(self._doing)
            self._end_child()
            return death

    def _living_child(self) -> Child:
        with self._closing:
            if self._closed:
                raise CancelledError("cancelled", "It was closed.")
            if self._child and not self._child.process.is_alive():
                self._end_child()
            if self._child is None:
                self._child = start_child(
                    _serve, type(self).answers, str(self._directory), duplex=True
                )
            return self._child

    def _end_child(self) -> None:
        if self._child:
            self._child.end()
            self._child = None

    @property
    def _doing(self) -> str:
        return f"{self.doing} {self._directory.name}"


def _serve(
    connection: Connection[Any, Any], answering: Callable[[Path], Any], directory: str
) -> None:
    """The child: answer questions until the parent is gone."""
    answers = answering(Path(directory))
    with suppress(EOFError, OSError):
        while True:
            question, args = connection.recv()
            connection.send(outcome_of(partial(getattr(answers, question), *args)))
