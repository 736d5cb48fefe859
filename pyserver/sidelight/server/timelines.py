"""The profiles whose timelines are looked at: each has a process that holds its tables."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from sidelight.jobs.timeline_queries import TimelineQueries

T = TypeVar("T")

_MOST_OPEN = 2


class Timelines:
    """Answers questions on timelines, off the event loop; the least recently asked is closed."""

    def __init__(self) -> None:
        self._open: dict[Path, TimelineQueries] = {}
        self._lock = threading.Lock()

    async def ask(
        self, directory: Path, question: Callable[[TimelineQueries, threading.Event], T]
    ) -> T:
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

    def _queries(self, directory: Path) -> TimelineQueries:
        # Needed only once a timeline is looked at: the server starts sooner without it.
        from sidelight.jobs.timeline_queries import TimelineQueries

        with self._lock:
            queries = self._open.pop(directory, None) or TimelineQueries(directory)
            self._open[directory] = queries
            while len(self._open) > _MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            return queries
