"""The agent: waits for torch, records, and leaves the recording for the process that started it.

It starts before the script and is called back by what it watches: the import of torch, landmarks in
torch, the script's own profiler sessions, and the end of the process. Whatever fails in here is
written down for the parent; the script runs on unharmed.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Callable

from . import record
from .backward_threads import wait_for_backward_threads
from .compiling.recording import CompileRecording
from .device import arrival
from .frames import current_frame
from .handing_on import handed_on, is_this_interpreter
from .landmarks import Watched, find_landmarks
from .line_spans import LineSpans
from .notes import Notes, no_warmup
from .process_hooks import ProcessHooks, starts_anew
from .recorder import Recorder, check_trace
from .runtime_files import script_files
from .script_sessions import ScriptSessions, mentions_session
from .step_hooks import StepHooks
from .steps import StepBoundaries
from .targets import MAY_BE_STOOD_IN, Target, choose_target, refuse
from .torch_import import OLDEST_TORCH, installed_torch, is_too_old, when_imported
from .user_code import UserCode

MAX_LINE_SPANS = 1_000_000
"""Line spans that one trace holds at most: with the operators in them, about 1 GB of the profiler's
memory. Then a recording with steps in it ends, and one without goes on in another trace."""

MAX_EARLY_TRACES = 3
"""Traces kept from before the first step of a script, or of one that turns out to have none."""


def start(request: dict[str, Any]) -> None:
    """Begin to watch this process.

    Args:
        request: ``directory`` (the run directory), ``target``, ``warmup``, ``steps``, ``until``,
            ``script`` (None for a module), ``command``, ``working_directory`` and
            ``started_unix_ns``.
    """
    directory = Path(request["directory"])
    version = installed_torch()
    record.write_json(
        directory / record.STARTED_NAME, {"executable": sys.executable, "torch": version}
    )
    if version is not None and is_too_old(version):
        oldest = ".".join(map(str, OLDEST_TORCH))
        message = f"{sys.executable} has torch {version}; profiling needs {oldest} or newer"
        refuse(directory, "torch_too_old", message)
    if request["target"] in MAY_BE_STOOD_IN:
        arrival.announce()
    agent = Agent(request)
    agent.hooks.install()
    if "torch" in sys.modules:
        agent.torch_imported(sys.modules["torch"])
    else:
        when_imported("torch", agent.torch_imported)


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
        self._notes = Notes()
        self._spans = LineSpans(self._is_user, MAX_LINE_SPANS, self._too_many_lines)
        self.hooks = ProcessHooks(self.finish, self._forked, self._replaced)
        self._torch: Any = None
        self._recorder: Recorder | None = None
        self._script_sessions: ScriptSessions | None = None
        self._profiles_itself = False
        self._early_traces: list[str] = []
        self._traces: list[str] = []
        self._runtime_files = {record.RUNTIME_FILES_NAME}
        self._announced = False
        self._errors_told = 0
        self._target = Target("cpu", "cpu")
        self._compiling = CompileRecording(
            self._notes,
            self._user_code,
            self._sources.see_file,
            self._spans.compiled,
            self._write_fault,
        )
        self._steps_complete = False
        self._stop_script = False
        self._lock = threading.RLock()

    # What the agent watches calls back below. Each of these is a boundary where faults stop.

    def torch_imported(self, torch: Any) -> None:
        """The script's import of torch is done: record from here."""
        with self._harmless():
            self._torch = torch
            self._spans.open_range = torch._C._profiler._RecordFunctionFast
            self._script_sessions = ScriptSessions(torch, self)
            self._script_sessions.watch()
            self._recorder = Recorder(
                torch, self._directory, self._spans, self._script_sessions, self._notes
            )
            self._target = choose_target(torch, self._request, self._notes, self._user_code)
            clock = self._target.stand_in.clock if self._target.stand_in is not None else None
            if clock is not None:
                self._script_sessions.predict(clock.about)
            if self._target.name in ("virtual", "neuron"):
                self._compiling.install(clock)
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
        """An outermost module is called: by the script, or by what torch compiles for it."""
        if self.is_of_program():
            self._pass_boundary(self._steps.module_called, module)

    def is_of_program(self) -> bool:
        """Whether modules that are called now are the program's, not what something makes of it."""
        stand_in = self._target.stand_in
        is_graph = stand_in is not None and stand_in.clock.is_in_whole()
        return not is_graph and not self._compiling.is_compiling()

    def session_prepares(self) -> None:
        """The script profiles itself: its recordings are the profile, and ours gives way."""
        with self._harmless():
            if self._recorder is not None:
                self._recorder.end()

    def session_started(self) -> None:
        """The script's profiler records: line spans run with it."""
        with self._harmless():
            if self._target.stand_in is not None:
                self._target.stand_in.clock.leaves_rows = True
            if self._recorder is not None:
                self._recorder.trace_lines(self._landmarks(), current_frame(1))

    def session_stops(self) -> None:
        """The script's profiler is about to stop."""
        with self._harmless():
            if self._target.stand_in is not None:
                self._target.stand_in.clock.leaves_rows = False
            if self._recorder is not None:
                self._recorder.end_lines()

    def session_recorded(self, export: Callable[[Path], None], config: Any) -> Path | None:
        """Take the recording of one of the script's sessions."""
        with self._harmless():
            if not self._profiles_itself:
                self._profiles_itself = True
                self._traces = []
                self._runtime_files.clear()
            self._announced = False
            path = self._directory / f"session-{len(self._traces)}.json"
            export(path)
            check_trace(path)
            self._traces.append(path.name)
            if self._target.name == "neuron":
                self._runtime_files.update(filter(None, [script_files(config)]))
            return path
        return None

    def finish(self) -> None:
        """The process ends: save what there is."""
        with self._harmless(), self.hooks.deferring_signals(at_exit=True):
            if self._target.stand_in is not None:
                self._target.stand_in.end()
            if self._script_sessions is not None:
                self._script_sessions.end_open()
            self._save()
            told = self._announced and self._notes.errors == self._errors_told
            if self._traces and not told:
                self._announce()
        wait_for_backward_threads()

    def _child_started(self, process: Any) -> None:
        with self._harmless():
            self._notes.add("children_unseen")
            if self._target.stand_in is not None and starts_anew(process):
                self._notes.add("children_without_device")

    def _forked(self) -> None:
        """In a forked child: record nothing, and leave the parent's recording alone."""
        self._lock = threading.RLock()
        self._traces = []
        if self._target.stand_in is not None:
            self._target.stand_in.forked()
        if self._recorder is not None:
            self._recorder.forget()
        if self._script_sessions is not None:
            self._script_sessions.unwatch()

    def _replaced(self, program: str, environment: dict[str, str]) -> dict[str, str] | None:
        """Another program takes the process over: an interpreter like this one may record there."""
        with self._harmless():
            if self._torch is not None:
                self._notes.add("process_replaced")
            elif is_this_interpreter(program):
                return handed_on(self._request, environment)
            else:
                message = (
                    f"The script gave its process to {program} (os.exec) before it had imported "
                    "torch, and what that runs is not profiled; profile it by itself, with its "
                    "interpreter as --python PATH"
                )
                record.write_failure(self._directory, "process_replaced", message)
        return None

    def _too_many_lines(self, frame: FrameType) -> None:
        """The trace is full: end the recording if it holds steps, else go on in another."""
        with self._harmless():
            recorder = self._recorder
            if recorder is None:
                return
            if not recorder.recording:
                recorder.end_lines()
                self._notes.add("lines_cut_short", limit=MAX_LINE_SPANS)
            elif self._steps.seen_any:
                self._notes.add("recording_full", limit=MAX_LINE_SPANS)
                self._complete()
            else:
                self._go_on_in_another_trace(recorder, frame)

    def _pass_boundary(self, mark: Callable[[int, int], int], subject: Any) -> None:
        """Set a mark in the trace, and end the recording if it holds enough."""
        with self._harmless():
            if self._target.stand_in is not None:
                self._target.stand_in.holdings.boundary(subject)
            if self._recorder is not None and self._recorder.recording:
                self._recorder.mark(mark(id(subject), threading.get_ident()))
                if self._steps.enough():
                    self._complete()
        if self._stop_script:
            self._end_script()

    # The recording.

    def _begin(self, frame: FrameType | None) -> None:
        if self._recorder is not None:
            hooks = StepHooks(self)
            self._recorder.begin(self._target.name, self._landmarks(), hooks, frame)
            (self._directory / record.RECORDING_NAME).touch()

    def _landmarks(self) -> Watched:
        return find_landmarks(self._torch, self, self._spans, self._child_started)

    def _go_on_in_another_trace(self, recorder: Recorder, frame: FrameType) -> None:
        """Set the full trace aside. It counts if the run turns out to be one step as a whole."""
        name = None
        if len(self._early_traces) < MAX_EARLY_TRACES:
            name = f"early-{len(self._early_traces)}.json"
        else:
            self._notes.add("recording_gap")
        with self.hooks.deferring_signals():
            recorder.go_on(self._target.name, name, frame)
        if name is not None:
            self._early_traces.append(name)

    def _save(self) -> None:
        """End the recording, if one runs, and export it."""
        if self._recorder is not None:
            with self.hooks.deferring_signals():
                if self._recorder.end_into("trace-0.json"):
                    whole_run = self._steps.recorded().source == "run"
                    self._traces = [*(self._early_traces if whole_run else ()), "trace-0.json"]
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
        steps = self._steps.recorded()
        stand_in = {} if self._target.stand_in is None else self._target.stand_in.as_json()
        if self._profiles_itself:
            stepping: dict[str, Any] = {"steps": None, "steps_from": "profiler", "warmup": 0}
            if self._request["until"] == "captured":
                self._notes.add("until_captured_ignored")
        else:
            if steps.warmup_missing:
                message = no_warmup(len(steps.steps), steps.warmup)
                self._notes.say("no_warmup", "info", message)
            stepping = {
                "steps": steps.steps,
                "steps_from": steps.source,
                "step_before": steps.before,
                "warmup": steps.warmup,
            }
        lines = record.LineTable(self._sources, self._user_code.path_of)
        lines.add_labels(self._spans.labels)
        content = {
            "schema": record.SCHEMA_VERSION,
            "traces": self._traces,
            "runtime_files": sorted(self._runtime_files),
            "target": self._target.name,
            "device": self._target.device,
            "complete": self._steps_complete,
            "quality": self._notes.as_json(),
            "command": self._request["command"],
            "working_directory": self._request["working_directory"],
            "started_unix_ns": self._request["started_unix_ns"],
            **stand_in,
            **stepping,
            **self._compiling.as_json(lambda place: lines.frame(*place)),
            **lines.as_json(),
            **record.about_this_process(self._torch),
        }
        record.write_json(self._directory / record.RECORD_NAME, content)
        self._announced = True
        self._errors_told = self._notes.errors

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

    @contextmanager
    def _harmless(self) -> Generator[None]:
        """One thread at a time; and a fault in here is written down, not raised into the script.

        What a signal handler of the script raises meanwhile is the script's, and goes to it.
        """
        with self._lock:
            try:
                yield
            except Exception as error:
                if self._raised_by_script(error):
                    raise
                self._write_fault()

    def _write_fault(self) -> None:
        record.write_fault(self._directory)

    def _raised_by_script(self, error: BaseException) -> bool:
        innermost = error.__traceback__
        while innermost is not None and innermost.tb_next is not None:
            innermost = innermost.tb_next
        return innermost is not None and self._user_code(innermost.tb_frame.f_code)
