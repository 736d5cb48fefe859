"""What is exported: a profile, what analysis knows of it beside, and which part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

Indexes = npt.NDArray[np.integer[Any]]

Progress = Callable[[float], None]
"""Told the part done, from 0 to 1."""

ROWS_AT_ONCE: Final = 1 << 15
"""Rows that are held as text at a time."""


@dataclass(frozen=True)
class TimeRange:
    """A part of a profile's time, in nanoseconds from its start.

    Attributes:
        from_ns: Its start; None for the beginning.
        to_ns: Its end; None for the end.
    """

    from_ns: int | None = None
    to_ns: int | None = None

    def overlapping(self, start_ns: Indexes, end_ns: Indexes) -> npt.NDArray[np.bool_]:
        """Which stretches of time, or instants, are in it, or reach into it."""
        inside = np.ones(len(start_ns), np.bool_)
        if self.from_ns is not None:
            inside &= (end_ns > self.from_ns) | (start_ns >= self.from_ns)
        if self.to_ns is not None:
            inside &= start_ns < self.to_ns
        return inside


@dataclass(frozen=True)
class Source:
    """What a writer is given.

    Attributes:
        profile: An attributed profile.
        launched_by: The row that launched each event's work on the device, -1 for none.
        time: The part of it that is exported. Events that reach into it are exported whole.
    """

    profile: Profile
    launched_by: Indexes
    time: TimeRange = TimeRange()

    @cached_property
    def in_time(self) -> npt.NDArray[np.bool_]:
        """Which events are in the exported part of the time."""
        events = self.profile.events
        start_ns = events["start_ns"]
        return self.time.overlapping(start_ns, start_ns + events["duration_ns"])

    def steps(self) -> list[tuple[int, int, int]]:
        """The steps that reach into the exported part: number from 1 on, start and end in ns."""
        steps = self.profile.steps
        starts_ns, ends_ns = steps["start_ns"], steps["end_ns"]
        shown = np.flatnonzero(self.time.overlapping(starts_ns, ends_ns))
        columns = (shown + 1, starts_ns[shown], ends_ns[shown])
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @property
    def is_predicted(self) -> bool:
        """Whether the profile's times are predicted."""
        return self.profile.manifest.time_kind != "measured"


@dataclass(frozen=True)
class Written:
    """What came of it.

    Attributes:
        events: How many events are in the file.
        notes: What of the profile could not be put into it.
    """

    events: int
    notes: Sequence[QualityNote] = ()


def pieces(rows: Indexes, progress: Progress) -> Iterator[Indexes]:
    """Rows, some at a time, so that the text of all is never held; tells how far it is."""
    for first in range(0, len(rows), ROWS_AT_ONCE):
        progress(first / len(rows))
        yield rows[first : first + ROWS_AT_ONCE]
