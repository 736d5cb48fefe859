"""Rates over time that no file has: worked out from what rows of engines say that they did.

What a row did is spread evenly over the time that it took; rates of rows at once add up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.analysis.chosen_rows import rows_of_engine
from sidelight.analysis.metrics.core_work import peak_of
from sidelight.analysis.nesting import IntColumn
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile

HFU: Final = "HFU over time"
DMA_THROUGHPUT: Final = "DMA throughput"
"""As readers call the series of it that some files have."""

_SECOND_NS: Final = 1e9


@dataclass(frozen=True)
class Rate:
    """A rate over time: each value holds until the next.

    Attributes:
        series: What it is of.
        at_ns: When it changes, ascending.
        value: What it is from then on.
    """

    series: Series
    at_ns: IntColumn
    value: npt.NDArray[np.float64]


def rates_of(profile: Profile) -> Iterator[Rate]:
    """The rates of each core, as far as its rows tell them.

    HFU is what the Tensor Engine of a logical core computes, by the peak that HFU is reckoned with
    (:mod:`sidelight.analysis.metrics.utilization`). Where a file has a series of DMA throughput,
    that is the better one.

    Args:
        profile: Any profile; most have no rows of engines.
    """
    work = profile.work
    if not len(work):
        return
    peak = peak_of(profile)
    flops_per_s = (peak.tensor_flops_per_s or 0) * peak.physical_cores
    if 0 < flops_per_s < math.inf:  # a file can claim any clock
        of_tensor = rows_of_engine(profile, "tensor")[work["event"]] & (work["flops"] > 0)
        for core, each in _by_core(profile, of_tensor):
            amount = work["flops"][each] / flops_per_s
            yield _rate(profile, Series(HFU, "fraction", core), work["event"][each], amount)
    if not any(series.name == DMA_THROUGHPUT for series in profile.manifest.series):
        of_dma = rows_of_engine(profile, "dma")[work["event"]] & (work["moved_bytes"] > 0)
        for core, each in _by_core(profile, of_dma):
            series = Series(DMA_THROUGHPUT, "bytes_per_s", core)
            amount = work["moved_bytes"][each].astype(np.float64)
            yield _rate(profile, series, work["event"][each], amount)


def _by_core(profile: Profile, chosen: npt.NDArray[np.bool_]) -> Iterator[tuple[str, IntColumn]]:
    """Rows of the work table by the core that they are of."""
    track = profile.events["track"][profile.work["event"]]
    for core in dict.fromkeys(each.pid for each in profile.tracks):
        is_of_core = np.array([each.pid == core for each in profile.tracks], np.bool_)
        rows = np.flatnonzero(chosen & is_of_core[track])
        if len(rows):
            yield core, rows


def _rate(
    profile: Profile, series: Series, rows: IntColumn, amount: npt.NDArray[np.float64]
) -> Rate:
    start_ns = profile.events["start_ns"][rows]
    # Times are in whole nanoseconds: what took less took a part of one.
    duration_ns = np.maximum(profile.events["duration_ns"][rows], 1)
    per_s = amount / duration_ns * _SECOND_NS
    times_ns = np.concatenate((start_ns, start_ns + duration_ns))
    order = np.argsort(times_ns, kind="stable")
    ordered_ns = times_ns[order]
    running = np.cumsum(np.repeat((1, -1), len(rows))[order])
    value = np.cumsum(np.concatenate((per_s, -per_s))[order])
    is_last = np.append(ordered_ns[1:] != ordered_ns[:-1], np.True_)
    # Sums of fractions need not come back to nothing by themselves.
    value = np.where(running > 0, np.maximum(value, 0), 0.0)
    return Rate(series, ordered_ns[is_last], value[is_last])
