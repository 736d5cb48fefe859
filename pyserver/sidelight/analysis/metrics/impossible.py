"""Whether a core would have had to be faster than its chip is.

The bounds are the highest that there are: the Tensor Engine's densest number format, and the
bandwidth of all the HBM on the chip. Where it is not told which chip it was, those of the fastest.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.metrics.core_work import peak_of
from sidelight.analysis.metrics.figures import Figures
from sidelight.hardware.chips import CHIP_NAMES, chip
from sidelight.hardware.cores import LogicalCore, logical_core
from sidelight.profile.manifest import CoreFigures
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

_OF_TENSOR_ENGINE: Final = (
    "hfu_estimated_percent",
    "mfu_estimated_percent",
    "mfu_inst_estimated_percent",
)
_OF_HBM: Final = "mbu_estimated_percent"

_ROUNDING: Final = 1.01
"""Figures are printed with few digits, and clocks are not always those of the data sheet."""

_CLOCK_NS: Final = 1
"""A duration is in whole nanoseconds: it may have been longer by this."""


def notes_on_speed(profile: Profile, of_rows: Figures) -> list[QualityNote]:
    """A note on figures and rows that no chip reaches, if there are any.

    Args:
        profile: Any profile.
        of_rows: The figures that its rows give; for those that they do not, the file's own count.
    """
    core = profile.manifest.core or CoreFigures()
    figures = {**profile.manifest.vendor_metrics, **of_rows}
    products, bandwidth = _highest_utilizations(core)
    limits = {**dict.fromkeys(_OF_TENSOR_ENGINE, products), _OF_HBM: bandwidth}
    found = [
        f"{name} is {figures[name]:.3g} where {limit:.3g} is the most"
        for name, limit in limits.items()
        if (figures.get(name) or 0) > limit * _ROUNDING
    ]
    rows = _rows_too_fast(profile, products)
    if rows:
        found.append(f"{rows:,} instructions do more than the Tensor Engine can in their time")
    if not found:
        return []
    return [
        QualityNote(
            "impossibly_fast",
            "warning",
            f"Work is faster than the chip is: {'; '.join(found)}. Times, FLOPs or bytes of this "
            "profile are wrong, and what is worked out from them. Record it again, and check that "
            "the NEFF is the one that ran.",
            rows + len(found) - bool(rows),
        )
    ]


def _highest_utilizations(core: CoreFigures) -> tuple[float, float]:
    """How often the vendor's peak products and the bandwidth can be: denser formats take less time
    than its peak says, and a core may reach the memory of the others on its chip."""
    name = core.instance_type.partition(".")[0]
    cores = [logical_core(each, 1) for each in ([name] if name in CHIP_NAMES else CHIP_NAMES)]
    return max(map(_of_products, cores)), max(_of_bandwidth(each, core) for each in cores)


def _of_products(core: LogicalCore) -> float:
    by_the_clock = 2 * core.array_rows * core.array_columns * core.tensor_hz
    return max(core.tensor_flops_per_s.values()) / by_the_clock


def _of_bandwidth(core: LogicalCore, figures: CoreFigures) -> float:
    of_chip = core.hbm_bytes_per_s * chip(core.chip).physical_cores
    return of_chip / (figures.hbm_bytes_per_s or core.hbm_bytes_per_s * figures.physical_cores)


def _rows_too_fast(profile: Profile, products: float) -> int:
    """How many instructions do more than an engine can, however densely its numbers are packed."""
    peak_flops_per_s = peak_of(profile).tensor_flops_per_s
    if peak_flops_per_s is None or not len(profile.work):
        return 0
    work = profile.work
    longest_ns = profile.events["duration_ns"][work["event"]] + _CLOCK_NS
    most_flops = longest_ns * (peak_flops_per_s * products * _ROUNDING / 1e9)
    return int(np.count_nonzero(work["flops"] > most_flops))
