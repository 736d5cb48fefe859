"""Counts statement entries under a small line tracer; runs on every CPython from 3.9 on.

As a script, ``python counting.py SOURCE_ROOT {monitoring|settrace} PROGRAM...`` prints one JSON
object: for each program, by line, how often `StatementMap` saw a statement entered (``entries``),
how many line events it showed there (``events``), and how often the program itself said that it was
there, by calling ``hit(line)`` (``hits``).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    Place = tuple[CodeType, int, int | None]

MAX_HITS = 2000


class OutOfHitsError(BaseException):
    """Ends a program that runs for long, past its own ``except Exception``."""


class Oracle:
    """What a program calls: to count for itself, and to do something that is not traced."""

    def __init__(self) -> None:
        self.hits: Counter[int] = Counter()
        self._turns: Counter[int] = Counter()

    def names(self) -> dict[str, Any]:
        return {
            "hit": self.hit,
            "again": self.again,
            "fail": self.fail,
            "run": self.run,
            "Manager": Manager,
            "Numbers": Numbers,
        }

    def hit(self, line: int, *_: object) -> bool:
        """Count one entry of the statement at a line."""
        self.hits[line] += 1
        if sum(self.hits.values()) > MAX_HITS:
            raise OutOfHitsError
        return True

    def again(self, key: int, turns: int) -> bool:
        """Be true so many times for a key, then false once, and so on."""
        self._turns[key] = (self._turns[key] + 1) % (turns + 1)
        return self._turns[key] != 0

    def fail(self, key: int, turns: int) -> bool:
        """Raise ValueError every so many times."""
        if not self.again(key, turns):
            raise ValueError(key)
        return True

    def run(self, coroutine: Any) -> None:
        """Drive a coroutine to its end."""
        try:
            while True:
                coroutine.send(None)
        except StopIteration:
            pass


class Numbers:
    """Awaitable, and iterable both ways; suspends the coroutine at each step."""

    def __init__(self, count: int) -> None:
        self._left = iter(range(count))

    def __await__(self) -> Generator[None, None, None]:
        yield
        yield

    def __aiter__(self) -> Numbers:
        return self

    async def __anext__(self) -> int:
        await self
        for number in self._left:
            return number
        raise StopAsyncIteration


class Manager:
    """A context manager of both kinds, which may swallow what was raised."""

    def __init__(self, swallows: bool = False) -> None:
        self._swallows = swallows

    def __enter__(self) -> Manager:
        return self

    def __exit__(self, *raised: object) -> bool:
        return self._swallows and isinstance(raised[1], Exception)

    async def __aenter__(self) -> Manager:
        await Numbers(0)
        return self

    async def __aexit__(self, *raised: object) -> bool:
        await Numbers(0)
        return self.__exit__(*raised)


class PlaceCounter:
    """Counts line events by place, with where the frame was before each."""

    def __init__(self) -> None:
        self.places: Counter[Place] = Counter()
        self._previous: dict[int, int] = {}

    def starts_or_resumes(self, frame: FrameType) -> None:
        # Before its first instruction f_lasti is negative; after a yield, it is that of the yield.
        self._previous[id(frame)] = frame.f_lasti

    def comes_to_line(self, frame: FrameType) -> None:
        previous = self._previous.get(id(frame), -1)
        place = (frame.f_code, frame.f_lasti, None if previous < 0 else previous)
        self.places[place] += 1
        self._previous[id(frame)] = frame.f_lasti


@contextmanager
def settrace_events(program: CodeType, counter: PlaceCounter) -> Generator[None]:
    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != program.co_filename:
            return None
        if event == "call":
            counter.starts_or_resumes(frame)
        elif event == "line":
            counter.comes_to_line(frame)
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)


@contextmanager
def monitoring_events(program: CodeType, counter: PlaceCounter) -> Generator[None]:
    monitoring: Any = getattr(sys, "monitoring")  # noqa: B009
    events = monitoring.events
    tool = 3

    def at_line(_code: CodeType, _line: int) -> None:
        counter.comes_to_line(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]

    def at_start(_code: CodeType, _offset: int) -> None:
        counter.starts_or_resumes(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]

    monitoring.use_tool_id(tool, "statement entries")
    monitoring.register_callback(tool, events.LINE, at_line)
    monitoring.register_callback(tool, events.PY_START, at_start)
    monitoring.register_callback(tool, events.PY_RESUME, at_start)
    for code in nested_code(program):
        monitoring.set_local_events(tool, code, events.LINE | events.PY_START | events.PY_RESUME)
    try:
        yield
    finally:
        for code in nested_code(program):
            monitoring.set_local_events(tool, code, 0)
        monitoring.free_tool_id(tool)


def nested_code(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_code(constant)


def count(path: Path, mode: str) -> dict[str, dict[int, int]]:
    """Run a program and count what happens at each of its lines."""
    from sidelight.capture.statements import StatementMap

    source = path.read_bytes()
    program = compile(source, str(path), "exec", dont_inherit=True)
    oracle, counter = Oracle(), PlaceCounter()
    record = monitoring_events if mode == "monitoring" else settrace_events
    # Programs may end with an exception, as real ones do.
    with record(program, counter), suppress(OutOfHitsError, ValueError):
        exec(program, {"__name__": "__main__", **oracle.names()})

    statements = StatementMap(source)
    entries: Counter[int] = Counter()
    events: Counter[int] = Counter()
    for (code, offset, previous), times in counter.places.items():
        line, is_entry = statements.resolve(code, offset, previous)
        events[line] += times
        entries[line] += times * is_entry
    return {"entries": +entries, "events": events, "hits": oracle.hits}


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    print(json.dumps({path: count(Path(path), sys.argv[2]) for path in sys.argv[3:]}))
