"""What a profile's report says of its key figures, and what these mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sidelight.analysis.kpis.definitions import Definition
from sidelight.analysis.kpis.performance import Performance
from sidelight.analysis.kpis.spread import Spread
from sidelight.analysis.metrics.figures import Metric
from sidelight.analysis.summary import ProfileSummary
from sidelight.export.html.document import Block, Column, Paragraph, Table
from sidelight.profile import units

_FEWEST: Final = 10
"""Of fewer no tenth is below or above: percentiles would be told of what was not seen."""

_OF_METRICS: Final = {
    "MFU": "mfu_estimated_percent",
    "HFU": "hfu_estimated_percent",
    "MBU": "mbu_estimated_percent",
    "arithmetic intensity": "mm_arithmetic_intensity",
    "ridge point": "peak_flops_bandwidth_ratio",
}
"""What is defined by another name than the figure has."""

_AT_ROOF: Final = "faster at roof"

_TIME_COLUMNS: Final = [
    Column("time"),
    *(Column(title, is_number=True) for title in ("median", "p10", "p90", "p99", "mean", "count")),
]

_RATE_COLUMNS: Final = [Column("figure"), Column("rate", is_number=True), Column("of")]


def figure_blocks(summary: ProfileSummary) -> Iterator[Block]:
    """What steps and tokens take, what a benchmark reported, and the headline figures.

    Args:
        summary: The profile's.
    """
    times = list(_times(summary.performance))
    rates = list(_rates(summary.performance))
    metrics = [
        [name, text, metric.source]
        for name, metric in summary.metrics.items()
        if (text := _figure(name, metric))
    ]
    if times:
        yield Table("What steps and generating text take", _TIME_COLUMNS, times)
    if rates:
        yield Table("Throughput", _RATE_COLUMNS, rates)
    if summary.kpis:
        yield Table(
            "What the benchmark reported, by its own names",
            [Column("figure"), Column("value", is_number=True)],
            [
                [name, "not reported" if value is None else units.plain_number(value)]
                for name, value in summary.kpis.items()
            ],
        )
    if metrics:
        yield Table(
            "Summed over the recorded steps, by the names that sidelight summary --json has",
            [Column("figure"), Column("value", is_number=True), Column("source")],
            metrics,
        )
    shown = {name for name, *_ in [*times, *rates]}
    known = {name for name, metric in summary.metrics.items() if metric.value is not None}
    shown |= {name for name, of in _OF_METRICS.items() if of in known}
    if summary.roofline is not None and summary.roofline.whole is not None:
        shown.add(_AT_ROOF)
    yield from _definitions(summary.performance.definitions, shown)


def _times(performance: Performance) -> Iterator[list[str]]:
    if performance.steps is not None:
        steps = performance.steps
        yield from _time("step time", steps.time, is_predicted=steps.time_kind != "measured")
    if performance.generation is not None:
        generation = performance.generation
        is_predicted = generation.time_kind != "measured"
        yield from _time("TTFT", generation.ttft, is_predicted=is_predicted)
        yield from _time(
            "per-token latency", generation.per_token_latency, is_predicted=is_predicted
        )
        yield from _time(
            "end-to-end latency", generation.end_to_end_latency, is_predicted=is_predicted
        )


def _time(name: str, spread: Spread | None, *, is_predicted: bool) -> Iterator[list[str]]:
    if spread is None:
        return
    has_tails = (_FEWEST if spread.count is None else spread.count) >= _FEWEST
    tails = (spread.p10_ns, spread.p90_ns, spread.p99_ns) if has_tails else (None, None, None)
    yield [
        name,
        *(
            "" if time_ns is None else units.duration(time_ns, predicted=is_predicted)
            for time_ns in (spread.p50_ns, *tails, spread.mean_ns)
        ),
        "" if spread.count is None else f"{spread.count:,}",
    ]


def _rates(performance: Performance) -> Iterator[list[str]]:
    steps, generation = performance.steps, performance.generation
    found: list[tuple[str, float | None, str, bool]] = []
    if steps is not None:
        is_predicted = steps.time_kind != "measured"
        found.append(("samples per second", steps.samples_per_s, "samples", is_predicted))
        found.append(("tokens per second", steps.tokens_per_s, "tokens", is_predicted))
    if generation is not None:
        is_predicted = generation.time_kind != "measured"
        read, made = (
            generation.context_encoding_tokens_per_s,
            generation.token_generation_tokens_per_s,
        )
        found.append(("context encoding throughput", read, "tokens", is_predicted))
        found.append(("token generation throughput", made, "tokens", is_predicted))
    for name, rate, what, is_predicted in found:
        if rate is not None:
            yield [name, f"{units.ratio(rate, predicted=is_predicted)}/s", what]


def _definitions(definitions: Sequence[Definition], shown: set[str]) -> Iterator[Block]:
    for name, title, text in ((each.name, each.title, each.text) for each in definitions):
        if name in shown:
            yield Paragraph(f"{name}: {text}" if name == title else f"{name}, {title}: {text}")


def _figure(name: str, metric: Metric) -> str:
    """A value with its unit, which the name tells; empty where it is not known."""
    value = metric.value
    if value is None:
        return ""
    predicted = metric.source == "predicted"
    mark = "≈" if predicted else ""
    if name.endswith("_percent"):
        return mark + (f"{value:.0%}" if value > 1 else units.share(value, 1) or "0%")
    if name.endswith("_ns"):
        return units.duration(value, predicted=predicted)
    if name.endswith("_time"):  # Neuron's own, in seconds
        return units.duration(value * 1e9, predicted=predicted)
    if name.endswith("_flops"):
        return mark + units.flops(round(value))
    if name.endswith("_bytes"):
        return mark + units.size(round(value))
    return units.ratio(value, predicted=predicted)
