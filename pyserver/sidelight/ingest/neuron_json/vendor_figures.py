"""What a file of Neuron's profilers says beside its rows: figures, versions, warnings, the core."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, Final

import msgspec

from sidelight.ingest.dropped_events import dropped_events, losses_apart
from sidelight.ingest.hbm_use import bytes_by_use
from sidelight.ingest.neuron_json.cores import Facts
from sidelight.ingest.neuron_json.values import real_number, whole_number
from sidelight.ingest.notes import SIMULATED, quoted
from sidelight.profile.manifest import CoreFigures, Manifest, is_profile_name

MEMORY_LIST: Final = "nc_mem_usage"
"""The list of what HBM holds, use by use and core by core."""

_VERSION: Final = "_version"
_LONGEST_TEXT: Final = 500
_SECOND_NS: Final = 10**9


def describe_summary(manifest: Manifest, summary: Mapping[str, Any]) -> None:
    """Take the figures of a summary into the manifest, by the vendor's names.

    Numbers become ``vendor_metrics`` as they are (a ``*_percent`` is a fraction, a time is in
    seconds unless its name ends in ``_ns``), and versions ``versions``.
    """
    for key, value in summary.items():
        if key.endswith(_VERSION):
            if isinstance(value, str) and value:
                name = f"neuron_{key.removesuffix(_VERSION)}"
                manifest.versions[name[:_LONGEST_TEXT]] = value[:_LONGEST_TEXT]
        elif (number := real_number(value)) is not None:
            manifest.vendor_metrics[key] = number


def describe_device(manifest: Manifest, facts: Facts, physical_cores: int) -> None:
    """Take what the short lists of a device profile say into the manifest."""
    summary, metadata = _merged(facts, "summary"), _merged(facts, "metadata")
    header, info = _merged(facts, "neff_header"), _merged(facts, "profile_info")
    describe_summary(manifest, summary)
    for name, value in (
        ("neuron_profiler", info.get("profiler_version")),
        ("ntff", metadata.get("ntff_version")),
        ("neff_uuid", header.get("uuid")),
    ):
        if value not in (None, ""):
            manifest.versions.setdefault(name, str(value)[:_LONGEST_TEXT])
    name = str(info.get("profile_name") or "")[:_LONGEST_TEXT]
    if is_profile_name(name):
        manifest.name = name
    if str(metadata.get("is_simulation")).lower() in ("true", "yes", "1"):
        manifest.time_kind = "predicted"
        manifest.quality.append(SIMULATED)
    manifest.core = msgspec.structs.replace(
        core_figures(metadata, summary, physical_cores),
        hbm_bytes_by_use=bytes_by_use(
            (str(row.get("usage_type") or ""), whole_number(row.get("amount_bytes")))
            for row in facts.get(MEMORY_LIST, ())
        ),
    )
    manifest.start_unix_ns = _start_unix_ns(metadata)
    lost, others = losses_apart(
        [str(row.get("message") or "")] for row in facts.get("warnings", ())
    )
    manifest.quality += dropped_events(lost)
    manifest.quality += quoted("profiler_warning", "Neuron Profiler warns", others)


def core_figures(
    metadata: Mapping[str, Any], summary: Mapping[str, Any], physical_cores: int
) -> CoreFigures:
    """The core's figures, as ``metadata`` has them: clocks in GHz, bandwidths in bytes a second."""
    defaults = CoreFigures()
    clock_ghz = real_number(metadata.get("pe_clock_freq"))
    bandwidth = real_number(metadata.get("hbm_ddr_bandwidth"))
    return CoreFigures(
        instance_type=str(summary.get("instance_type") or "")[:_LONGEST_TEXT],
        physical_cores=physical_cores,
        tensor_rows=_positive(metadata.get("pe_num_rows")) or defaults.tensor_rows,
        tensor_columns=_positive(metadata.get("pe_num_cols")) or defaults.tensor_columns,
        tensor_clock_hz=clock_ghz * 1e9 if clock_ghz else None,
        hbm_bytes_per_s=bandwidth or None,
        first_ns=whole_number(metadata.get("first_hw_timestamp")),
        last_ns=whole_number(metadata.get("last_hw_timestamp")),
    )


def _merged(facts: Facts, name: str) -> Mapping[str, Any]:
    """The one row that a list has; of several, the first that has a field counts for it."""
    merged: dict[str, Any] = {}
    for row in facts.get(name, ()):
        merged = {**row, **merged}
    return merged


def _positive(value: Any) -> int | None:
    number = whole_number(value)
    return number if number is not None and number > 0 else None


def _start_unix_ns(metadata: Mapping[str, Any]) -> int:
    """What the rows' zero is since 1970; 0 where the file does not know, and counts from 1970.

    ``first_ts`` has nine decimals, more than ``datetime`` keeps.
    """
    text = str(metadata.get("first_ts") or "").rstrip("Z")
    seconds, _, decimals = text.partition(".")
    try:
        start = datetime.fromisoformat(seconds).replace(tzinfo=timezone.utc)
        fraction_ns = int(decimals.ljust(9, "0")[:9]) if decimals else 0
    except ValueError:
        return 0
    start_ns = int(start.timestamp()) * _SECOND_NS + fraction_ns
    first_ns = whole_number(metadata.get("first_hw_timestamp")) or 0
    return start_ns - first_ns if 1970 < start.year < 2100 and 0 <= first_ns <= start_ns else 0
