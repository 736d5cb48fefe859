"""The profiles that are looked at: each has a process that answers for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from sidelight.jobs.analysis_queries import AnalysisQueries
    from sidelight.jobs.queries import Queries
    from sidelight.jobs.timeline_queries import TimelineQueries

Q = TypeVar("Q", bound="Queries")
T = TypeVar("T")

_MOST_OPEN = 2


@dataclass(frozen=True)
class _Open(Generic[Q]):
    """A profile that is looked at.

    Attributes:
        queries: Asks its process.
        turn: Held by the question that is being answered.
    """

    queries: Q
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class OpenQueries(Generic[Q]):
    """Asks profiles' processes, off the event loop; the least recently asked is closed.

    A process answers one question after another. One that is cancelled before its turn is never
    asked; one that has its turn is answered all the same, as the process works it out anyway.

    Args:
        open_queries: Makes what asks the process of a profile's directory.
    """

    def __init__(self, open_queries: Callable[[Path], Q]) -> None:
        self._open_queries = open_queries
        self._open: dict[Path, _Open[Q]] = {}

    async def ask(self, directory: Path, question: Callable[[Q], T]) -> T:
        """Ask a profile's process.

        Args:
            directory: The profile.
            question: Asks it, blocking; runs in a thread.

        Raises:
            SidelightError: The profile cannot be read, or its process died.
        """
        asked = await self._opened(directory)
        async with asked.turn:
            answer = asyncio.ensure_future(asyncio.to_thread(question, asked.queries))
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                return await answer

    def close(self) -> None:
        """End all processes."""
        while self._open:
            _, opened = self._open.popitem()
            opened.queries.close()

    async def _opened(self, directory: Path) -> _Open[Q]:
        opened = self._open.pop(directory, None) or _Open(self._open_queries(directory))
        self._open[directory] = opened
        while len(self._open) > _MOST_OPEN:
            oldest = self._open.pop(next(iter(self._open)))
            await asyncio.to_thread(oldest.queries.close)
        return opened


# What follows is needed only once something is looked at: the server starts sooner without it.


def timeline_queries(directory: Path) -> TimelineQueries:
    """What asks for a profile's timeline."""
    from sidelight.jobs.timeline_queries import TimelineQueries

    return TimelineQueries(directory)


def analysis_queries(directory: Path) -> AnalysisQueries:
    """What asks for a profile's summary."""
    from sidelight.jobs.analysis_queries import AnalysisQueries

    return AnalysisQueries(directory)
