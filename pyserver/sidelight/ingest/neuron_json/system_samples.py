"""The ``cpu_util`` and ``mem_usage`` lists of a system profile, as series of samples."""

from __future__ import annotations

from typing import Final

import msgspec

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.sample_windows import SampleWindows
from sidelight.ingest.neuron_json.values import NO_TIME, Number, RowDecoder, real_number
from sidelight.ingest.repair.findings import Findings
from sidelight.profile.manifest import Series

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
        windows: The samples.
    """

    def __init__(self, findings: Findings) -> None:
        self._decoder = RowDecoder(_Sample, findings)
        self.windows: SampleWindows[Series] = SampleWindows()

    def add(self, name: str, text: bytes) -> None:
        """Add some rows of the list of this name.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows: list[_Sample] = self._decoder.rows(text)
        self.windows.add(rows, lambda row: ((_series(name, row), _value(name, row)),))

    def add_to(self, builder: ProfileBuilder, instance: str | None) -> None:
        """Add the samples to a profile.

        Args:
            builder: The profile.
            instance: The machine whose samples are wanted; None for all.
        """
        for series, at_ns, value in self.windows.by_series():
            if instance in (None, series.owner):
                builder.add_samples(series, at_ns, value)


def _series(name: str, row: _Sample) -> Series:
    if name == MEMORY_LIST:
        return Series("Host memory", "bytes", row.instance_id)
    return Series(f"CPU {row.cpu_id}".strip(), "fraction", row.instance_id)


def _value(name: str, row: _Sample) -> float | None:
    if name == MEMORY_LIST:
        return real_number(row.usage)
    percent = real_number(row.util)
    return None if percent is None else percent / _PERCENT
