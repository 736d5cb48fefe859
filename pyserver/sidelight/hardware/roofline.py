"""The roofline: what the peak and the memory allow, and which of them is in the way.

The model is that of Williams, Waterman and Patterson, "Roofline: an insightful visual performance
model for multicore architectures", Communications of the ACM 52(4), 2009: work of ``flops`` that
moves ``hbm_bytes`` cannot end before the slower of the two is done.
"""

from __future__ import annotations

from enum import Enum

from .chips import HardwareError
from .cores import LogicalCore


class Bound(str, Enum):
    """What keeps an operator or a line from being faster."""

    COMPUTE = "compute"
    MEMORY = "memory"
    OVERHEAD = "overhead"


def is_overhead(fixed_ns: float, duration_ns: float) -> bool:
    """Whether what takes its time however small the work is, is over half of the time."""
    return 2 * fixed_ns > duration_ns


def ridge_point(core: LogicalCore, dtype: str) -> float:
    """The arithmetic intensity, in FLOP/byte, from which on the peak is the limit.

    Raises:
        HardwareError: The core has no peak for the dtype.
    """
    return _peak_flops_per_s(core, dtype) / core.hbm_bytes_per_s


def attainable_flops_per_s(core: LogicalCore, dtype: str, intensity: float) -> float:
    """The best rate, in FLOP/s, at an arithmetic intensity in FLOP/byte.

    Raises:
        HardwareError: The core has no peak for the dtype.
    """
    return min(_peak_flops_per_s(core, dtype), intensity * core.hbm_bytes_per_s)


def roofline_ns(core: LogicalCore, dtype: str, flops: float, hbm_bytes: float) -> float:
    """The least time, in nanoseconds, that the work can take: computing and moving overlap.

    Args:
        core: Where it runs.
        dtype: What the Tensor Engine computes with.
        flops: The work, in FLOP.
        hbm_bytes: What it reads from and writes to HBM.

    Raises:
        HardwareError: The core has no peak for the dtype.
    """
    return max(_compute_ns(core, dtype, flops), _memory_ns(core, hbm_bytes))


def achieved_flops_per_s(flops: float, duration_ns: float) -> float:
    """The rate, in FLOP/s, of work that took ``duration_ns``.

    Raises:
        ZeroDivisionError: It took no time, so it has no rate.
    """
    return flops / duration_ns * 1e9


def _compute_ns(core: LogicalCore, dtype: str, flops: float) -> float:
    return flops / _peak_flops_per_s(core, dtype) * 1e9


def _memory_ns(core: LogicalCore, hbm_bytes: float) -> float:
    return hbm_bytes / core.hbm_bytes_per_s * 1e9


def _peak_flops_per_s(core: LogicalCore, dtype: str) -> float:
    peak = core.tensor_flops_per_s.get(dtype)
    if peak is None:
        known = ", ".join(core.tensor_flops_per_s)
        raise HardwareError(f"{core.chip} has no peak for {dtype}; it has {known}.")
    return peak
