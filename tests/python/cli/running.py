"""The command line, run inside the test's process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Run = Callable[..., "Outcome"]


@dataclass(frozen=True)
class Outcome:
    """What one command did."""

    status: int
    stdout: str
    stderr: str
