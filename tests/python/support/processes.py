"""The processes that read and answer for the one that is tested."""

from __future__ import annotations

from contextlib import suppress

import psutil


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
