"""Autograd's own threads at the end of a process.

Work on a device goes backward on a thread of torch's (``pt_autograd_N``), which still takes its
graph apart when ``backward`` has returned already. That needs Python's lock where a node is of
Python. A thread that waits for the lock when the interpreter begins to end is ended inside
destructors, and the process aborts ("terminate called without an active exception",
pytorch/pytorch#38228): a script that has done all its work would end with a failure.
"""

from __future__ import annotations

import time
from pathlib import Path

_TASKS = Path("/proc/self/task")
_NAME_BEGINS = "pt_autograd"
_LONGEST_WAIT_S = 1.0
_BETWEEN_LOOKS_S = 0.001


def wait_for_backward_threads() -> None:
    """Let these threads finish what they are at, without Python's lock, for a second at most.

    One that sleeps twice in a row waits for work: nobody holds the lock from it in between.
    Where the system does not tell (no ``/proc``), there is nothing to go by.
    """
    deadline = time.monotonic() + _LONGEST_WAIT_S
    states, looks_at_rest = _states(), 0
    while states and looks_at_rest < 2 and time.monotonic() < deadline:
        time.sleep(_BETWEEN_LOOKS_S)
        states = _states()
        looks_at_rest = 0 if "R" in states else looks_at_rest + 1


def _states() -> list[str]:
    """The state of each such thread as ``/proc/PID/task/TID/stat`` has it: R runs or could."""
    states: list[str] = []
    for stat in _TASKS.glob("*/stat"):
        try:
            name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue  # ended meanwhile
        if name.startswith(_NAME_BEGINS):
            states.append(rest.split()[0])
    return states
