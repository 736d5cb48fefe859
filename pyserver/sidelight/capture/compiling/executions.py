"""The rows that the executions of compiled graphs are in a recording."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable

from ..device.clock import DeviceClock
from ..device.kernel_calls import GraphCall
from ..device.private import is_recorded
from ..device.rows import close, row
from . import private

Compiled = Callable[[Any], Any]
"""A compiled graph: takes a list of inputs, which it may empty, and gives the outputs."""


def in_rows(compiled: Compiled, names: Sequence[str]) -> Compiled:
    """A compiled graph whose executions are rows within one another, outermost first."""

    @functools.wraps(compiled)
    def run(inputs: Any) -> Any:
        rows = [row(name) for name in names]
        for opened in rows:
            opened.__enter__()
        try:
            return compiled(inputs)
        finally:
            for opened in reversed(rows):
                close(opened)

    # torch asks for it by this name: whether the inputs come as one list.
    setattr(run, "_boxed_call", True)  # noqa: B010
    return run


def timed(compiled: Compiled, clock: DeviceClock, graph: GraphCall) -> Compiled:
    """A compiled graph whose executions the device's clock is told of."""

    @functools.wraps(compiled)
    def run(inputs: Any) -> Any:
        with clock.running(graph):
            return compiled(inputs)

    setattr(run, "_boxed_call", True)  # noqa: B010
    return run


def unrecorded(compiled: Compiled) -> Compiled:
    """A compiled graph whose operators leave no rows, which would only be left out again."""

    @functools.wraps(compiled)
    def run(inputs: Any) -> Any:
        if not is_recorded():
            return compiled(inputs)
        private.record_on_thread(False)
        try:
            return compiled(inputs)
        finally:
            private.record_on_thread(True)

    setattr(run, "_boxed_call", True)  # noqa: B010
    return run


def boxed(function: Callable[..., Any]) -> Compiled:
    """A function of several inputs as one of a list of them, which it empties."""

    @functools.wraps(function)
    def run(inputs: Any) -> Any:
        arguments = list(inputs)
        inputs.clear()
        return function(*arguments)

    setattr(run, "_boxed_call", True)  # noqa: B010
    return run
