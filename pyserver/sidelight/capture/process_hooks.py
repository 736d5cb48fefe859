"""The ways in which a process ends or splits, so that no recording is lost and no child records.

What the script can see of its signals and exits stays as it is by hand.
"""

from __future__ import annotations

import atexit
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
    """

    def __init__(self, finish: Callable[[], None], forked: Callable[[], None]) -> None:
        self._finish = finish
        self._forked = forked
        self._pid = os.getpid()
        self._real_exit = os._exit
        self._real_signal = signal.signal
        self._real_getsignal = signal.getsignal
        self._handling_sigterm = False

    def install(self) -> None:
        """Watch for the end of this process."""
        # Registered before anything of the script's, so that it runs after all of that.
        atexit.register(self._finish)
        os.register_at_fork(after_in_child=self._in_child)
        os._exit = self._exit_at_once

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
    def deferring_signals(self) -> Generator[None]:
        """Hold back Ctrl-C and SIGTERM until the block is done; only on the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        arrived: list[int] = []
        previous = {
            number: self._real_signal(number, lambda number, frame: arrived.append(number))
            for number in (signal.SIGINT, signal.SIGTERM)
            # None stands for a handler not installed from Python: it could not be put back.
            if self._real_getsignal(number) is not None
        }
        try:
            yield
        finally:
            for number, handler in previous.items():
                self._real_signal(number, handler)
            for number in arrived:
                os.kill(os.getpid(), number)

    def _on_sigterm(self, signalnum: int, frame: FrameType | None) -> None:
        self._finish()
        self._real_signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)

    def _exit_at_once(self, status: int) -> Any:
        if os.getpid() == self._pid:
            self._finish()
        self._real_exit(status)

    def _in_child(self) -> None:
        os._exit = self._real_exit
        atexit.unregister(self._finish)
        if self._handling_sigterm:
            self._handling_sigterm = False
            signal.signal = self._real_signal
            signal.getsignal = self._real_getsignal
            if self._real_getsignal(signal.SIGTERM) == self._on_sigterm:
                self._real_signal(signal.SIGTERM, signal.SIG_DFL)
        self._forked()
