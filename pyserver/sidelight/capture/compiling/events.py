"""What the compiler could not do as asked: graph breaks, compiling again, falling back to Python.

Each is a row where it happens, named ``sidelight::compile_event::N``, and a note with its line.
What ``capture.json`` holds of event N::

    {"id": N, "name": "graph break: call of print", "lines": [3, 7]}

with ``lines`` as for the operators of a graph.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
from typing import Any, Callable, NamedTuple

from ..device.rows import close, mark, row
from ..notes import Notes
from . import private
from .source_lines import Place, users_places

ROW_PREFIX = "sidelight::compile_event::"
"""Begins the name of an event's row; its number follows."""

COMPILING = "sidelight::compiling"
"""Name of the row in which the compiler works; the operators in it compute nothing."""

MAX_EVENTS = 10_000
"""Events that are written down at most; the notes count all of them."""

_EXPLAINS = "Explanation:"
"""Begins the sentence of an error of the compiler's that says what it means."""

_LONGEST = 200
"""Characters of a reason that are shown."""

_BREAK = "graph_break"
_AGAIN = "recompilation"
_FALLBACK = "compile_fallback"

_SENTENCES = {
    _BREAK: "torch.compile cannot go on through this line and makes another graph behind it: {}. "
    "What is between the graphs runs eagerly.",
    _AGAIN: "torch.compile compiled this function again, as a condition no longer holds: {}. "
    "Each time takes long on a chip; keep what it depends on the same.",
    _FALLBACK: "torch.compile gave this function back to Python, which runs it eagerly: {}. "
    "Each of its operators is a kernel by itself.",
}


class _Event(NamedTuple):
    number: int
    name: str
    places: tuple[Place, ...]


class _Work(threading.local):
    """The functions that are being compiled on this thread, one for the sake of another."""

    functions = 0


class CompileEvents:
    """Writes down what happens while the compiler works.

    Args:
        notes: Where people are told.
        is_user: Whether a file is the user's own.
        seen: Told of each file that lines are from.
        shown: A line, by its file and number, as people are told of it.
        failed: Told, within the handler, that something could not be written down.
    """

    def __init__(
        self,
        notes: Notes,
        is_user: Callable[[str], bool],
        seen: Callable[[str], None],
        shown: Callable[[str, int], str],
        failed: Callable[[], None],
    ) -> None:
        self._notes = notes
        self._is_user = is_user
        self._seen = seen
        self._shown = shown
        self._failed = failed
        self._numbers = itertools.count()
        self._events: list[_Event] = []
        self._latest: Any = None
        self._work = _Work()

    def is_compiling(self) -> bool:
        """Whether the compiler works on the current thread."""
        return self._work.functions > 0

    def watch(self) -> None:
        """Be told by torch from now on."""
        walk = private.FunctionWalk
        if walk is not None:
            walk.log_graph_break = self._telling_breaks(walk.log_graph_break)
        outer, inner = private.compilations
        inner.__call__ = self._telling_again(inner.__call__)
        outer.__call__ = self._telling_fallbacks(outer.__call__)

    def as_json(self, number_of: Callable[[Place], int]) -> list[dict[str, Any]]:
        """What ``capture.json`` holds of the events.

        Args:
            number_of: The index of a place in the capture's ``frames``.
        """
        return [
            {
                "id": event.number,
                "name": event.name,
                "lines": [number_of(place) for place in event.places],
            }
            for event in self._events
        ]

    def _telling_breaks(self, real: Callable[..., Any]) -> Callable[..., Any]:
        parameters = inspect.signature(real)

        @functools.wraps(real)
        def log_graph_break(*arguments: Any, **keywords: Any) -> Any:
            error = parameters.bind(*arguments, **keywords).arguments.get("exc")
            is_new = not getattr(error, "logged", False)
            result = real(*arguments, **keywords)
            if is_new:
                self._harmless(self._broke, error)
            return result

        return log_graph_break

    def _telling_again(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def convert(conversion: Any, frame: Any, *arguments: Any, **keywords: Any) -> Any:
            compiling = row(COMPILING)
            compiling.__enter__()
            self._work.functions += 1
            try:
                result = real(conversion, frame, *arguments, **keywords)
                self._harmless(self._compiled, frame.f_code)
                return result
            finally:
                self._work.functions -= 1
                close(compiling)

        return convert

    def _telling_fallbacks(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def convert(conversion: Any, frame: Any, *arguments: Any, **keywords: Any) -> Any:
            failed_before = _failed_frames()
            result = real(conversion, frame, *arguments, **keywords)
            if _failed_frames() > failed_before:
                self._harmless(self._fell_back, frame.f_code)
            return result

        return convert

    def _harmless(self, tell: Callable[..., None], *arguments: Any) -> None:
        try:
            tell(*arguments)
        except Exception:
            self._failed()

    def _broke(self, error: Any) -> None:
        stack = [
            Place(each.filename, each.lineno, each.name)
            for each in getattr(error, "real_stack", None) or ()
        ]
        self._happened(_BREAK, "graph break", str(error), stack)

    def _compiled(self, code: Any) -> None:
        reason = self._news("recompile_reason")
        if reason:
            # In front is which compilation was tried, and behind it the code of the condition.
            _, _, what = reason.partition(": ")
            condition, _, _ = (what or reason).partition("  #")
            self._happened(_AGAIN, "compiled again", condition, [_place_of(code)])

    def _fell_back(self, code: Any) -> None:
        reason = self._news("fail_reason")
        self._happened(_FALLBACK, "runs eagerly", reason or "", [_place_of(code)])

    def _news(self, name: str) -> str | None:
        """What torch knows of the last compilation, where that is not told yet."""
        known = private.last_compilations()
        latest = known[-1] if known else None
        is_new = latest is not self._latest
        self._latest = latest
        return getattr(latest, name, None) if is_new else None

    def _happened(self, code: str, what: str, reason: str, stack: list[Place]) -> None:
        places = users_places(stack, self._is_user)
        if not places:
            return
        reason = _in_short(reason)
        shown = self._shown(places[-1].file, places[-1].line)
        self._notes.say(code, "info", f"{shown}: {_SENTENCES[code].format(reason)}", place=shown)
        if len(self._events) < MAX_EVENTS:
            for place in places:
                self._seen(place.file)
            event = _Event(next(self._numbers), f"{what}: {reason}", places)
            self._events.append(event)
            mark(f"{ROW_PREFIX}{event.number}")


def _place_of(code: Any) -> Place:
    return Place(code.co_filename, code.co_firstlineno, code.co_name)


def _failed_frames() -> int:
    """How many functions the compiler has given up on."""
    frames = private.counters["frames"]
    return frames["total"] - frames["ok"]


def _in_short(reason: str) -> str:
    """The sentence that explains an error of the compiler's, or else its first line."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    explaining = [line[len(_EXPLAINS) :] for line in lines if line.startswith(_EXPLAINS)]
    short = (explaining or lines or ["torch gives no reason"])[0].strip().rstrip(".")
    return short if len(short) <= _LONGEST else f"{short[:_LONGEST]}…"
