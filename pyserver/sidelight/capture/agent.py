"""The agent: waits for torch, records, and leaves the recording for the process that started it.

It starts before the script and is called back by what it watches: the import of torch, landmarks in
torch, the script's own profiler sessions, and the end of the process. Whatever fails in here is
written down for the parent; the script runs on unharmed.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import traceback
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Callable, Union

from . import record
from .frames import current_frame
from .landmarks import Watched, find_landmarks
from .line_spans import MARK_PREFIX, LineSpans
from .neuron_session import NeuronSession, device_count
from .process_hooks import ProcessHooks
from .script_sessions import ScriptSessions, mentions_session
from .steps import StepBoundaries
from .torch_import import OLDEST_TORCH, installed_torch, is_too_old, when_imported
from .torch_session import TorchSession
from .tracer import TracerConflictError, new_tracer
from .user_code import UserCode

MAX_LINE_SPANS = 1_000_000
"""Line spans that one recording holds at most, about 1 GB of the profiler's memory with the
operators in them. Beyond, a recording with steps in it ends, and one without begins anew."""

_Session = Union[TorchSession, NeuronSession]


def start(request: dict[str, Any]) -> None:
    """Begin to watch this process.

    Args:
        request: ``directory`` (the run directory), ``target``, ``warmup``, ``steps``, ``until``,
            ``script`` (None for a module), ``command``, ``working_directory`` and
            ``started_unix_ns``.
    """
    directory = Path(request["directory"])
    (directory / record.STARTED_NAME).write_text(str(os.getpid()))
    version = installed_torch()
    if version is None:
        _refuse(directory, "no_torch", f"{sys.executable} has no torch")
    elif is_too_old(version):
        oldest = ".".join(map(str, OLDEST_TORCH))
        message = f"{sys.executable} has torch {version}; profiling needs {oldest} or newer"
        _refuse(directory, "torch_too_old", message)
    agent = Agent(request)
    agent.hooks.install()
    when_imported("torch", agent.torch_imported)


def _refuse(directory: Path, code: str, message: str) -> None:
    """Say why there is no point in running the script, and end the process."""
    record.write_json(directory / record.FAILURE_NAME, {"code": code, "message": message})
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(1)


class Agent:
    """One profiled process.

    Args:
        request: See :func:`start`.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        self._request = request
        self._directory = Path(request["directory"])
        self._user_code = UserCode(request["script"])
        self._sources = record.Sources(self._directory / "sources", self._user_code.path_of)
        self._steps = StepBoundaries(request["warmup"], request["steps"])
        self.hooks = ProcessHooks(self.finish, self._forked)
        self._torch: Any = None
        self._spans: Any = None
        self._tracer: Any = None
        self._session: _Session | None = None
        self._script_sessions: Any = None
        self._profiles_itself = False
        self._traces: list[str] = []
        self._announced = False
        self._quality: dict[str, dict[str, Any]] = {}
        self._target = "cpu"
        self._steps_complete = False
        self._stop_script = False
        self._lock = threading.RLock()

    # What the agent watches calls back below. Each of these is a boundary where faults stop.

    def torch_imported(self, torch: Any) -> None:
        """The script's import of torch is done: record from here."""
        with self._harmless():
            self._torch = torch
            make_range = torch._C._profiler._RecordFunctionFast
            self._spans = LineSpans(self._is_user, make_range, MAX_LINE_SPANS, self._too_many_lines)
            self._script_sessions = ScriptSessions(torch, self)
            self._script_sessions.watch()
            self._choose_target()
            self.hooks.watch_sigterm()
            self._begin(current_frame(1))

    def optimizer_built(self, optimizer: Any) -> None:
        """An optimizer is being constructed."""
        with self._harmless():
            self._steps.optimizer_built(id(optimizer))

    def optimizer_stepped(self, optimizer: Any) -> None:
        """An optimizer's ``step()`` returned, or GradScaler skipped it."""
        self._pass_boundary(self._steps.optimizer_stepped, optimizer)

    def module_called(self, module: Any) -> None:
        """An outermost module is called."""
        self._pass_boundary(self._steps.module_called, module)

    def session_prepares(self) -> None:
        """The script profiles itself: its recordings are the profile, and ours gives way."""
        with self._harmless():
            self._stop()

    def session_started(self) -> None:
        """The script's profiler records: line spans run with it."""
        with self._harmless():
            self._trace_lines({}, current_frame(1))

    def session_stops(self) -> None:
        """The script's profiler is about to stop."""
        with self._harmless():
            self._end_lines()

    def session_recorded(self, export: Callable[[Path], None]) -> Path | None:
        """Take the recording of one of the script's sessions."""
        with self._harmless():
            if not self._profiles_itself:
                self._profiles_itself = True
                self._traces = []
                self._quality.pop("no_warmup", None)
            self._announced = False
            path = self._directory / f"session-{len(self._traces)}.json"
            export(path)
            self._traces.append(path.name)
            return path
        return None

    def finish(self, reason: str) -> None:
        """The process ends: save what there is."""
        with self._harmless():
            self._save()
            if self._traces and not self._announced:
                self._announce()

    def _child_started(self) -> None:
        self._note(
            "children_unseen",
            "info",
            "The script started processes of its own (multiprocessing, DataLoader workers); they "
            "ran unprofiled, and their work is not in the profile.",
        )

    def _forked(self) -> None:
        """In a forked child: record nothing, and leave the parent's recording alone."""
        self._session = None
        self._traces = []
        tracer, self._tracer = self._tracer, None
        if tracer is not None:
            tracer.stop()

    def _too_many_lines(self, frame: FrameType) -> None:
        """The recording is full: end it if it holds work, else begin anew."""
        with self._harmless():
            if self._session is None:
                # The script's own session: it goes on, without lines from here.
                self._end_lines()
                self._note("lines_cut_short", "warning", _LINES_CUT_SHORT)
            elif self._steps.seen_any:
                self._note("recording_full", "warning", _RECORDING_FULL)
                self._complete()
            else:
                self._note("recording_restarted", "info", _RECORDING_RESTARTED)
                self._stop()
                self._begin(frame)

    def _pass_boundary(self, mark: Callable[[int, int], int], subject: Any) -> None:
        """Set a mark in the trace, and end the recording if it holds enough."""
        with self._harmless():
            if self._session is not None:
                number = mark(id(subject), threading.get_ident())
                range_ = self._torch._C._profiler._RecordFunctionFast(f"{MARK_PREFIX}{number}")
                range_.__enter__()
                range_.__exit__(None, None, None)
                if self._steps.enough():
                    self._complete()
        if self._stop_script:
            self._end_script()

    # The recording itself.

    def _choose_target(self) -> None:
        wanted = self._request["target"]
        if wanted == "cpu":
            return
        devices = device_count(self._torch)
        if devices:
            self._target = "neuron"
        elif wanted == "neuron":
            _refuse(
                self._directory,
                "no_neuron_device",
                "torch finds no NeuronCore on this machine; use --target cpu to profile on the CPU",
            )
        if wanted == "auto":
            found = f"{devices} NeuronCores" if devices else "no NeuronCore"
            message = f"Target {self._target} was chosen: torch finds {found} on this machine."
            self._note("target_chosen", "info", message)

    def _begin(self, frame: FrameType | None) -> None:
        """Start to record, with the frames that run already open from ``frame`` outwards."""
        with self._own_session():
            session = self._new_session()
            session.start()
        self._session = session
        (self._directory / record.RECORDING_NAME).touch()
        if not session.all_threads:
            self._note("other_threads_unseen", "warning", _OTHER_THREADS_UNSEEN)
        self._trace_lines(find_landmarks(self._torch, self, self._child_started), frame)

    def _new_session(self) -> _Session:
        if self._target == "neuron":
            try:
                return NeuronSession(self._torch, self._directory / "neuron")
            except Exception as error:
                message = (
                    f"TorchNeuron's profiler cannot be used ({error}); device rows are missing."
                )
                self._note("neuron_profiler_unusable", "warning", message)
        return TorchSession(self._torch)

    def _trace_lines(self, landmarks: Watched, frame: FrameType | None) -> None:
        try:
            tracer = new_tracer(self._spans, landmarks)
            tracer.start(frame)
        except TracerConflictError as conflict:
            self._note("lines_unknown", "warning", str(conflict))
            return
        self._tracer = tracer

    def _end_lines(self) -> None:
        tracer, self._tracer = self._tracer, None
        if tracer is None:
            return
        tracer.stop()
        conflict = tracer.conflict()
        if conflict is not None:
            self._note("lines_unknown", "warning", conflict)

    def _stop(self) -> _Session | None:
        """End the recording, if one runs."""
        session, self._session = self._session, None
        if session is not None:
            self._end_lines()
            with self._own_session():
                session.stop()
        return session

    def _save(self) -> None:
        """End the recording, if one runs, and export it."""
        with self.hooks.deferring_signals():
            session = self._stop()
            if session is not None:
                path = self._directory / "trace-0.json"
                with self._own_session():
                    session.export(path)
                self._traces = [path.name]
        self.hooks.unwatch_sigterm()

    def _complete(self) -> None:
        """The recording holds what was wanted, and the script runs on."""
        self._steps_complete = True
        self._save()
        if not self._may_profile_itself():
            self._announce()
        self._stop_script = self._request["until"] == "captured"

    def _may_profile_itself(self) -> bool:
        """Whether the script may yet run torch.profiler, whose recordings would be the profile."""
        main = getattr(sys.modules.get("__main__"), "__file__", None)
        try:
            source = Path(main).read_text(encoding="utf-8", errors="replace") if main else ""
        except OSError:
            return False
        return mentions_session(source)

    def _announce(self) -> None:
        """Write down what was recorded; the parent process takes it from there."""
        table = record.LineTable(self._sources, self._user_code.path_of)
        labels = self._spans.labels
        for number in range(len(labels)):
            table.add(labels[number])
        steps = self._steps.recorded()
        if not self._profiles_itself and steps.warmup_missing:
            self._note("no_warmup", "info", _no_warmup(len(steps.steps), steps.warmup))
        content = {
            "schema": record.SCHEMA_VERSION,
            "traces": self._traces,
            "target": self._target,
            "device": self._target,
            "files": table.files,
            "frames": table.frames,
            "labels": table.labels,
            "complete": self._steps_complete,
            "steps": None if self._profiles_itself else steps.steps,
            "step_before": None if self._profiles_itself else steps.before,
            "steps_from": "profiler" if self._profiles_itself else steps.source,
            "warmup": 0 if self._profiles_itself else steps.warmup,
            "quality": list(self._quality.values()),
            "command": self._request["command"],
            "working_directory": self._request["working_directory"],
            "started_unix_ns": self._request["started_unix_ns"],
            **record.about_this_process(self._torch),
        }
        record.write_json(self._directory / record.RECORD_NAME, content)
        self._announced = True

    def _end_script(self) -> None:
        """Leave the script at a step boundary, the way ``sys.exit()`` would."""
        self._stop_script = False
        if threading.current_thread() is not threading.main_thread():
            main = ctypes.c_ulong(threading.main_thread().ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(SystemExit))
        raise SystemExit(0)

    def _is_user(self, code: CodeType) -> bool:
        if not self._user_code(code):
            return False
        self._sources.see(code)
        return True

    def _note(self, code: str, severity: str, message: str) -> None:
        note = self._quality.setdefault(
            code, {"code": code, "severity": severity, "message": message, "count": 0}
        )
        note["count"] += 1

    def _own_session(self) -> AbstractContextManager[None]:
        return self._script_sessions.ignored()

    @contextmanager
    def _harmless(self) -> Generator[None]:
        """One thread at a time; and a fault in here is written down, not raised into the script."""
        with self._lock:
            try:
                yield
            except Exception:
                with suppress(OSError):
                    faults = self._directory / record.FAULTS_NAME
                    with open(faults, "a", encoding="utf-8") as file:
                        file.write(traceback.format_exc())


def _no_warmup(steps: int, warmup: int) -> str:
    dropped = f"only {warmup} left out as warm-up" if warmup else "none left out as warm-up"
    return (
        f"The run has {steps + warmup} steps, too few to leave out the wanted warm-up: {steps} are "
        f"in the profile, {dropped}, so that one-time work may weigh in. Run more steps, or lower "
        "--warmup and --steps."
    )


_OTHER_THREADS_UNSEEN = (
    "This torch records only the thread that imported it; the work of other threads is not in the "
    "profile. A newer torch records all threads."
)
_RECORDING_FULL = (
    f"Recording ended after {MAX_LINE_SPANS:,} executed lines; the profile holds the run up to "
    "there. Profile fewer steps, or a shorter run, to see it whole."
)
_RECORDING_RESTARTED = (
    f"The script ran {MAX_LINE_SPANS:,} lines without calling a module or building an optimizer; "
    "that part is not in the profile."
)
_LINES_CUT_SHORT = (
    f"Lines are known for the first {MAX_LINE_SPANS:,} executed lines of the script's own "
    "profiler session; what ran after that is unattributed."
)
