"""Recording: a profiler session and the line spans that run with it."""

from __future__ import annotations

from pathlib import Path
from types import FrameType
from typing import Any, Union

from .landmarks import Watched
from .line_spans import MARK_PREFIX, LineSpans
from .neuron_session import NeuronSession
from .notes import Notes
from .record import RUNTIME_FILES_NAME
from .script_sessions import ScriptSessions
from .step_hooks import StepHooks
from .torch_session import TorchSession
from .tracer import Tracer, TracerConflictError, new_tracer

_Session = Union[TorchSession, NeuronSession]


class TraceNotWrittenError(Exception):
    """The profiler left no trace, or only part of one."""


class Recorder:
    """Starts and ends recordings of this process.

    Args:
        torch: The imported torch package.
        directory: Where traces go.
        spans: The line spans.
        script_sessions: Whose watch our own sessions must pass unnoticed.
        notes: What there is to say.
    """

    def __init__(
        self,
        torch: Any,
        directory: Path,
        spans: LineSpans,
        script_sessions: ScriptSessions,
        notes: Notes,
    ) -> None:
        self._torch = torch
        self._directory = directory
        self._spans = spans
        self._script_sessions = script_sessions
        self._notes = notes
        self._session: _Session | None = None
        self._tracer: Tracer | None = None
        self._hooks: StepHooks | None = None

    @property
    def recording(self) -> bool:
        """Whether a recording of ours runs."""
        return self._session is not None

    def begin(
        self, target: str, landmarks: Watched, hooks: StepHooks, frame: FrameType | None
    ) -> None:
        """Start to record, with the frames that run already open from ``frame`` outwards.

        Args:
            target: ``cpu`` or ``neuron``.
            landmarks: What to watch beside user code.
            hooks: What tells of steps where nothing can be watched.
            frame: The innermost frame of this thread that belongs to the script.
        """
        with self._script_sessions.ignored():
            self._session = self._started_session(target)
        if not self._session.all_threads:
            self._notes.add("other_threads_unseen")
        if not self.trace_lines(landmarks, frame):
            hooks.install()
            self._hooks = hooks

    def trace_lines(self, landmarks: Watched, frame: FrameType | None) -> bool:
        """Start the line spans alone; says whether that was possible."""
        try:
            tracer = new_tracer(self._spans, landmarks)
            tracer.start(frame)
        except TracerConflictError as conflict:
            self._notes.say("lines_unknown", "warning", str(conflict))
            return False
        self._tracer = tracer
        return True

    def end_lines(self) -> None:
        """End the line spans."""
        tracer, self._tracer = self._tracer, None
        if tracer is not None:
            tracer.stop()
            conflict = tracer.conflict()
            if conflict is not None:
                self._notes.say("lines_unknown", "warning", conflict)

    def mark(self, number: int) -> None:
        """Set a mark in the trace."""
        mark = self._torch._C._profiler._RecordFunctionFast(f"{MARK_PREFIX}{number}")
        mark.__enter__()
        mark.__exit__(None, None, None)

    def end(self) -> _Session | None:
        """End the recording, if one runs."""
        session, self._session = self._session, None
        if session is not None:
            self.end_lines()
            hooks, self._hooks = self._hooks, None
            if hooks is not None:
                hooks.remove()
            with self._script_sessions.ignored():
                session.stop()
        return session

    def go_on(self, target: str, name: str | None, frame: FrameType | None) -> None:
        """Start another trace, with the line events as they are.

        Args:
            target: As for ``begin``.
            name: Where the trace so far goes; None to drop it.
            frame: The innermost frame of this thread that belongs to the script.
        """
        session, self._session = self._session, None
        if session is None:
            return
        self._spans.end()
        with self._script_sessions.ignored():
            session.stop()
            if name is not None:
                session.export(self._directory / name)
                check_trace(self._directory / name)
            self._session = self._started_session(target)
        self._spans.begin(frame)

    def end_into(self, name: str) -> bool:
        """End the recording and write its trace; says whether there was one.

        Raises:
            TraceNotWrittenError: The trace is missing or cut off: a full disk, or a size limit.
        """
        session = self.end()
        if session is None:
            return False
        path = self._directory / name
        with self._script_sessions.ignored():
            session.export(path)
        check_trace(path)
        return True

    def forget(self) -> None:
        """In a forked child: let go of the parent's recording without touching it."""
        self._session = None
        tracer, self._tracer = self._tracer, None
        if tracer is not None:
            tracer.stop()

    def _started_session(self, target: str) -> _Session:
        if target == "neuron":
            try:
                session = NeuronSession(self._torch, self._directory / RUNTIME_FILES_NAME)
                session.start()
                return session
            except Exception as error:
                self._notes.say(
                    "neuron_profiler_unusable",
                    "warning",
                    f"TorchNeuron's profiler cannot be used ({error}), so device rows are missing. "
                    "Check that torch-neuronx and the driver are of versions that fit together.",
                )
        fallback = TorchSession(self._torch)
        fallback.start()
        return fallback


def check_trace(path: Path) -> None:
    """Make sure that a trace was written to its end.

    Raises:
        TraceNotWrittenError: It was not.
    """
    try:
        with open(path, "rb") as trace:
            trace.seek(0, 2)
            trace.seek(max(trace.tell() - 16, 0))
            whole = trace.read().rstrip().endswith(b"}")
    except OSError:
        whole = False
    if not whole:
        raise TraceNotWrittenError(path.name)
