"""What ends the script: printed as if the agent were not there, and said where it is not plain."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Callable

import torch

from ..frames import forget_our_frames_in
from ..notes import Notes

_NO_CUDA = (
    *("cuda devices", "with CUDA enabled", "NVIDIA driver", "CUDA driver", "CUDA GPUs"),
    *("hasPrimaryContext", "opt_ready_stream"),  # autograd's, which wants a context or a stream
)
"""Of the words in which torch says that it cannot do anything with ``cuda`` here."""


class Uncaught:
    """Stands before the hook that prints an uncaught exception.

    While lines are traced, the tracer keeps tracebacks clean; this is for the time after.

    Args:
        notes: Where it is said what the exception leaves unsaid.
        raising_line: Tells where in the user's code a traceback ends, as ``file:line``.
    """

    def __init__(self, notes: Notes, raising_line: Callable[[TracebackType | None], str]) -> None:
        self._notes = notes
        self._raising_line = raising_line
        self._previous: Callable[..., Any] = sys.excepthook

    def install(self) -> None:
        """Be told from now on."""
        self._previous = sys.excepthook
        sys.excepthook = self._told

    def remove(self) -> None:
        """Be told no more, unless the script has put another hook in front."""
        if sys.excepthook == self._told:
            sys.excepthook = self._previous

    def _told(
        self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        for one in _chain(error):
            forget_our_frames_in(one.__traceback__)
        if not torch.cuda.is_available() and any(words in str(error) for words in _NO_CUDA):
            self._notes.say(
                "cuda_not_here",
                "error",
                f"{self._raising_line(traceback)} needs CUDA, which this torch cannot stand in for "
                "on this machine. Take the device that is there (torch.accelerator, or "
                "torch.cuda.is_available()), or the device `neuron`.",
            )
        self._previous(kind, error, traceback)


def _chain(error: BaseException) -> list[BaseException]:
    """An exception, and those that it came of."""
    chain: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending:
        one = pending.pop()
        if one is not None and one not in chain:
            chain.append(one)
            pending += [one.__cause__, one.__context__]
    return chain
