"""The numbers of the predictor that are no chip figure, each with its source or as an assumption.

They were set from what is documented and from public measurements of whole programs, before any
example of this project ran.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

_NKI = "AWS NKI documentation, "
_ESM2 = (
    "public measurement: ESM-2 650M, S=32, on one logical Trn2 core took 124.5 ms eager in 1,050 "
    "submissions and 15.6 ms compiled in one, which leaves 104 us for each submission saved"
)
_PROFILES = (
    "public device profiles of NKI kernels on trn2.3xlarge, profiler 2.28 "
    "(github.com/allenkchau/trainium-kernel-fusion d709ddf): "
)


@dataclass(frozen=True)
class Parameter:
    """One parameter, as it is shown.

    Attributes:
        name: Its field in :class:`Parameters`.
        value: Its value.
        unit: ``ns``, ``cycles``, ``bytes``, or empty for a ratio.
        source: Where it is from; begins with ``assumption`` where nothing documents it.
    """

    name: str
    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class Parameters:
    """What the predictor reckons with beside the chip's figures.

    Attributes:
        eager_launch_ns: What the device waits for each eager kernel's submission, unless the host
            is ahead. It is idle time, not device time.
        graph_launch_ns: The same for a compiled graph as a whole.
        kernel_start_ns: Device time of starting and ending one kernel or graph.
        dma_latency_ns: Device time until the first bytes of a load, and after the last of a store.
        matmul_minimum_cycles: What an instruction of the Tensor Engine costs at least.
        moving_columns: Columns that one such instruction may stream.
        fp32_passes: How often fp32 operands pass the array.
        dma_transpose_efficiency: Part of the DMA bandwidth left where it transposes.
        dma_descriptor_ns: What a DMA engine takes for each piece of memory beside moving it.
        efficiency: Part of an engine's rate that kernels reach, by ``Tensor bf16``, ``Vector
            float32``, ...; what is not listed reaches all of it. Calibration fits these.
    """

    eager_launch_ns: int = 104_000
    graph_launch_ns: int = 104_000
    kernel_start_ns: int = 15_000
    dma_latency_ns: int = 2_000
    matmul_minimum_cycles: int = 64
    moving_columns: int = 512
    fp32_passes: int = 4
    dma_transpose_efficiency: float = 0.9
    dma_descriptor_ns: int = 8
    efficiency: Mapping[str, float] = field(default_factory=dict[str, float])

    def with_efficiency(self, efficiency: Mapping[str, float]) -> Parameters:
        """The same, with fitted efficiencies."""
        return replace(self, efficiency=dict(efficiency))

    def described(self) -> list[Parameter]:
        """Every parameter with its source, in order."""
        rows = [
            Parameter(name, getattr(self, name), unit, source) for name, unit, source in _SOURCES
        ]
        fitted = [
            Parameter(f"efficiency of {key}", value, "", "fitted by calibration")
            for key, value in sorted(self.efficiency.items())
        ]
        return [*rows, *fitted]


_SOURCES: Final = (
    ("eager_launch_ns", "ns", _ESM2),
    ("graph_launch_ns", "ns", "assumption: a graph is submitted as an eager kernel is"),
    (
        "kernel_start_ns",
        "ns",
        _PROFILES + "the first load of an input begins 15.3 to 15.9 us after the execution",
    ),
    (
        "dma_latency_ns",
        "ns",
        _PROFILES + "the first product begins 1.3 to 2.1 us after the first load of its operands, "
        "the last store ends 2.9 us after the last result",
    ),
    (
        "matmul_minimum_cycles",
        "cycles",
        _NKI + "nki.isa.nc_matmul: max(min(64, stationary columns), moving columns)",
    ),
    ("moving_columns", "", _NKI + "Trainium/Inferentia2 architecture guide, tile size"),
    ("fp32_passes", "", _NKI + "nki.isa.nc_matmul: four times the cost of the other types"),
    (
        "dma_transpose_efficiency",
        "",
        _NKI + "Trainium2 architecture guide, DMA transpose: up to 90% of the throughput",
    ),
    (
        "dma_descriptor_ns",
        "ns",
        _PROFILES + "pieces of 256 to 4,096 bytes take 8 ns and their bytes at 27.2 GB/s",
    ),
)
