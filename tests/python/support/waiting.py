"""Waiting for what comes in its own time, however slow and busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 240
"""Far above what anything takes: what has not come by then never will."""

_LOOK_INTERVAL_S: Final = 0.01


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true.

    Raises:
        AssertionError: It never became so.
    """
    deadline_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline_s, "it never became true"
        time.sleep(_LOOK_INTERVAL_S)
