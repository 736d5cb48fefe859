"""The processes that read and answer for the one that is tested."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import psutil

from support.waiting import until


def worker_processes(of: psutil.Process) -> list[psutil.Process]:
    """The workers that a process, or one that it started, has running.

    Args:
        of: Whose workers. That it has ended is no error: then it has none.
    """
    workers: list[psutil.Process] = []
    with suppress(psutil.Error):
        for child in of.children(recursive=True):
            with suppress(psutil.Error):  # it has ended meanwhile
                if any("spawn_main" in word for word in child.cmdline()):
                    workers.append(child)
    return workers


def has_ended(process: psutil.Process) -> bool:
    """Whether a process runs no more, waited for by its parent or not."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for_end(processes: Sequence[psutil.Process]) -> None:
    """Wait until processes have ended.

    Raises:
        AssertionError: One did not.
    """
    until(lambda: all(map(has_ended, processes)))
