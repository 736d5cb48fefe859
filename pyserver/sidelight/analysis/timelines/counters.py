"""Quantities over time, as they are drawn: what each pixel's mean is, and its highest."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.analysis.memory.capacity import capacity_of_series
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.timelines.drawn_types import CounterWindow, CounterWindows, TimelineCounter
from sidelight.analysis.timelines.rates import rates_of
from sidelight.analysis.timelines.stretches import pixels, stretch
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile

Values = npt.NDArray[np.float64]

_DRAWN: Final = (np.finfo(np.float32).min, np.finfo(np.float32).max)
"""What a pixel's value can be: what is beyond is no quantity, and its sums would be none."""


@dataclass(frozen=True)
class _Samples:
    """A quantity: each value holds until the next.

    Attributes:
        at_ns: When each was taken, ascending.
        value: What it was.
        before: The sum of values by time up to each, in the unit times nanoseconds.
    """

    at_ns: IntColumn
    value: Values
    before: Values


class Counters:
    """The quantities of a profile: those that were sampled, then rates of its engines' rows.

    Args:
        profile: A profile; its ``samples`` table and the manifest's series, and its work.
    """

    def __init__(self, profile: Profile) -> None:
        samples = profile.samples
        self._manifest = profile.manifest
        self._samples: dict[int, _Samples] = {}
        self.overview: list[TimelineCounter] = []
        """What there is to draw; series of no sample are left out."""
        for number, series in enumerate(profile.manifest.series):
            rows = np.flatnonzero((samples["series"] == number) & np.isfinite(samples["value"]))
            if not len(rows):
                continue
            self._add(number, series, samples["at_ns"][rows], samples["value"][rows])
        for number, rate in enumerate(rates_of(profile), len(profile.manifest.series)):
            self._add(number, rate.series, rate.at_ns, rate.value)

    def _add(self, number: int, series: Series, at_ns: IntColumn, value: Values) -> None:
        value = value.clip(*_DRAWN)
        before = np.concatenate(([0.0], np.cumsum(value[:-1] * np.diff(at_ns))))
        self._samples[number] = _Samples(at_ns, value, before)
        self.overview.append(
            TimelineCounter(
                counter=number,
                name=series.name,
                unit=series.unit,
                owner=series.owner,
                lowest=float(value.min()),
                highest=float(value.max()),
                capacity=capacity_of_series(series, self._manifest).capacity_bytes
                if series.unit == "bytes"
                else None,
            )
        )

    def windows(self, from_ns: int, to_ns: int, width: int) -> CounterWindows:
        """All quantities in a stretch of time, pixel by pixel.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            width: In how many pixels it is drawn.
        """
        from_ns, to_ns = stretch(from_ns, to_ns)
        width = pixels(width, len(self._samples))
        edges_ns = np.linspace(from_ns, to_ns, width + 1)
        found: list[CounterWindow] = []
        for number, samples in self._samples.items():
            mean, highest = _by_pixel(samples, edges_ns)
            found.append(CounterWindow(number, _encoded(mean), _encoded(highest)))
        return CounterWindows(from_ns=from_ns, to_ns=to_ns, width=width, counters=found)


def _by_pixel(samples: _Samples, edges_ns: Values) -> tuple[Values, Values]:
    """Each pixel's mean by time and its highest value; NaN before the first sample."""
    at_ns, value = samples.at_ns, samples.value
    last = np.searchsorted(at_ns, edges_ns, side="right") - 1
    known = np.maximum(last, 0)
    since_ns = np.maximum(edges_ns - at_ns[known], 0)
    summed = samples.before[known] + value[known] * since_ns
    known_ns = edges_ns[1:] - np.maximum(edges_ns[:-1], at_ns[0])
    is_known = known_ns > 0
    mean = np.full(len(is_known), np.nan)
    np.divide(np.diff(summed), known_ns, out=mean, where=is_known)
    # The value that a pixel begins with, and those that come up in it.
    first, stop = known[:-1], last[1:] + 1
    bounds = np.column_stack((first, np.maximum(stop, first + 1))).ravel()
    highest = np.maximum.reduceat(np.append(value, -np.inf), bounds)[::2]
    lowest = np.minimum.reduceat(np.append(value, np.inf), bounds)[::2]
    # A sum in which one value is far larger than the others is too coarse for these.
    mean = np.where(is_known, mean.clip(lowest, highest), np.nan)
    return mean, np.where(is_known, highest, np.nan)


def _encoded(values: Values) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")
