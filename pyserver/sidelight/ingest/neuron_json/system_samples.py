"""The ``cpu_util`` and ``mem_usage`` lists of a system profile, as series of samples."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

import msgspec
import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.counters import MOST_SERIES
from sidelight.ingest.neuron_json.values import (
    NO_TIME,
    Number,
    RowDecoder,
    real_number,
    whole_numbers,
)
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.time_policy import good_times
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.manifest import Series
from sidelight.profile.tables import Column

CPU_LIST: Final = "cpu_util"
MEMORY_LIST: Final = "mem_usage"
_PERCENT: Final = 100


class _Sample(msgspec.Struct, gc=False):
    """A row of either list: ``util`` is of hundred, ``usage`` in bytes."""

    timestamp: Number = NO_TIME
    instance_id: str = ""
    cpu_id: Number = ""
    util: Number = ""
    usage: Number = ""


class SystemSamples:
    """Gathers the samples, window by window.

    Args:
        findings: Told what was repaired.

    Attributes:
        left_out: Samples without a time that can be, or of too many series.
    """

    def __init__(self, findings: Findings) -> None:
        self.left_out = 0
        self._decoder = RowDecoder(_Sample, findings)
        self._series: Vocabulary[Series] = Vocabulary()
        self._parts: list[tuple[Column, Column, Column]] = []

    def add(self, name: str, text: bytes) -> None:
        """Add some rows of the list of this name.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows: list[_Sample] = self._decoder.rows(text)
        at_ns = whole_numbers(lambda: map(attrgetter("timestamp"), rows), len(rows), NO_TIME)
        is_good = good_times(at_ns, np.zeros_like(at_ns))
        self.left_out += int((~is_good).sum())
        samples = [
            (self._series.code(_series(name, rows[index])), at_ns[index], value)
            for index in map(int, np.flatnonzero(is_good))
            if (value := _value(name, rows[index])) is not None
        ]
        self.left_out += sum(series >= MOST_SERIES for series, _, _ in samples)
        if samples:
            series, times, values = zip(*samples, strict=True)
            self._parts.append((np.array(series), np.array(times, np.int64), np.array(values)))

    def add_to(self, builder: ProfileBuilder, instance: str | None) -> None:
        """Add the samples to a profile.

        Args:
            builder: The profile.
            instance: The machine whose samples are wanted; None for all.
        """
        if not self._parts:
            return
        series, at_ns, value = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        for code, each in enumerate(self._series.values()[:MOST_SERIES]):
            if instance in (None, each.owner):
                builder.add_samples(each, at_ns[series == code], value[series == code])


def _series(name: str, row: _Sample) -> Series:
    if name == MEMORY_LIST:
        return Series("Host memory", "bytes", row.instance_id)
    return Series(f"CPU {row.cpu_id}".strip(), "fraction", row.instance_id)


def _value(name: str, row: _Sample) -> float | None:
    if name == MEMORY_LIST:
        return real_number(row.usage)
    percent = real_number(row.util)
    return None if percent is None else percent / _PERCENT
