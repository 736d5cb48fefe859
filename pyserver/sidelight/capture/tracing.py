"""Line events from ``sys.settrace`` (Python before 3.12).

A thread has one trace function. Where a debugger or coverage holds it already, theirs is kept and
the conflict is said.
"""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any, Callable

from .frames import forget_our_frames_in, running_frames
from .interrupts import Interrupts
from .landmarks import Landmark, Watched
from .line_spans import LineSpans
from .tracer import TracerConflictError

TraceFunction = Callable[[FrameType, str, Any], Any]


class SettraceTracer:
    """Feeds line events to line spans and watches landmarks.

    Args:
        spans: The line spans to feed.
        landmarks: Code objects to watch.
    """

    def __init__(self, spans: LineSpans, landmarks: Watched) -> None:
        self._spans = spans
        self._landmarks = landmarks
        self._active = False
        self._replaced = False
        self._other_threads = 0
        self._interrupts = Interrupts()

    def start(self, frame: FrameType | None) -> None:
        """Begin on this thread and those yet to start; ``frame`` is the innermost running frame.

        Raises:
            TracerConflictError: The thread has a trace function already.
        """
        if sys.gettrace() is not None:
            raise TracerConflictError(
                "A debugger or coverage holds the trace function, so that lines are not known. Run "
                "without it, or with Python 3.12 or newer, where both work side by side."
            )
        self._active = True
        self._other_threads = len(running_frames()) - 1
        self._spans.begin(frame)
        while frame is not None:
            if self._spans.known_record(frame.f_code) is not None:
                frame.f_trace = self._in_user_code
            frame = frame.f_back
        threading.settrace(self._on_call)
        sys.settrace(self._on_call)

    def stop(self) -> None:
        """End on this thread; the others stop at their next event."""
        if not self._active:
            return
        self._active = False
        if sys.gettrace() == self._on_call:
            sys.settrace(None)
        else:
            self._replaced = True
        if getattr(threading, "_trace_hook", None) == self._on_call:
            # threading.settrace(None), spelled as Python before 3.10's type stubs want it.
            threading.settrace(None)  # type: ignore[arg-type]
        self._spans.end()

    def conflict(self) -> str | None:
        """What disturbed the line events, if anything did."""
        if self._replaced:
            return (
                "Line tracing ended early: a debugger or the script itself took it over, or an "
                "exception (a signal handler's, the recursion limit) ended it. What ran after that "
                "shows on the line where it ended. Python 3.12 and newer keep the lines."
            )
        if self._other_threads:
            return (
                "Threads that ran before torch was imported have no lines; what they do later is "
                "unattributed. Python 3.12 and newer see them."
            )
        return None

    # A script near the recursion limit meets it in here first. Its own next call will say so; our
    # frames have no place in that traceback, and the spans put themselves right later.

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        if not self._active:
            sys.settrace(None)
            return None
        try:
            record = self._spans.record(frame.f_code)
            if record is not None:
                # A frame that was traced before is a generator or coroutine that runs on.
                if frame.f_trace is not None:
                    self._spans.resume(record, frame)
                else:
                    self._spans.enter(record, frame)
                return self._in_user_code
            watched = self._landmarks.get(id(frame.f_code))
            if watched is not None:
                watched[1].enter(frame)
                frame.f_trace_lines = False
                return self._in_landmark(watched[1])
        except RecursionError:
            return None
        except KeyboardInterrupt:
            self._interrupts.hand_on()
            return self._in_user_code
        return None

    def _in_user_code(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        if not self._active:
            return None
        try:
            record = self._spans.known_record(frame.f_code)
            if record is not None:
                if event == "line":
                    self._spans.line(record, frame)
                elif event == "return":
                    self._spans.leave(record)
                elif event == "exception":
                    forget_our_frames_in(argument[2])
        except RecursionError:
            return self._in_user_code
        except KeyboardInterrupt:
            self._interrupts.hand_on()
        return self._in_user_code

    def _in_landmark(self, landmark: Landmark) -> TraceFunction:
        """A trace function for one call of a watched function."""
        unwinding = False

        def trace(frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
            nonlocal unwinding
            if not self._active:
                return None
            if event == "exception":
                unwinding = True
            elif event == "return":
                # The watched functions of torch catch nothing: after an exception, a return of None
                # is that exception passing through.
                landmark.leave(returned=not (unwinding and argument is None))
            return trace

        return trace
