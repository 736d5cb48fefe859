"""A profile's headline figures as people read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console

from sidelight.analysis.headline import headline
from sidelight.analysis.metrics.figures import Metric
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.notes import print_notes
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.summary_collectives import render_collectives
from sidelight.cli.summary_core import render_core_use
from sidelight.cli.summary_groups import Row, print_group
from sidelight.cli.summary_lines import render_lines
from sidelight.cli.summary_memory import render_memory
from sidelight.cli.summary_performance import render_performance
from sidelight.cli.summary_roofline import render_roofline
from sidelight.cli.summary_time import render_time
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest

_GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Time": {
        "total_time": "hardware, start to end",
        "total_active_time_percent": "of it, anything active",
        "device_time_ns": "device time",
        "device_busy_ns": "device busy",
        "span_ns": "first work to last",
        "unattributed_ns": "on no line",
        "predicted_ns": "predicted device time",
    },
    "Engines active": {
        "tensor_engine_active_time_percent": "Tensor",
        "vector_engine_active_time_percent": "Vector",
        "scalar_engine_active_time_percent": "Scalar",
        "gpsimd_engine_active_time_percent": "GpSimd",
        "sync_engine_active_time_percent": "Sync",
        "dma_active_time_percent": "DMA",
        "cc_op_active_time_percent": "collectives",
    },
    "Compute": {
        "hardware_flops": "hardware FLOPs",
        "transpose_flops": "of them, transposes",
        "model_flops": "the model's FLOPs",
        "hfu_estimated_percent": "HFU",
        "mfu_estimated_percent": "MFU",
    },
    "Memory": {
        "hbm_read_bytes": "read from HBM",
        "hbm_write_bytes": "written to HBM",
        "mbu_estimated_percent": "MBU",
        "mm_arithmetic_intensity": "arithmetic intensity, products",
        "peak_flops_bandwidth_ratio": "ridge point, one physical core's",
    },
}
"""What is shown, by the names of figures, with what people call them."""

_PER_BYTE: Final = ("mm_arithmetic_intensity", "peak_flops_bandwidth_ratio")

_SECTIONS: Final[tuple[Callable[[Console, ProfileSummary, StoredManifest], None], ...]] = (
    render_lines,
    render_time,
    render_collectives,
    render_memory,
    render_performance,
    render_core_use,
    render_roofline,
)
"""What follows the figures, each in a file of its own; what has nothing to say prints nothing."""

_SOURCES: Final = {
    "rows": "",
    "vendor": "as the file's summary has it",
    "predicted": "predicted",
}


def render_summary(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print a profile's figures, and its data-quality report.

    Args:
        console: Where to; its width is respected.
        summary: The figures.
        manifest: Whose they are.
    """
    if summary.kpis and not manifest.device_time_ns:
        first = f"{manifest.name}: {len(summary.kpis)} figures of a benchmark, no device time"
    elif summary.headline is None:
        first = f"{manifest.name}: figures of a summary, without the events that they are of"
    else:
        first = headline(manifest)
    print_paragraph(console, printable(first), "bold")
    for title, names in _GROUPS.items():
        rows = [
            (label, _text(name, metric), _SOURCES[metric.source])
            for name, label in names.items()
            if (metric := summary.metrics.get(name)) and _is_shown(name, metric)
        ]
        if any(summary.metrics[name].value for name in names if name in summary.metrics):
            of_all = f", all {manifest.steps:,} steps" if manifest.steps > 1 else ""
            print_group(console, f"{title}{of_all}", rows)
    if summary.metrics["device_time_ns"].value is None:
        print_group(console, "Other figures of the file", _others(summary.metrics))
    print_group(
        console,
        "Benchmark",
        [(printable(name), _number(value), "") for name, value in summary.kpis.items()],
    )
    for render in _SECTIONS:
        render(console, summary, manifest)
    if summary.quality:
        console.print()
    print_notes(console, summary.quality)


def _others(metrics: Mapping[str, Metric]) -> list[Row]:
    """Figures of the file that have no place of their own, under the file's own names."""
    shown = {name for names in _GROUPS.values() for name in names}
    return [
        (printable(name), _number(metric.value), "")
        for name, metric in metrics.items()
        if metric.source == "vendor" and metric.value is not None and name not in shown
    ]


def _is_shown(name: str, metric: Metric) -> bool:
    """Whether there is a figure that says something.

    The profiler writes 0 FLOPs for a model whose FLOPs it does not know.
    """
    if metric.value is None:
        return False
    return metric.value != 0 or name not in ("model_flops", "unattributed_ns")


def _text(name: str, metric: Metric) -> str:
    """A value with its unit, which the name tells."""
    value = metric.value or 0
    predicted = metric.source == "predicted"
    approximately = "≈" if predicted else ""
    if name.endswith("_percent"):
        # More than all of it cannot be; it is not to be hidden either.
        return approximately + (f"{value:.0%}" if value > 1 else units.share(value, 1))
    if name.endswith("_ns"):
        return units.duration(value, predicted=predicted)
    if name == "total_time":
        return units.duration(value * 1e9, predicted=predicted)
    if name.endswith("_flops"):
        return approximately + units.flops(round(value))
    if name.endswith("_bytes"):
        return approximately + units.size(round(value))
    return f"{units.ratio(value, predicted=predicted)}{' FLOP/byte' if name in _PER_BYTE else ''}"


def _number(value: float | None) -> str:
    """A figure as the file has it: its name tells the unit."""
    return "not reported" if value is None else units.plain_number(value)
