"""Reads the benchmark report of NeuronX Distributed Inference (``benchmark_report.json``).

It names parts of a model (``e2e_model`` is the whole) and gives each part's latency and throughput,
or null for one that was not measured. Throughput is configured tokens over measured time: for the
whole that is the model's maximum length, with the prompt's tokens in it
(``neuronx_distributed_inference/utils/benchmark.py``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sidelight.ingest.benchmarks.reports import (
    Fields,
    Figures,
    documents_in,
    fields_of,
    head_of,
    profile_of,
)
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.formats import Format
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

WHOLE: Final = "e2e_model"
PREFILL: Final = "context_encoding_model"
DECODE: Final = "token_generation_model"
VISION: Final = "vision_encoder_model"
SPECULATION: Final = (
    "speculation_model",
    "fused_speculation_model",
    "medusa_speculation_model",
)
_PARTS: Final = (WHOLE, PREFILL, DECODE, *SPECULATION, VISION)

_STATISTICS: Final = {
    "latency_ms_avg": "mean",
    "latency_ms_p50": "p50",
    "latency_ms_p90": "p90",
    "latency_ms_p95": "p95",
    "latency_ms_p99": "p99",
    "latency_ms_p100": "p100",
}

_PART: Final = re.compile(
    rb'"(?:%b)"\s*:\s*(?:null|\{\s*"(?:latency_ms_|throughput"))' % "|".join(_PARTS).encode()
)


def detect(path: Path) -> bool:
    """Whether a file begins like a report: an object with a part's latency, or null for a part."""
    return _PART.search(head_of(path)) is not None


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a report.

    Args:
        path: Plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, no JSON, or holds no figure.
    """
    report = documents_in(path, progress)[0]
    parts = {name: fields_of(value) for name, value in report.items() if name.endswith("_model")}
    measured = {name: fields for name, fields in parts.items() if fields is not None}
    figures = Figures()
    notes = [*_of_the_whole(measured, figures), *_skipped(parts)]
    for name, fields in measured.items():
        for key, statistic in _STATISTICS.items():
            figures.take(f"latency_{statistic}_ms", fields, key, part=name)
        figures.take("throughput_tokens_per_s", fields, "throughput", part=name)
    return profile_of(path, FORMAT.name, "neuron", figures, notes)


def _of_the_whole(measured: dict[str, Fields], figures: Figures) -> list[QualityNote]:
    """Take what people ask of a model from its parts, where that is what they measured."""
    notes: list[QualityNote] = []
    if WHOLE in measured:
        _take_latency("e2el", measured[WHOLE], figures)
        figures.take("throughput_tokens_per_s", measured[WHOLE], "throughput")
        notes.append(
            QualityNote(
                "throughput_with_prompt",
                "info",
                "The throughput of the whole model counts the tokens that were configured, those "
                "of the prompt too. For generated tokens alone look at token_generation_model.",
            )
        )
    taken: list[str] = []
    if PREFILL in measured and VISION not in measured:
        _take_latency("ttft", measured[PREFILL], figures)
        taken.append(f"TTFT is the latency of {PREFILL}")
    if DECODE in measured and measured.keys().isdisjoint(SPECULATION):
        _take_latency("per_token_latency", measured[DECODE], figures)
        taken.append(f"per-token latency is that of {DECODE}")
    if taken:
        text = " and ".join(taken)
        notes.append(
            QualityNote(
                "latency_of_parts",
                "info",
                f"{text[0].upper()}{text[1:]}: what the host does between the calls, and a prompt "
                "that is encoded in several calls, are not in it. Measure at the server "
                "(vllm bench serve) for what a user waits.",
            )
        )
    if PREFILL in measured and VISION in measured:
        notes.append(
            QualityNote(
                "ttft_not_measured",
                "info",
                f"With a vision encoder the first token takes longer than {PREFILL} does, and the "
                "report does not tell how long, so there is no TTFT. Measure at the server.",
            )
        )
    if not measured.keys().isdisjoint(SPECULATION):
        notes.append(
            QualityNote(
                "tokens_per_call_unknown",
                "info",
                "With speculation a call gives a number of tokens that the report does not tell, "
                "so there is no per-token latency. Look at the latency of the whole.",
            )
        )
    return notes


def _take_latency(name: str, fields: Fields, figures: Figures) -> None:
    for key, statistic in _STATISTICS.items():
        figures.take(f"{name}_{statistic}_ms", fields, key)


def _skipped(parts: dict[str, Fields | None]) -> list[QualityNote]:
    skipped = sorted(name for name, fields in parts.items() if fields is None)
    if not skipped:
        return []
    return [
        QualityNote(
            "parts_not_measured",
            "info",
            f"The report has no figures of {', '.join(name[:80] for name in skipped[:8])}: the "
            "model has no such part, or the benchmark left it out (its target). "
            "Benchmark all targets to have them.",
            len(skipped),
        )
    ]


FORMAT: Final = Format("nxdi_report", detect, read)
