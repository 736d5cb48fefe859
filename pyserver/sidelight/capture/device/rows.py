"""The rows that a stand-in leaves in a recording, beside the program's own."""

from __future__ import annotations

from typing import Any

import torch

_torch: Any = torch

STAND_IN = "sidelight::stand_in"
"""Name of the row in which an operator is answered: what is called in it is none of the program's.
Newer versions of torch have one of their own around it, but not where autograd keeps a tensor."""

ON_HOST = "sidelight::on_host"
"""Name of the row that marks an answer in which the device takes no part."""

SYNCHRONIZE = "sidelight::synchronize"
"""Name of the row of what waits for the device: a call, or a copy to the host."""

KERNEL_PREFIX = "sidelight::kernel::"
"""Begins the name of the row of a kernel, in an answer; its predicted nanoseconds follow."""

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
