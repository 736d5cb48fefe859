"""What a device profile says of itself beside its events: the core, versions, figures, warnings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Final

from sidelight.ingest.dropped_events import dropped_events, losses_apart
from sidelight.ingest.explorer.columns import NO_TIME, Batch
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.hbm_use import bytes_by_use
from sidelight.ingest.notes import quoted
from sidelight.ingest.time_policy import LONGEST_NS
from sidelight.profile import units
from sidelight.profile.manifest import CoreFigures, Manifest, Throttling, is_profile_name
from sidelight.profile.quality import QualityNote

_GIGAHERTZ: Final = 1e9
_MOST_CORES: Final = 64
_MOST_FIGURES: Final = 2000

_VERSIONS: Final = {
    "neuron_explorer": "explorer_version",
    "neuron_runtime": "runtime_version",
    "neuron_compiler": "compiler_version",
    "neuron_collectives": "collectives_version",
    "neuron_driver": "driver_version",
    "ntff": "ntff_version",
    "profile_schema": "profile_schema_version",
}
"""What the manifest calls the versions that ``Metadata`` has."""


class DeviceFacts:
    """Reads the small tables of a device profile.

    Args:
        tables: The profile's tables.

    Attributes:
        core: The logical core's name.
        figures: What is known of it.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._metadata = metadata = tables.read(
            "Metadata",
            (
                *_VERSIONS.values(),
                *("num_physical_cores", "first_hw_timestamp", "last_hw_timestamp", "instance_type"),
                *("tensor_engine_num_rows", "tensor_engine_num_cols", "tensor_engine_clock_freq"),
                *("hbm_ddr_bandwidth", "neuroncore_idx", "profile_name", "is_simulation"),
            ),
        )
        number = _first(metadata, "neuroncore_idx")
        self.core = f"NeuronCore {max(number or 0, 0)}"
        self.is_simulation = _text(metadata, "is_simulation").lower() in ("true", "1")
        figures = self._figures()
        self.figures = figures if len(metadata) or figures != CoreFigures() else None

    def describe(self, manifest: Manifest) -> None:
        """Fill in a manifest: name, core, versions, the tool's own figures and warnings."""
        name = _text(self._metadata, "profile_name").strip()
        if is_profile_name(name):
            manifest.name = name[:200]
        manifest.core = self.figures
        for key, column in _VERSIONS.items():
            if version := _text(self._metadata, column).strip():
                manifest.versions[key] = version[:100]
        header = self._tables.read("NeffHeader", ("uuid",))
        if uuid := _text(header, "uuid").strip():
            manifest.versions["neff_uuid"] = uuid[:100]
        self._take_summary(manifest)
        manifest.quality += [*self._warnings(), *self._errors()]
        if self.figures is not None:
            manifest.quality += _throttled(self.figures.throttling)

    def _figures(self) -> CoreFigures:
        metadata = self._metadata
        clock = _number(metadata, "tensor_engine_clock_freq")
        if clock is not None and clock < 1e4:  # in the schema's unit, gigahertz
            clock *= _GIGAHERTZ
        cores = _first(metadata, "num_physical_cores")
        plain = CoreFigures()
        return CoreFigures(
            instance_type=_text(metadata, "instance_type")[:100],
            physical_cores=cores if cores is not None and 1 <= cores <= _MOST_CORES else 1,
            tensor_rows=_positive(metadata, "tensor_engine_num_rows") or plain.tensor_rows,
            tensor_columns=_positive(metadata, "tensor_engine_num_cols") or plain.tensor_columns,
            tensor_clock_hz=clock,
            hbm_bytes_per_s=_number(metadata, "hbm_ddr_bandwidth"),
            first_ns=_time(metadata, "first_hw_timestamp"),
            last_ns=_time(metadata, "last_hw_timestamp"),
            hbm_capacity_bytes=hbm_capacity_bytes(self._tables),
            hbm_bytes_by_use=self._hbm_bytes_by_use(),
            throttling=self._throttling(),
        )

    def _hbm_bytes_by_use(self) -> dict[str, int]:
        table = self._tables.read("HbmUsageSummaryByType", ("usage_type", "usage_bytes"))
        rows = zip(table.texts("usage_type"), table.integers("usage_bytes").tolist(), strict=True)
        return bytes_by_use(rows)

    def _throttling(self) -> list[Throttling]:
        active_ns = "throttle_active_time_ns"
        allowed = "max_achievable_util_with_throttling_percent"
        table = self._tables.read(
            "ThrottleSummary", ("nc_idx", "throttle_type", active_ns, allowed)
        )
        rows = zip(
            table.integers("nc_idx").tolist(),
            table.texts("throttle_type"),
            table.times(active_ns).tolist(),
            table.numbers(allowed).tolist(),
            strict=True,
        )
        return [
            Throttling(
                core=core,
                kind=kind[:100] or "unknown",
                active_ns=time if 0 <= time <= LONGEST_NS else None,
                allowed_fraction=part if 0 <= part <= 1 else None,
            )
            for core, kind, time, part in islice(rows, _MOST_FIGURES)
        ]

    def _take_summary(self, manifest: Manifest) -> None:
        names = self._tables.columns("Summary")[:_MOST_FIGURES]
        summary = self._tables.read("Summary", names)
        for name in names:
            value = _number(summary, name, least=-math.inf)
            if value is not None:
                manifest.vendor_metrics[name] = value
        if len(summary) > 1:
            manifest.quality.append(
                QualityNote(
                    "several_summaries",
                    "info",
                    "The profile has several summaries; the tool's figures are of the first. "
                    "Figures that come from rows are of all: rely on these.",
                    len(summary),
                )
            )

    def _warnings(self) -> list[QualityNote]:
        table = self._tables.read("Warning", ("message", "category"))
        texts = zip(table.texts("category"), table.texts("message"), strict=True)
        lost, others = losses_apart(texts)
        warnings = quoted("profiler_warning", "Neuron Explorer warns", others)
        return [*dropped_events(lost), *warnings]

    def _errors(self) -> list[QualityNote]:
        table = self._tables.read("Error", ("type", "description", "metadata"))
        texts = zip(
            table.texts("type"), table.texts("description"), table.texts("metadata"), strict=True
        )
        return quoted("hardware_event", "The hardware reported", texts)


def _throttled(throttling: Sequence[Throttling]) -> list[QualityNote]:
    active_ns = max((each.active_ns or 0 for each in throttling), default=0)
    if not active_ns:
        return []
    return [
        QualityNote(
            "throttled",
            "info",
            f"Heat or power limits slowed the core for {units.duration(active_ns)}: what ran then "
            "took longer than the chip needs for it. Compare it with runs that were slowed alike, "
            "or profile again when the machine has been idle.",
            len({each.core for each in throttling if each.active_ns}),
        )
    ]


def hbm_capacity_bytes(tables: Tables) -> int | None:
    """HBM of a core, as the system profile has it; None where there is none."""
    table = tables.read("SystemProfileMetadata", ("hbm_capacity_bytes",))
    return _positive(table, "hbm_capacity_bytes", most=1 << 50)


def _text(batch: Batch, column: str) -> str:
    return next((text for text in batch.texts(column) if text), "")


def _first(batch: Batch, column: str) -> int | None:
    return next(
        (value for value in batch.integers(column, NO_TIME).tolist() if value != NO_TIME), None
    )


def _positive(batch: Batch, column: str, most: int = 1 << 20) -> int | None:
    value = _first(batch, column)
    return value if value is not None and 0 < value < most else None


def _time(batch: Batch, column: str) -> int | None:
    return next((value for value in batch.times(column).tolist() if value != NO_TIME), None)


def _number(batch: Batch, column: str, least: float = 1e-300) -> float | None:
    """The first number of a column; one of single precision as it was written, not as it is held.

    Its shortest text is what was meant: 2.4, where the number that is held is 2.4000001.
    """
    for text in batch.texts(column):
        try:
            value = float(text)
        except ValueError:
            continue
        if math.isfinite(value) and value >= least:
            return value
    return None
