"""The timeline of one stored profile, answered by a process that holds its tables."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import cached_property, partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sidelight.analysis.timelines.drawn_types import (
    ColourBy,
    CounterWindows,
    TimelineOverview,
    Utilisation,
    Window,
)
from sidelight.analysis.timelines.told_types import Area, Details, Direction, Find, LineSpan, Match
from sidelight.jobs.child import (
    CancelledError,
    Child,
    Outcome,
    WorkerError,
    outcome_of,
    start_child,
    value_of,
)
from sidelight.profile.stored_profile import StoredProfile

if TYPE_CHECKING:
    from sidelight.analysis.timelines.index import TimelineIndex


class TimelineQueries:
    """Asks a process of its own, which starts with the first question and stays.

    All methods but :meth:`close` wait for the answer, one after another, and may be called from
    any thread. Each takes ``cancel``: set it, from another thread, and a question whose turn has
    not come is not asked. A process that died is started again, once a question. They raise:

    * StoreError: the profile is damaged, or of another schema version;
    * WorkerError: memory ran out, or the process died again;
    * CancelledError: the question was cancelled, or this was closed.

    Args:
        directory: The profile's directory.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._turn = threading.Lock()
        self._child: Child | None = None
        self._closing = threading.Lock()
        self._closed = False

    def __enter__(self) -> TimelineQueries:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def timeline(self, *, cancel: threading.Event | None = None) -> TimelineOverview:
        """What a timeline needs before it asks for windows."""
        return self._ask("timeline", cancel)

    def window(
        self,
        from_ns: int,
        to_ns: int,
        width: int,
        find: Find | None = None,
        colour_by: ColourBy = "category",
        *,
        cancel: threading.Event | None = None,
    ) -> Window:
        """What lies in, or reaches into, a part of the timeline, as drawn in ``width`` pixels.

        ``find`` shows what it finds alone; ``colour_by`` is what the spans' ``key`` tells.
        """
        return self._ask("window", cancel, from_ns, to_ns, width, find, colour_by)

    def event(self, event: int, *, cancel: threading.Event | None = None) -> Details:
        """Everything known about one event.

        Raises:
            UnreadableInputError: ``no_such_event``, beside what all methods raise.
        """
        return self._ask("event", cancel, event)

    def line(
        self, file: str, line: int, *, cancel: threading.Event | None = None
    ) -> LineSpan | None:
        """Where a line's device time lies; None if it has none."""
        return self._ask("line", cancel, file, line)

    def area(
        self,
        from_ns: int,
        to_ns: int,
        tracks: list[int],
        *,
        cancel: threading.Event | None = None,
    ) -> Area:
        """What lies in a stretch of time on some tracks, summed up; of no tracks, on all."""
        return self._ask("area", cancel, from_ns, to_ns, tracks)

    def match(
        self,
        find: Find,
        event: int | None,
        at_ns: int,
        direction: Direction,
        *,
        cancel: threading.Event | None = None,
    ) -> Match | None:
        """The event found before or after another, or a time; None where nothing is found."""
        return self._ask("match", cancel, find, event, at_ns, direction)

    def utilisation(
        self,
        from_ns: int,
        to_ns: int,
        width: int,
        groups: list[list[int]],
        *,
        cancel: threading.Event | None = None,
    ) -> Utilisation:
        """How busy groups of tracks are, pixel by pixel."""
        return self._ask("utilisation", cancel, from_ns, to_ns, width, groups)

    def counters(
        self, from_ns: int, to_ns: int, width: int, *, cancel: threading.Event | None = None
    ) -> CounterWindows:
        """Quantities over time, pixel by pixel."""
        return self._ask("counters", cancel, from_ns, to_ns, width)

    def close(self) -> None:
        """End the process, at once: a question it is busy with is given up."""
        with self._closing:
            self._closed = True
            child = self._child
            if child:
                child.process.kill()
        with self._turn:
            self._end_child()

    def _ask(self, question: str, cancel: threading.Event | None, *args: object) -> Any:
        with self._turn:
            if cancel and cancel.is_set():
                raise CancelledError("cancelled", f"Cancelled while {self._doing}.")
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
                raise CancelledError("cancelled", "The timeline was closed.")
            if self._child and not self._child.process.is_alive():
                self._end_child()
            if self._child is None:
                self._child = start_child(_serve, str(self._directory), duplex=True)
            return self._child

    def _end_child(self) -> None:
        if self._child:
            self._child.end()
            self._child = None

    @property
    def _doing(self) -> str:
        return f"reading the timeline of {self._directory.name}"


def _serve(connection: Connection[Any, Any], directory: str) -> None:
    """The child: answer questions until the parent is gone."""
    answers = _Answers(Path(directory))
    with suppress(EOFError, OSError):
        while True:
            question, args = connection.recv()
            connection.send(outcome_of(partial(getattr(answers, question), *args)))


class _Answers:
    """The questions of :class:`TimelineQueries`, in the child."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @cached_property
    def _index(self) -> TimelineIndex:
        from sidelight.analysis.timelines.index import TimelineIndex

        return TimelineIndex(StoredProfile(self._directory).load())

    def timeline(self) -> TimelineOverview:
        return self._index.overview(StoredProfile(self._directory).manifest)

    def window(
        self, from_ns: int, to_ns: int, width: int, find: Find | None, colour_by: ColourBy
    ) -> Window:
        return self._index.window(from_ns, to_ns, width, find, colour_by)

    def area(self, from_ns: int, to_ns: int, tracks: list[int]) -> Area:
        return self._index.area(from_ns, to_ns, tracks)

    def match(
        self, find: Find, event: int | None, at_ns: int, direction: Direction
    ) -> Match | None:
        return self._index.match(find, event, at_ns, direction)

    def utilisation(
        self, from_ns: int, to_ns: int, width: int, groups: list[list[int]]
    ) -> Utilisation:
        return self._index.utilisation(from_ns, to_ns, width, groups)

    def counters(self, from_ns: int, to_ns: int, width: int) -> CounterWindows:
        return self._index.counters(from_ns, to_ns, width)

    def event(self, event: int) -> Details:
        return self._index.event(event)

    def line(self, file: str, line: int) -> LineSpan | None:
        return self._index.line(file, line)
