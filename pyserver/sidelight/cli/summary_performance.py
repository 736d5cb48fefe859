"""Step times and the speed of text generation, in a few lines."""

from __future__ import annotations

from typing import Final

from rich.console import Console

from sidelight.analysis.kpis.performance import GenerationFigures, StepFigures
from sidelight.analysis.kpis.spread import Spread
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest

_FEWEST: Final = 10
"""Of fewer no tenth is below or above: percentiles would be told of what was not seen."""


def render_performance(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print what steps and tokens take.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    performance = summary.performance
    if performance.steps is not None and (performance.steps.time.count or 0) > 1:
        of_rank = "of this rank" if (manifest.world_size or 1) > 1 else ""
        print_group(console, "Steps", _of_steps(performance.steps, of_rank))
    if performance.generation is not None and performance.generation.phases_from != "report":
        print_group(console, "Generation", _of_generation(performance.generation))


def _of_steps(steps: StepFigures, of_rank: str) -> list[Row]:
    is_predicted = steps.time_kind != "measured"
    rows = _row("step time, median", steps.time, is_predicted=is_predicted)
    rows += _rate("samples", steps.samples_per_s, of_rank, is_predicted=is_predicted)
    return rows + _rate("tokens", steps.tokens_per_s, of_rank, is_predicted=is_predicted)


def _of_generation(figures: GenerationFigures) -> list[Row]:
    is_predicted = figures.time_kind != "measured"
    rows: list[Row] = []
    for name, spread in (
        ("TTFT, median", figures.ttft),
        ("per-token latency, median", figures.per_token_latency),
        ("end-to-end latency, median", figures.end_to_end_latency),
    ):
        if spread is not None:
            rows += _row(name, spread, is_predicted=is_predicted)
    for name, rate in (
        ("context encoding, tokens", figures.context_encoding_tokens_per_s),
        ("token generation, tokens", figures.token_generation_tokens_per_s),
    ):
        rows += _rate(name, rate, is_predicted=is_predicted)
    if rows and figures.ttft is None:
        rows.append(("TTFT", "not recorded", "no prompt was read, or only in the warm-up"))
    return rows


def _row(name: str, spread: Spread, *, is_predicted: bool) -> list[Row]:
    if spread.p50_ns is None:
        return []
    count = spread.count or 0
    rest = f"of {count:,}" if count > 1 else ""
    if spread.p10_ns is not None and spread.p90_ns is not None and count >= _FEWEST:
        low, high = (
            units.duration(time_ns, predicted=is_predicted)
            for time_ns in (spread.p10_ns, spread.p90_ns)
        )
        rest = f"p10 {low}, p90 {high}, {rest}"
    return [(name, units.duration(spread.p50_ns, predicted=is_predicted), rest)]


def _rate(name: str, rate: float | None, whose: str = "", *, is_predicted: bool) -> list[Row]:
    if rate is None:
        return []
    return [(name, f"{units.ratio(rate, predicted=is_predicted)}/s", whose)]
