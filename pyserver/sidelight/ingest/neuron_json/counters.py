"""The lists of a device profile that are quantities over time, as series of samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.neuron_json.sample_windows import SampleWindows
from sidelight.ingest.neuron_json.values import NO_TIME, Number, RowDecoder, real_number
from sidelight.ingest.repair.findings import Findings
from sidelight.profile.manifest import Series

_DMA: Final = ("DMA throughput", "bytes_per_s")
_HBM: Final = ("HBM throughput", "bytes_per_s")
_PENDING: Final = ("pending DMA", "")
_LIMIT: Final = ("utilisation limit", "fraction")
_USE: Final = {"sb": ("SBUF in use", "fraction"), "psum": ("PSUM in use", "fraction")}

Sample = tuple[tuple[str, Any], float | None]
"""What a value is of (the name and unit of its series), and the value."""


class _Row(msgspec.Struct, gc=False):
    """A row of any of the lists. Times are nanoseconds by the file's clock.

    Attributes:
        transfer_rate: Bytes a second by DMA (``dma_throughput``).
        hbm_transfer_rate: The part of it that concerns HBM.
        uses_hbm: Whether that is known.
        value: DMA transfers that were asked for and not yet done (``pending_dma``).
        type: The memory that is used (``instruction_usage``).
        usage_avg: The used part of it.
        k: Of ``n`` cycles the Tensor Engine may work in this many (``ham``).
    """

    timestamp: Number = NO_TIME
    subgraph: str = ""
    transfer_rate: Number = ""
    hbm_transfer_rate: Number = ""
    uses_hbm: Any = None
    value: Number = ""
    type: Any = None
    usage_avg: Number = ""
    k: Number = ""
    n: Number = ""


def _throughput(row: _Row) -> Sequence[Sample]:
    samples: list[Sample] = [(_DMA, real_number(row.transfer_rate))]
    if str(row.uses_hbm).lower() in ("true", "yes", "1"):
        samples.append((_HBM, real_number(row.hbm_transfer_rate)))
    return samples


def _pending(row: _Row) -> Sequence[Sample]:
    return ((_PENDING, real_number(row.value)),)


def _usage(row: _Row) -> Sequence[Sample]:
    series = _USE.get(str(row.type))
    return ((series, real_number(row.usage_avg)),) if series else ()


def _limit(row: _Row) -> Sequence[Sample]:
    allowed, of = real_number(row.k), real_number(row.n)
    return ((_LIMIT, allowed / of if allowed is not None and of else None),)


_SAMPLES: Final[Mapping[str, Callable[[_Row], Sequence[Sample]]]] = {
    "dma_throughput": _throughput,
    "pending_dma": _pending,
    "instruction_usage": _usage,
    "ham": _limit,
}

COUNTERS: Final = frozenset(_SAMPLES)
"""The lists' names."""


class Counters:
    """Gathers the samples, window by window.

    Args:
        findings: Told what was repaired.

    Attributes:
        windows: The samples, by the name and unit of their series and the subgraph.
    """

    def __init__(self, findings: Findings) -> None:
        self._decoder = RowDecoder(_Row, findings)
        self.windows: SampleWindows[tuple[str, Any, str]] = SampleWindows()

    def add(self, name: str, text: bytes) -> None:
        """Add some rows of the list of this name.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        samples = _SAMPLES[name]
        self.windows.add(
            self._decoder.rows(text),
            lambda row: (((*of, row.subgraph), value) for of, value in samples(row)),
        )

    def add_to(self, builder: ProfileBuilder, owner: Callable[[str], str]) -> None:
        """Add the samples to a profile.

        Args:
            builder: The profile.
            owner: What people call the core of a subgraph.
        """
        for (name, unit, subgraph), at_ns, value in self.windows.by_series():
            builder.add_samples(Series(name, unit, owner(subgraph)), at_ns, value)
