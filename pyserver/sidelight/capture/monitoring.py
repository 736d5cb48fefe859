"""Line events from ``sys.monitoring`` (Python 3.12 and later).

A free tool id is taken, so that a debugger, coverage and cProfile keep theirs. Only the start and
resumption of frames are watched everywhere, and switched off for each function that turns out not
to be the user's; lines are watched in user code alone.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any, Callable

from .frames import current_frame, forget_our_frames, running_frames
from .interrupts import Interrupts
from .landmarks import Watched
from .line_spans import CodeRecord, LineSpans
from .tracer import TracerConflictError

_PREFERRED_TOOL_IDS = (3, 4, 5, 2)
"""Ids without a use of their own come first; 0 and 1 are a debugger's and coverage's."""


class MonitoringTracer:
    """Feeds line events to line spans and watches landmarks.

    Args:
        spans: The line spans to feed.
        landmarks: Code objects to watch.
    """

    def __init__(self, spans: LineSpans, landmarks: Watched) -> None:
        self._spans = spans
        self._landmarks = landmarks
        self._tool_id: int | None = None
        self._interrupts = Interrupts()
        # Typed loosely: checkers that assume an older Python do not know sys.monitoring.
        self._monitoring: Any = getattr(sys, "monitoring")  # noqa: B009
        events = self._monitoring.events
        self._everywhere = (
            events.PY_START
            | events.PY_RESUME
            | events.PY_THROW
            | events.PY_UNWIND
            | events.EXCEPTION_HANDLED
        )
        self._in_user_code = events.LINE | events.PY_RETURN | events.PY_YIELD
        self._in_landmarks = events.PY_RETURN
        self._callbacks: dict[int, Callable[..., Any]] = {
            events.PY_START: self._on_start,
            events.PY_RESUME: self._on_resume,
            events.PY_THROW: self._on_throw,
            events.PY_UNWIND: self._on_unwind,
            events.EXCEPTION_HANDLED: self._on_handled,
            events.LINE: self._on_line,
            events.PY_RETURN: self._on_leave,
            events.PY_YIELD: self._on_leave,
        }

    def start(self, frame: FrameType | None) -> None:
        """Begin on every thread; ``frame`` is the innermost running frame of this one.

        Raises:
            TracerConflictError: No tool id is free.
        """
        monitoring = self._monitoring
        tool_id = next((i for i in _PREFERRED_TOOL_IDS if monitoring.get_tool(i) is None), None)
        if tool_id is None:
            raise TracerConflictError(
                "Other tools hold every tool id of sys.monitoring, so that lines are not known. "
                "Run without one of them."
            )
        monitoring.use_tool_id(tool_id, "sidelight")
        self._tool_id = tool_id
        for event, callback in self._callbacks.items():
            monitoring.register_callback(tool_id, event, callback)
        self._spans.begin(frame)
        for running in list(running_frames().values()):
            outer: FrameType | None = running
            while outer is not None:
                self._spans.record(outer.f_code)
                outer = outer.f_back
        for record in self._spans.records():
            monitoring.set_local_events(tool_id, record.code, self._in_user_code)
        for code, _ in self._landmarks.values():
            monitoring.set_local_events(tool_id, code, self._in_landmarks)
        monitoring.set_events(tool_id, self._everywhere)

    def stop(self) -> None:
        """End on every thread, and leave no instrumentation behind."""
        tool_id, self._tool_id = self._tool_id, None
        if tool_id is None:
            return
        monitoring = self._monitoring
        monitoring.set_events(tool_id, 0)
        codes = [record.code for record in self._spans.records()]
        codes += [code for code, _ in self._landmarks.values()]
        for code in codes:
            monitoring.set_local_events(tool_id, code, 0)
        for event in self._callbacks:
            monitoring.register_callback(tool_id, event, None)
        monitoring.free_tool_id(tool_id)
        self._spans.end()

    def conflict(self) -> str | None:
        """What disturbed the line events, if anything did."""
        return None

    def _user_record(self, code: CodeType) -> CodeRecord | None:
        record = self._spans.known_record(code)
        if record is None:
            record = self._spans.record(code)
            if record is not None and self._tool_id is not None:
                self._monitoring.set_local_events(self._tool_id, code, self._in_user_code)
        return record

    # What is raised in here is not ours: the recursion limit, met by a script that is near it (its
    # own next call will say so), and what signal handlers raise, Ctrl-C above all. That goes on to
    # the script, without our frames.

    def _on_start(self, code: CodeType, offset: int) -> Any:
        try:
            record = self._user_record(code)
            if record is not None:
                self._spans.enter(record, current_frame(1))
                return None
            watched = self._landmarks.get(id(code))
            if watched is None:
                return self._monitoring.DISABLE
            watched[1].enter(current_frame(1))
        except RecursionError:
            return None
        except KeyboardInterrupt:
            self._interrupts.hand_on()
        return None

    def _on_resume(self, code: CodeType, offset: int) -> Any:
        try:
            record = self._user_record(code)
            if record is None:
                return self._monitoring.DISABLE
            self._spans.resume(record, current_frame(1))
        except RecursionError:
            return None
        except KeyboardInterrupt:
            self._interrupts.hand_on()
        return None

    def _on_throw(self, code: CodeType, offset: int, exception: BaseException) -> None:
        try:
            record = self._user_record(code)
            if record is not None:
                self._spans.resume(record, current_frame(1))
        except RecursionError:
            return
        except KeyboardInterrupt:
            self._interrupts.hand_on()

    def _on_line(self, code: CodeType, line: int) -> None:
        try:
            record = self._spans.known_record(code)
            if record is not None:
                self._spans.line(record, current_frame(1))
        except RecursionError:
            return
        except KeyboardInterrupt:
            self._interrupts.hand_on()

    def _on_leave(self, code: CodeType, offset: int, value: object) -> None:
        try:
            self._leave(code, returned=True)
        except RecursionError:
            return
        except KeyboardInterrupt:
            self._interrupts.hand_on()

    def _on_unwind(self, code: CodeType, offset: int, exception: BaseException) -> None:
        try:
            forget_our_frames(exception)
            self._leave(code, returned=False)
        except RecursionError:
            return
        except KeyboardInterrupt:
            self._interrupts.hand_on()

    def _on_handled(self, code: CodeType, offset: int, exception: BaseException) -> None:
        forget_our_frames(exception)

    def _leave(self, code: CodeType, returned: bool) -> None:
        record = self._spans.known_record(code)
        if record is not None:
            self._spans.leave(record)
            return
        watched = self._landmarks.get(id(code))
        if watched is not None:
            watched[1].leave(returned)
