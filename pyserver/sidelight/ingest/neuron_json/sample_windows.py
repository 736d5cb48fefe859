"""Samples of quantities over time that come window by window, and are series in the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import numpy as np

from sidelight.ingest.neuron_json.values import NO_TIME, numbers_of
from sidelight.ingest.time_policy import good_times
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.tables import Column

MOST_SERIES: Final = 256
"""A core has a handful of counters, a host as many processors."""

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


class SampleWindows(Generic[Key]):
    """Gathers samples; what tells their series apart is the reader's own.

    Attributes:
        left_out: Samples without a time that can be, or of too many series.
    """

    def __init__(self) -> None:
        self.left_out = 0
        self._series: Vocabulary[Key] = Vocabulary()
        self._parts: list[tuple[Column, Column, Column]] = []

    def add(
        self, rows: Sequence[Row], samples: Callable[[Row], Iterable[tuple[Key, float | None]]]
    ) -> None:
        """Add a window.

        Args:
            rows: Rows with a ``timestamp``.
            samples: The series and values that a row has; None is no value.
        """
        at_ns = numbers_of(rows, "timestamp", NO_TIME)
        is_good = good_times(at_ns, np.zeros_like(at_ns))
        self.left_out += int((~is_good).sum())
        found: list[tuple[int, Any, float]] = [
            (self._series.code(series), at_ns[index], value)
            for index in map(int, np.flatnonzero(is_good))
            for series, value in samples(rows[index])
            if value is not None
        ]
        self.left_out += sum(series >= MOST_SERIES for series, _, _ in found)
        if found:
            series, times, values = zip(*found, strict=True)
            self._parts.append(
                (np.array(series, np.int32), np.array(times, np.int64), np.array(values))
            )

    def by_series(self) -> Iterator[tuple[Key, Column, Column]]:
        """Each series with its times and values; no more than ``MOST_SERIES``."""
        if not self._parts:
            return
        series, at_ns, value = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        for code, key in enumerate(self._series.values()[:MOST_SERIES]):
            own = series == code
            yield key, at_ns[own], value[own]
