"""The ways in which a process ends or splits, so that no recording is lost and no child records.

What the script can see of its signals and exits stays as it is by hand.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Callable


class ProcessHooks:
    """Calls back before the process ends, however it ends short of SIGKILL.

    Args:
        finish: Saves the recording. It may be called more than once.
        forked: Called in a forked child, which must not record.
        replaced: Called before another program takes the process over, with its path and its
            environment; returns another environment for it, or None.
    """

    def __init__(
        self,
        finish: Callable[[], None],
        forked: Callable[[], None],
        replaced: Callable[[str, dict[str, str]], dict[str, str] | None],
    ) -> None:
        self._finish = finish
        self._forked = forked
        self._replaced = replaced
        self._pid = os.getpid()
        self._real_exit = os._exit
        # os.execl and its kin go through these two.
        self._real_execs = {name: getattr(os, name) for name in ("execv", "execve")}
        self._real_signal = signal.signal
        self._real_getsignal = signal.getsignal
        self._handling_sigterm = False

    def install(self) -> None:
        """Watch for the end of this process."""
        # Registered before anything of the script's, so that it runs after all of that.
        atexit.register(self._finish)
        os.register_at_fork(after_in_child=self._in_child)
        os._exit = self._exit_at_once
        for name, real in self._real_execs.items():
            setattr(os, name, self._exec_in_place(real))

    def watch_sigterm(self) -> None:
        """Save the recording when SIGTERM would end the process; only on the main thread.

        The script is shown the default disposition that it would find by hand.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        if self._real_getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return
        self._real_signal(signal.SIGTERM, self._on_sigterm)
        self._handling_sigterm = True

        def shown(handler: Any) -> Any:
            return signal.SIG_DFL if handler == self._on_sigterm else handler

        def set_signal(signalnum: Any, handler: Any) -> Any:
            if self._handling_sigterm and signalnum == signal.SIGTERM:
                if handler == signal.SIG_DFL:
                    return shown(self._real_getsignal(signalnum))
                self._handling_sigterm = False
            return shown(self._real_signal(signalnum, handler))

        def get_signal(signalnum: Any) -> Any:
            return shown(self._real_getsignal(signalnum))

        signal.signal = set_signal
        signal.getsignal = get_signal

    def unwatch_sigterm(self) -> None:
        """Give SIGTERM back, where this thread may and the script has not taken it."""
        if not self._handling_sigterm or threading.current_thread() is not threading.main_thread():
            return
        self._handling_sigterm = False
        if self._real_getsignal(signal.SIGTERM) == self._on_sigterm:
            self._real_signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal = self._real_signal
        signal.getsignal = self._real_getsignal

    @contextmanager
    def deferring_signals(self, *, at_exit: bool = False) -> Generator[None]:
        """Hold back signals that the script handles, or that end the process, until the block ends.

        Python runs handlers on the main thread alone, so that elsewhere there is nothing to do.

        Args:
            at_exit: The process is ending: a Ctrl-C has nothing to interrupt any more.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        arrived: list[int] = []

        def hold(number: int, frame: FrameType | None) -> None:
            arrived.append(number)

        previous = {
            number: self._real_signal(number, hold)
            for number in signal.valid_signals()
            if callable(self._real_getsignal(number)) or self._ends_process(number)
        }
        try:
            yield
        finally:
            for number, handler in previous.items():
                self._real_signal(number, handler)
            for number in arrived:
                if not (at_exit and number == signal.SIGINT):
                    os.kill(os.getpid(), number)

    def _ends_process(self, number: int) -> bool:
        return number == signal.SIGTERM and self._real_getsignal(number) == signal.SIG_DFL

    def _on_sigterm(self, signalnum: int, frame: FrameType | None) -> None:
        self._finish()
        self._real_signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)

    def _exit_at_once(self, status: int) -> Any:
        if os.getpid() == self._pid:
            self._finish()
        self._real_exit(status)

    def _exec_in_place(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """An ``exec`` that saves the recording before another program takes the process over."""

        def execute(path: Any, argv: Any, env: Any = None) -> Any:
            arguments = (path, argv) if env is None else (path, argv, env)
            if os.getpid() == self._pid:
                changed = self._changed_environment(path, os.environ if env is None else env)
                self._finish()
                if changed is not None:
                    return self._real_execs["execve"](path, argv, changed)
            return real(*arguments)

        return execute

    def _changed_environment(self, path: Any, environment: Any) -> dict[str, str] | None:
        """The environment that a program is to have instead of its own; None for its own."""
        try:
            program = os.fsdecode(path)
            names = {os.fsdecode(name): os.fsdecode(environment[name]) for name in environment}
        except (TypeError, LookupError):
            return None  # by a file descriptor, or refused: whatever that gives
        return self._replaced(program, names) if os.access(program, os.X_OK) else None

    def _in_child(self) -> None:
        os._exit = self._real_exit
        for name, real in self._real_execs.items():
            setattr(os, name, real)
        atexit.unregister(self._finish)
        if self._handling_sigterm:
            self._handling_sigterm = False
            signal.signal = self._real_signal
            signal.getsignal = self._real_getsignal
            if self._real_getsignal(signal.SIGTERM) == self._on_sigterm:
                self._real_signal(signal.SIGTERM, signal.SIG_DFL)
        self._forked()
        _skip_native_destructors()


def starts_anew(process: Any) -> bool:
    """Whether a ``multiprocessing`` process is a new interpreter, rather than a fork of this one.

    A process of no particular context starts in the way that was set, or is usual here.
    """
    import multiprocessing

    method = getattr(process, "_start_method", None) or multiprocessing.get_start_method()
    return method != "fork"


def _skip_native_destructors() -> None:
    """Let a forked child end without the destructors of native libraries.

    Once torch's profiler has run, one of Kineto's waits at exit for a thread that only the parent
    has. glibc calls this handler with the exit status, after Python is done with its own part.
    """
    libc = ctypes.CDLL(None)
    if hasattr(libc, "on_exit"):
        libc.on_exit(libc._exit, None)
