"""The rows that a stand-in leaves in a recording, beside the program's own."""

from __future__ import annotations

from typing import Any

import torch

from ..row_names import (
    COMPILED_REGION as COMPILED_REGION,
    KERNEL_PREFIX as KERNEL_PREFIX,
    LISTS_PREFIX as LISTS_PREFIX,
    ON_HOST as ON_HOST,
    STAND_IN as STAND_IN,
    STOPPED as STOPPED,
    STREAM_PREFIX as STREAM_PREFIX,
    SYNCHRONIZE as SYNCHRONIZE,
)

_torch: Any = torch

row: Any = _torch._C._profiler._RecordFunctionFast
"""Makes a row of the profiler's, of a given name, to be entered and exited."""


def close(opened: Any) -> None:
    """Exit a row, or drop it where the recording has begun or ended in between."""
    try:
        opened.__exit__(None, None, None)
    except RuntimeError:
        return  # torch wants no half of a row


def mark(name: str) -> None:
    """Leave a row with nothing in it."""
    marking = row(name)
    marking.__enter__()
    close(marking)
