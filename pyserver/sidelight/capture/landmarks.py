"""Landmarks: the places in torch and the standard library whose passing the agent must know.

They are code objects, watched by the same means as user code. Nothing is patched and no hook is
registered, so that the script and torch.compile see torch as it is.
"""

from __future__ import annotations

import threading
from types import CodeType, FrameType
from typing import Any, Callable, Protocol

from .line_spans import LineSpans
from .module_names import ModuleNames


class Landmark(Protocol):
    """What to do when a watched function starts and ends."""

    def enter(self, frame: FrameType) -> None:
        """The function starts; its arguments are bound in ``frame``."""
        ...

    def leave(self, returned: bool) -> None:
        """The function returned, or (``returned`` false) an exception passes through it."""
        ...


Watched = dict[int, tuple[CodeType, Landmark]]
"""Code objects to watch, by identity."""


class StepEvents(Protocol):
    """Who is told of steps."""

    def optimizer_built(self, optimizer: Any) -> None:
        """An optimizer is being constructed."""
        ...

    def optimizer_stepped(self, optimizer: Any) -> None:
        """An optimizer's ``step()`` returned, or GradScaler skipped it."""
        ...

    def module_called(self, module: Any) -> None:
        """A module is called that no other module's call encloses."""
        ...

    def is_of_program(self) -> bool:
        """Whether modules that are called now are the program's, not what something makes of it."""
        ...


class _Called:
    """Tells of every start of a function."""

    def __init__(self, tell: Callable[[FrameType], None]) -> None:
        self._tell = tell

    def enter(self, frame: FrameType) -> None:
        self._tell(frame)

    def leave(self, returned: bool) -> None:
        pass


class _ModuleCall:
    """Keeps a range open around each module's call, and tells of those that no other encloses."""

    def __init__(self, steps: StepEvents, spans: LineSpans) -> None:
        self._steps = steps
        self._spans = spans
        self._names = ModuleNames()
        self._running = _Running()

    def enter(self, frame: FrameType) -> None:
        calls = self._running.calls
        call = self._names.call(frame.f_locals.get("self"), calls[-1] if calls else None)
        calls.append(call)
        if len(calls) == 1:
            self._steps.module_called(call.module)
        self._spans.enter_module(call.row_name if self._steps.is_of_program() else None)

    def leave(self, returned: bool) -> None:
        if self._running.calls:
            self._running.calls.pop()
            self._spans.leave_module()


class _OptimizerStep:
    """Tells of ``step()`` calls as they return. One optimizer may step within another's."""

    def __init__(self, tell: Callable[[Any], None]) -> None:
        self._tell = tell
        self._running = _Running()

    def enter(self, frame: FrameType) -> None:
        arguments = frame.f_locals.get("args")
        self._running.calls.append(arguments[0] if arguments else None)

    def leave(self, returned: bool) -> None:
        running = self._running
        optimizer = running.calls.pop() if running.calls else None
        if returned and optimizer is not None:
            running.completed += 1
            self._tell(optimizer)

    @property
    def completed_on_this_thread(self) -> int:
        return self._running.completed


class _ScalerStep:
    """Tells of a step that GradScaler skips: the optimizer's own ``step()`` is then not called."""

    def __init__(self, step: _OptimizerStep, tell: Callable[[Any], None]) -> None:
        self._step = step
        self._tell = tell
        self._running = _Running()

    def enter(self, frame: FrameType) -> None:
        optimizer = frame.f_locals.get("optimizer")
        self._running.calls.append((optimizer, self._step.completed_on_this_thread))

    def leave(self, returned: bool) -> None:
        if not self._running.calls:
            return
        optimizer, completed = self._running.calls.pop()
        if returned and completed == self._step.completed_on_this_thread:
            self._tell(optimizer)


class _Running(threading.local):
    """The watched calls that run on this thread, outermost first."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.completed = 0


def find_landmarks(
    torch: Any, steps: StepEvents, spans: LineSpans, process_started: Callable[[Any], None]
) -> Watched:
    """The code objects to watch.

    Args:
        torch: The imported torch package.
        steps: Who is told of optimizers and modules.
        spans: What keeps the ranges of modules' calls.
        process_started: Called with each ``multiprocessing`` process that is started.
    """
    import multiprocessing.process

    step = _OptimizerStep(steps.optimizer_stepped)
    optimizer = torch.optim.Optimizer
    module_call = getattr(torch.nn.Module, "_wrapped_call_impl", torch.nn.Module._call_impl)
    watched: list[tuple[Any | None, Landmark]] = [
        (optimizer.profile_hook_step(_no_step), step),
        (
            optimizer.__init__,
            _Called(lambda frame: steps.optimizer_built(frame.f_locals.get("self"))),
        ),
        (module_call, _ModuleCall(steps, spans)),
        (_scaler_step(torch), _ScalerStep(step, steps.optimizer_stepped)),
        (
            multiprocessing.process.BaseProcess.start,
            _Called(lambda frame: process_started(frame.f_locals.get("self"))),
        ),
    ]
    found: Watched = {}
    for function, landmark in watched:
        code: CodeType | None = getattr(function, "__code__", None)
        if code is not None:
            found[id(code)] = (code, landmark)
    return found


def _no_step() -> None:
    """Stands for an optimizer's step while torch's wrapper around steps is looked up."""


def _scaler_step(torch: Any) -> Any | None:
    scaler = getattr(getattr(torch, "amp", None), "GradScaler", None)
    return getattr(scaler, "_maybe_opt_step", None)
