"""The process of a profiled script: how it is started, signalled and how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from sidelight.profile.errors import CaptureError
from sidelight.profile.manifest import StoppedBy

_FORWARDED = (signal.SIGINT, signal.SIGTERM)

_INTERRUPT_DELAY_S = 0.5
"""A Ctrl-C mostly goes to the whole process group, and so to the script as well. Only where the
script still runs after this long was it meant for this process alone, and is handed on."""

_TIME_TO_END_S = 2.0

_POLL_S = 0.05


@dataclass(frozen=True)
class Ended:
    """How the script's process ended.

    Attributes:
        status: As ``subprocess`` has it: negative for a signal.
        stopped_by: What cut it short from outside.
    """

    status: int
    stopped_by: StoppedBy | None

    @property
    def exit_status(self) -> int | None:
        """The script's exit status; None if a signal ended it."""
        return self.status if self.status >= 0 else None

    def described(self) -> str:
        """As part of a sentence: "ended with status 3"."""
        if self.status >= 0:
            return f"ended with status {self.status}"
        return f"was ended by {signal.Signals(-self.status).name}"


class ScriptProcess:
    """A running script. Ctrl-C and SIGTERM for this process are meant for the script.

    Args:
        python: The interpreter.
        arguments: What it is given.
        environment: The script's environment.
        output: File descriptor for its standard output; None for this process's.
    """

    def __init__(
        self,
        python: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        output: int | None,
    ) -> None:
        self._python = python
        self._arguments = arguments
        self._environment = environment
        self._output = output
        self._process: subprocess.Popen[bytes] | None = None
        self._signals: list[int] = []
        self._interrupt_due_s: float | None = None
        self._kill_due_s: float | None = None

    @contextmanager
    def run(self) -> Generator[None]:
        """Start it; if the block is left by an exception, end it.

        Raises:
            CaptureError: The interpreter cannot be started.
        """
        with self._signals_forwarded():
            try:
                self._process = subprocess.Popen(
                    [str(self._python), *self._arguments],
                    env=self._environment,
                    stdout=self._output,
                )
            except OSError as error:
                raise CaptureError(
                    "no_interpreter",
                    f"{self._python} cannot be started ({error.strerror}). "
                    "Name a Python interpreter with `--python PATH`.",
                ) from None
            try:
                yield
            except BaseException:
                self._process.terminate()
                raise

    def running(self) -> bool:
        """Whether it has not ended yet. Ask often: signals are handed on meanwhile."""
        assert self._process is not None
        if self._process.poll() is not None:
            return False
        if self._interrupt_due_s is not None and time.monotonic() >= self._interrupt_due_s:
            self._interrupt_due_s = None
            self._process.send_signal(signal.SIGINT)
        if self._kill_due_s is not None and time.monotonic() >= self._kill_due_s:
            self._process.kill()
        return True

    def end(self) -> None:
        """Ask it to end, and make it end where it has not after two seconds: see :meth:`running`.

        Where this process leads a group, which was made for the run then, all that the script
        started in it is asked, too.
        """
        assert self._process is not None
        if self._kill_due_s is not None:
            return
        self._kill_due_s = time.monotonic() + _TIME_TO_END_S
        self._signals.append(signal.SIGTERM)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpgrp(), signal.SIGTERM)
        else:
            self._process.terminate()

    def wait(self) -> Ended:
        """Wait for its end."""
        assert self._process is not None
        while self.running():
            time.sleep(_POLL_S)
        status = self._process.wait()
        stopped_by: StoppedBy | None = None
        if status == -signal.SIGINT or (signal.SIGINT in self._signals and status != 0):
            stopped_by = "interrupt"
        elif status == -signal.SIGTERM or signal.SIGTERM in self._signals:
            stopped_by = "terminate"
        elif status < 0:
            stopped_by = "killed"
        return Ended(status, stopped_by)

    @contextmanager
    def _signals_forwarded(self) -> Generator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def forward(number: int, frame: FrameType | None) -> None:
            self._signals.append(number)
            if number == signal.SIGINT:
                self._interrupt_due_s = time.monotonic() + _INTERRUPT_DELAY_S
            elif self._process is not None and self._kill_due_s is None:
                self._process.send_signal(number)

        # What is ignored (in the background, under nohup) the script must find ignored, too.
        previous = {
            number: signal.signal(number, forward)
            for number in _FORWARDED
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def stderr_descriptor() -> int:
    """Where a script's output goes when standard output must stay free of it."""
    return sys.stderr.fileno()
