"""Line spans: a profiler range held open while a user's line is the innermost of its frame.

Ranges nest by call depth, so every operator in the trace lies inside the exact lines of its whole
user call chain. This module keeps each thread's stack of open ranges; where the line events come
from is the business of ``monitoring`` (3.12 and later) and ``tracing`` (before).

A range is named ``sidelight:<n>``. What label ``n`` stands for (code object, bytecode offset,
resumed or not) is noted here and turned into source lines after the recording, so that the hot path
is one dictionary lookup and two calls into the profiler.
"""

from __future__ import annotations

import itertools
import threading
from types import CodeType, FrameType
from typing import Any, Callable, NamedTuple, Optional, Union

from .statements import PREVIOUS_MATTERS

LABEL_PREFIX = "sidelight:"
MARK_PREFIX = "sidelight.mark:"


_Place = Union[int, tuple[Optional[int], int]]
"""A bytecode offset; with the frame's previous one where that decides what counts as an entry."""


class Label(NamedTuple):
    """What a line span's number stands for.

    Attributes:
        code: The user's code object.
        offset: Where in it execution was.
        previous: Where the frame was before; None at its start, or where it makes no difference.
        resumed: Whether the frame ran on there after a suspension or before the recording began.
    """

    code: CodeType
    offset: int
    previous: int | None
    resumed: bool


_REST_OF_FUNCTION = "torch_dynamo_resume_in_"
"""Begins the name of what torch's compiler makes of a function's rest behind a graph break."""


class CodeRecord:
    """A user's code object and the range names of its bytecode offsets.

    Attributes:
        code: The code object.
        names: Range names of line events.
        resumed_names: Range names of places where a frame ran on.
        is_compiled: Whether a compiler made it of a user's function: all that it compiled is then
            on the first line, and no line of the user's.
        is_rest: Whether it is the rest of the function whose code calls it.
    """

    __slots__ = ("code", "is_compiled", "is_rest", "names", "resumed_names")

    def __init__(self, code: CodeType, *, is_compiled: bool) -> None:
        self.code = code
        self.is_rest = code.co_name.startswith(_REST_OF_FUNCTION)
        self.is_compiled = is_compiled or self.is_rest
        self.names: dict[_Place, str] = {}
        self.resumed_names: dict[int, str] = {}


class _ThreadStack(threading.local):
    """Open user frames of the current thread, outermost first.

    Each is ``[record, open range or None, offset of its last event or None]``. Of modules' calls,
    ``modules`` has ``[name or None, open range or None]``.
    """

    def __init__(self) -> None:
        self.entries: list[list[Any]] = []
        self.modules: list[list[Any]] = []
        self.synchronized = False


def _no_range(name: str) -> Any:
    """Stands for the profiler's ranges until torch is there."""
    raise RuntimeError(f"{name} cannot be opened before torch is imported")


class LineSpans:
    """The open line spans of every thread.

    Args:
        is_user: Whether a code object is the user's own.
        limit: How many spans to open at most since the last ``begin``.
        limit_reached: Called, with the frame at hand, instead of opening more.

    Attributes:
        labels: What the spans' numbers stand for.
        open_range: Makes a profiler range of a given name, to be entered and exited; to be set
            before the first ``begin``.
    """

    def __init__(
        self,
        is_user: Callable[[CodeType], bool],
        limit: int,
        limit_reached: Callable[[FrameType], None],
    ) -> None:
        self._is_user = is_user
        self.open_range: Callable[[str], Any] = _no_range
        self._limit = limit
        self._limit_reached = limit_reached
        self._records: dict[int, CodeRecord] = {}
        self._compiled: dict[int, CodeType] = {}
        self._threads = _ThreadStack()
        self._numbers = itertools.count()
        self.labels: dict[int, Label] = {}
        self._opened = 0

    def known_record(self, code: CodeType) -> CodeRecord | None:
        """The record of a code object that was met before and is the user's."""
        return self._records.get(id(code))

    def record(self, code: CodeType) -> CodeRecord | None:
        """The record of a code object; None if it is not the user's."""
        record = self._records.get(id(code))
        if record is None and self._is_user(code):
            # Keyed by identity: hashing a code object hashes its bytecode. The record keeps the
            # code object alive, so that its id stays its own.
            is_compiled = id(code) in self._compiled
            record = self._records[id(code)] = CodeRecord(code, is_compiled=is_compiled)
        return record

    def compiled(self, code: CodeType) -> None:
        """A compiler has made this code, which is yet to run, of a user's function."""
        self._compiled[id(code)] = code

    def records(self) -> list[CodeRecord]:
        """All user code met so far."""
        return list(self._records.values())

    def begin(self, frame: FrameType | None) -> None:
        """Start afresh, with the frames that are already running on this thread opened first."""
        self._threads = _ThreadStack()
        self._opened = 0
        self._synchronize(frame)

    def end(self) -> None:
        """Close what is open on this thread; on the others the profiler's stop closes it."""
        for entries in (self._threads.entries, self._threads.modules):
            while entries:
                self._close(entries.pop())

    def enter_module(self, name: str | None) -> None:
        """A module's call begins; without a name it leaves no row."""
        span = None if name is None else self._open(name)
        self._threads.modules.append([name, span])

    def leave_module(self) -> None:
        """The module's call that began last on this thread ends, if it began in this recording."""
        if self._threads.modules:
            self._close(self._threads.modules.pop())

    def enter(self, record: CodeRecord, frame: FrameType) -> None:
        """A user frame begins."""
        threads = self._threads
        if not threads.synchronized:
            self._synchronize(frame.f_back)
        if record.is_rest and threads.entries:
            # The function goes on in here; the line before the graph break has been left.
            self._close(threads.entries[-1])
        threads.entries.append([record, None, None])

    def resume(self, record: CodeRecord, frame: FrameType) -> None:
        """A suspended user frame runs on, in the middle of the line that suspended it."""
        threads = self._threads
        if not threads.synchronized:
            self._synchronize(frame.f_back)
        offset = frame.f_lasti
        threads.entries.append([record, self._open(self._resumed_name(record, offset)), offset])

    def line(self, record: CodeRecord, frame: FrameType) -> None:
        """A user frame comes to a new line."""
        if self._opened >= self._limit:
            self._limit_reached(frame)
            return
        threads = self._threads
        entries = threads.entries
        if not entries or entries[-1][0] is not record:
            self._recover(record, frame)
            entries = threads.entries
        top = entries[-1]
        self._close(top)
        offset = frame.f_lasti
        if record.is_compiled and frame.f_lineno == record.code.co_firstlineno:
            top[2] = offset
            return
        place: _Place = offset
        if PREVIOUS_MATTERS:
            place = (top[2], offset)
        name = record.names.get(place)
        if name is None:
            name = record.names[place] = self._new_label(Label(record.code, offset, top[2], False))
        top[2] = offset
        top[1] = self._open(name)

    def leave(self, record: CodeRecord) -> None:
        """A user frame returns, suspends itself, or is unwound."""
        entries = self._threads.entries
        if entries and entries[-1][0] is record:
            self._close(entries.pop())
        elif any(entry[0] is record for entry in entries):
            while entries[-1][0] is not record:
                self._close(entries.pop())
            self._close(entries.pop())

    def _recover(self, record: CodeRecord, frame: FrameType) -> None:
        """Make this frame the innermost, where events were missed."""
        while self._threads.entries:
            self._close(self._threads.entries.pop())
        self._synchronize(frame.f_back)
        self._threads.entries.append([record, None, None])

    def _synchronize(self, frame: FrameType | None) -> None:
        """Open the user frames that are already running, from ``frame`` outwards."""
        running: list[tuple[CodeRecord, int]] = []
        while frame is not None:
            record = self.record(frame.f_code)
            if record is not None:
                running.append((record, frame.f_lasti))
            frame = frame.f_back
        entries = self._threads.entries
        for record, offset in reversed(running):
            entries.append([record, self._open(self._resumed_name(record, offset)), offset])
        self._threads.synchronized = True

    def _open(self, name: str) -> Any:
        self._opened += 1
        span = self.open_range(name)
        span.__enter__()
        return span

    @staticmethod
    def _close(entry: list[Any]) -> None:
        span = entry[1]
        if span is not None:
            entry[1] = None
            try:
                span.__exit__(None, None, None)
            except RuntimeError:
                # Opened while no profiler ran (the recording was just ending) and closed while one
                # does: torch refuses, and there is nothing to record.
                return

    def _resumed_name(self, record: CodeRecord, offset: int) -> str:
        name = record.resumed_names.get(offset)
        if name is None:
            label = Label(record.code, offset, None, True)
            name = record.resumed_names[offset] = self._new_label(label)
        return name

    def _new_label(self, label: Label) -> str:
        # No lock: a signal handler of the script may come here in the middle.
        number = next(self._numbers)
        self.labels[number] = label
        return f"{LABEL_PREFIX}{number}"
