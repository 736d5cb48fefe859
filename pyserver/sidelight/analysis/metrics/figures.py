"""The figures there are, and where each of them is from. Cheap to import: no numpy in here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from sidelight.profile.manifest import TrackEngine
from sidelight.profile.quality import QualityNote

Source = Literal["rows", "vendor", "predicted"]
"""Worked out from the profile's own rows, told by the file's summary, or predicted."""

Figures = Mapping[str, float | None]
"""Values by the vendor's names; None is unknown. Times are in seconds unless their names say
otherwise, and what ends in ``_percent`` is a fraction, as the vendor has it."""

ENGINES: Final[tuple[TrackEngine, ...]] = ("tensor", "vector", "scalar", "gpsimd", "sync")
"""The engines of a core that run instructions."""

NAMES: Final = (
    "total_time",
    "total_active_time_percent",
    "hardware_flops",
    "transpose_flops",
    "model_flops",
    "hfu_estimated_percent",
    "mfu_estimated_percent",
    "mfu_inst_estimated_percent",
    "hbm_read_bytes",
    "hbm_write_bytes",
    "mbu_estimated_percent",
    "mm_arithmetic_intensity",
    "peak_flops_bandwidth_ratio",
    *(f"{engine}_engine_active_time_percent" for engine in ENGINES),
    "dma_active_time_percent",
    "cc_op_active_time_percent",
)
"""Those that every summary has, known or not."""


class Metric(msgspec.Struct, frozen=True):
    """A figure of a profile.

    Attributes:
        value: None where it is not known.
        source: Where it is from.
    """

    value: float | None
    source: Source


class Summary(msgspec.Struct, frozen=True):
    """The headline figures of a profile, as ``sidelight summary`` prints them.

    Attributes:
        metrics: By name: those of ``NAMES`` in their order, Sidelight's own, then all others that
            the file's summary has.
        kpis: What a benchmark reported, by name; of a part of the model, its name and a dot stand
            before. None where the report has no value.
        quality: The data-quality report.
    """

    metrics: dict[str, Metric]
    kpis: dict[str, float | None]
    quality: list[QualityNote]
