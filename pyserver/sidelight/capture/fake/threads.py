"""The mode on the threads that a program starts: torch keeps modes by thread."""

from __future__ import annotations

import functools
import threading
from contextlib import nullcontext
from typing import Any, Callable

from .mode import ValuelessMode


def install(mode: ValuelessMode, is_over: Callable[[], bool]) -> None:
    """Have every thread that starts from now on run within the mode.

    Args:
        mode: The mode.
        is_over: Whether no thread is to do so any more.
    """
    thread: Any = threading.Thread
    real = thread._bootstrap

    @functools.wraps(real)
    def bootstrap(self: threading.Thread) -> None:
        with nullcontext() if is_over() else mode:
            real(self)

    thread._bootstrap = bootstrap
