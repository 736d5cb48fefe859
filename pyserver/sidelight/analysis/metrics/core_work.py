"""What a core computed and moved, from the rows of its engines."""

from __future__ import annotations

from sidelight.analysis.chosen_rows import rows_of_engine
from sidelight.analysis.metrics.core_time import cores_of
from sidelight.analysis.metrics.figures import Figures
from sidelight.analysis.metrics.utilization import CorePeak, utilization
from sidelight.profile.model import Profile


def core_work(profile: Profile, total_time_s: float | None) -> Figures:
    """FLOPs, bytes, and what part of the peaks they are.

    Args:
        profile: Any profile; one without rows of engines knows nothing of this.
        total_time_s: How long the core took, in seconds.
    """
    hardware_flops = known_sum(profile, "flops")
    transpose_flops = known_sum(profile, "transpose_flops")
    read_bytes = known_sum(profile, "hbm_read_bytes")
    write_bytes = known_sum(profile, "hbm_write_bytes")
    hbm_bytes = None
    if read_bytes is not None and write_bytes is not None:
        hbm_bytes = read_bytes + write_bytes
    found: dict[str, float | None] = {
        "hardware_flops": hardware_flops,
        "transpose_flops": transpose_flops,
        "hbm_read_bytes": read_bytes,
        "hbm_write_bytes": write_bytes,
    }
    found.update(
        utilization(
            peak_of(profile),
            total_time_s,
            hardware_flops=hardware_flops,
            transpose_flops=transpose_flops,
            hbm_bytes=hbm_bytes,
        )
    )
    return found


def known_sum(profile: Profile, column: str) -> int | None:
    """Sum what rows know; None where none knows it.

    Instructions that start transfers know what these move, and so may transfers themselves: then
    the transfers' own count.

    Args:
        profile: Any profile.
        column: A column of amounts of the ``work`` table.
    """
    values = profile.work[column]
    known = values >= 0
    if column.startswith("hbm_"):
        of_dma = rows_of_engine(profile, "dma")[profile.work["event"]]
        if (known & of_dma).any():
            known &= of_dma
    return int(values[known].sum()) if known.any() else None


def peak_of(profile: Profile) -> CorePeak:
    """What the core can do that a profile is of, as far as it tells.

    Args:
        profile: Any profile.
    """
    core = profile.manifest.core
    if core is None:
        return CorePeak(1, 1, None, None)
    clock_hz = core.tensor_clock_hz
    return CorePeak(
        cores=max(cores_of(profile), 1),
        physical_cores=core.physical_cores,
        tensor_flops_per_s=clock_hz and 2 * core.tensor_rows * core.tensor_columns * clock_hz,
        hbm_bytes_per_s=core.hbm_bytes_per_s,
    )
