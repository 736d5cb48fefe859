"""The profiles that are looked at: each has a process that answers for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from sidelight.jobs.analysis_queries import AnalysisQueries
    from sidelight.jobs.queries import Queries
    from sidelight.jobs.timeline_queries import TimelineQueries

Q = TypeVar("Q", bound="Queries")
T = TypeVar("T")

_MOST_OPEN = 2


class OpenQueries(Generic[Q]):
    """Asks profiles' processes, off the event loop; the least recently asked is closed.

    Args:
        open_queries: Makes what asks the process of a profile's directory.
    """

    def __init__(self, open_queries: Callable[[Path], Q]) -> None:
        self._open_queries = open_queries
        self._open: dict[Path, Q] = {}
        self._lock = threading.Lock()

    async def ask(self, directory: Path, question: Callable[[Q, threading.Event], T]) -> T:
        """Ask a profile's process.

        Args:
            directory: The profile.
            question: Asks it, blocking; runs in a thread. It is given what cancels it.

        Raises:
            SidelightError: The profile cannot be read, or its process died.
        """
        cancel = threading.Event()
        try:
            return await asyncio.to_thread(lambda: question(self._queries(directory), cancel))
        finally:
            cancel.set()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            while self._open:
                _, queries = self._open.popitem()
                queries.close()

    def _queries(self, directory: Path) -> Q:
        with self._lock:
            queries = self._open.pop(directory, None) or self._open_queries(directory)
            self._open[directory] = queries
            while len(self._open) > _MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            return queries


# What follows is needed only once something is looked at: the server starts sooner without it.


def timeline_queries(directory: Path) -> TimelineQueries:
    """What asks for a profile's timeline."""
    from sidelight.jobs.timeline_queries import TimelineQueries

    return TimelineQueries(directory)


def analysis_queries(directory: Path) -> AnalysisQueries:
    """What asks for a profile's summary."""
    from sidelight.jobs.analysis_queries import AnalysisQueries

    return AnalysisQueries(directory)
