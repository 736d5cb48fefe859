"""What a core computes and moves, against what it could, by the vendor's formulas.

They are those of AWS's page on the profile schema, table Summary (AWS Neuron SDK documentation,
SDK 2.32.0, aws-neuron-sdk 81ce03a, profile-schema-reference.rst), as the profiler itself applies
them: its peak is that of the physical cores together, its bandwidth that of one HBM stack, and the
ratio of the two reckons with one physical core.
"""

from __future__ import annotations

from dataclasses import dataclass

from sidelight.analysis.metrics.figures import Figures


@dataclass(frozen=True)
class CorePeak:
    """What a logical core can do.

    Attributes:
        cores: Logical cores at work.
        physical_cores: Physical cores in each of them.
        tensor_flops_per_s: Of the Tensor Engine of one physical core: two operations for each cell
            of its array in each cycle. None where it is not known.
        hbm_bytes_per_s: Bandwidth of the HBM that it has; None likewise.
    """

    cores: int
    physical_cores: int
    tensor_flops_per_s: float | None
    hbm_bytes_per_s: float | None

    @property
    def flops_per_s(self) -> float | None:
        """The peak of all of them."""
        one = self.tensor_flops_per_s
        return one and one * self.physical_cores * self.cores

    @property
    def bytes_per_s(self) -> float | None:
        """The bandwidth of all of them."""
        return self.hbm_bytes_per_s and self.hbm_bytes_per_s * self.cores


def utilization(
    peak: CorePeak,
    total_time_s: float | None,
    *,
    hardware_flops: float | None,
    transpose_flops: float | None,
    hbm_bytes: float | None,
) -> Figures:
    """Utilizations as fractions, and intensities in FLOP/byte; None where an input is not known.

    Args:
        peak: What the core can do.
        total_time_s: How long it took, in seconds.
        hardware_flops: All operations of the Tensor Engine.
        transpose_flops: Those that only turn data round.
        hbm_bytes: What was read from HBM and written to it.
    """
    useful_flops = None
    if hardware_flops is not None and transpose_flops is not None:
        useful_flops = hardware_flops - transpose_flops
    return {
        "hfu_estimated_percent": _ratio(hardware_flops, peak.flops_per_s, total_time_s),
        "mfu_inst_estimated_percent": _ratio(useful_flops, peak.flops_per_s, total_time_s),
        "mbu_estimated_percent": _ratio(hbm_bytes, peak.bytes_per_s, total_time_s),
        "mm_arithmetic_intensity": _ratio(useful_flops, hbm_bytes),
        "peak_flops_bandwidth_ratio": _ratio(peak.tensor_flops_per_s, peak.hbm_bytes_per_s),
    }


def _ratio(amount: float | None, *divisors: float | None) -> float | None:
    """An amount by all of the divisors; None where any is not known, or is 0."""
    for divisor in divisors:
        if amount is None or not divisor:
            return None
        amount /= divisor
    return amount
