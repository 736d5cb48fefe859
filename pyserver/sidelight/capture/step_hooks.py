"""Steps by torch's public hooks, where line events are not to be had.

Before Python 3.12 a debugger or coverage may hold the trace function, and with it the means to
watch torch unseen. Lines are then unknown, but steps need not be.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any

from .landmarks import StepEvents


class StepHooks:
    """Tells of optimizer steps and outermost module calls, but not of what GradScaler skips.

    Args:
        events: Who is told.
    """

    def __init__(self, events: StepEvents) -> None:
        self._events = events
        self._handles: list[Any] = []
        self._calls = threading.local()

    def install(self) -> None:
        """Begin to tell."""
        optimizer = import_module("torch.optim.optimizer")
        module = import_module("torch.nn.modules.module")
        self._handles = [
            optimizer.register_optimizer_step_post_hook(self._stepped),
            module.register_module_forward_pre_hook(self._called),
            module.register_module_forward_hook(self._returned, always_call=True),
        ]

    def remove(self) -> None:
        """Tell no more."""
        for handle in self._handles:
            handle.remove()

    def _stepped(self, optimizer: Any, *_: Any) -> None:
        self._events.optimizer_stepped(optimizer)

    def _called(self, module: Any, *_: Any) -> None:
        depth = getattr(self._calls, "depth", 0)
        self._calls.depth = depth + 1
        if depth == 0:
            self._events.module_called(module)

    def _returned(self, module: Any, *_: Any) -> None:
        self._calls.depth = getattr(self._calls, "depth", 1) - 1
