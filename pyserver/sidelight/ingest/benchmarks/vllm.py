"""Reads the results of ``vllm bench serve``, ``latency`` and ``throughput``.

The three differ in their keys. ``serve`` writes milliseconds, as ``<statistic>_<metric>_ms`` for
whichever metrics and percentiles were asked for; the other two write seconds
(``vllm/benchmarks/serve.py``, ``latency.py``, ``throughput.py``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from sidelight.ingest.benchmarks.reports import (
    Fields,
    Figures,
    documents_in,
    fields_of,
    has_keys,
    head_of,
    number,
    profile_of,
)
from sidelight.ingest.byte_source import Progress
from sidelight.ingest.formats import Format
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

_KINDS: Final = (
    ("request_throughput", "completed"),
    ("avg_latency", "percentiles"),
    ("requests_per_second", "tokens_per_second"),
)
"""Keys that only the result of one of the three has together."""

_STATISTIC: Final = re.compile(
    r"(?P<statistic>mean|median|std|p\d{1,3}(?:\.\d{1,6})?)_(?P<metric>[a-z][a-z0-9_]{0,40})_ms"
)
_PERCENTILE: Final = re.compile(r"\d{1,3}(?:\.\d{1,6})?")

_FIGURES: Final = (
    # Name here, key, what to multiply with.
    ("request_throughput_per_s", "request_throughput", 1.0),
    ("request_throughput_per_s", "requests_per_second", 1.0),
    ("request_goodput_per_s", "request_goodput", 1.0),
    ("output_throughput_tokens_per_s", "output_throughput", 1.0),
    ("total_throughput_tokens_per_s", "total_token_throughput", 1.0),
    ("total_throughput_tokens_per_s", "tokens_per_second", 1.0),
    ("peak_output_throughput_tokens_per_s", "max_output_tokens_per_s", 1.0),
    ("peak_concurrent_requests", "max_concurrent_requests", 1.0),
    ("accepted_tokens_per_draft", "spec_decode_acceptance_length", 1.0),
    ("draft_acceptance_fraction", "spec_decode_acceptance_rate", 0.01),
    ("requests", "num_requests", 1.0),
    ("requests_completed", "completed", 1.0),
    ("requests_failed", "failed", 1.0),
    ("input_tokens", "total_input_tokens", 1.0),
    ("output_tokens", "total_output_tokens", 1.0),
    ("total_tokens", "total_num_tokens", 1.0),
    ("duration_s", "duration", 1.0),
    ("duration_s", "elapsed_time", 1.0),
    ("latency_mean_ms", "avg_latency", 1000.0),
    ("latency_std_ms", "std_latency", 1000.0),
)

_NULL: Final = b"null"


def detect(path: Path) -> bool:
    """Whether a file begins like a result: an object with the keys of one of the three kinds."""
    head = head_of(path)
    return any(has_keys(head, *keys) for keys in _KINDS)


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a result; of several, which ``--append-result`` writes, the last.

    Args:
        path: Plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, no JSON, or holds no figure.
    """
    *earlier, last = documents_in(path, progress)
    # Null stands for what was not asked for, such as goodput.
    result = {key: value for key, value in last.items() if bytes(value) != _NULL}
    notes: list[QualityNote] = []
    if earlier:
        notes.append(
            QualityNote(
                "earlier_results",
                "info",
                "The file holds several results; the last is shown. Write the others to files of "
                "their own to compare them.",
                len(earlier),
            )
        )
    notes += _requests(result)
    figures = Figures()
    if _of(result, "completed") != 0:
        _take_statistics(result, figures)
    for name, key, scale in _FIGURES:
        figures.take(name, result, key, scale=scale)
    return profile_of(path, FORMAT.name, "unknown", figures, notes)


def _of(result: Fields, key: str) -> float | None:
    return number(result[key]) if key in result else None


def _take_statistics(result: Fields, figures: Figures) -> None:
    for key in result:
        if match := _STATISTIC.fullmatch(key):
            statistic = match["statistic"].replace("median", "p50").replace(".", "_")
            figures.take(f"{match['metric']}_{statistic}_ms", result, key)
    percentiles = fields_of(result.get("percentiles", msgspec.Raw(_NULL))) or {}
    for key in percentiles:
        if _PERCENTILE.fullmatch(key):
            name = f"latency_p{key.replace('.', '_')}_ms"
            figures.take(name, percentiles, key, scale=1000.0)


def _requests(result: Fields) -> list[QualityNote]:
    if _of(result, "completed") == 0:
        return [
            QualityNote(
                "no_request_completed",
                "error",
                "No request was completed. The latencies that the result gives as 0 are left out: "
                "nothing was measured. Check the server's log, and repeat the benchmark.",
            )
        ]
    failed = _of(result, "failed") or 0
    if failed < 1:
        return []
    return [
        QualityNote(
            "requests_failed",
            "warning",
            "Requests failed; the figures are of the others, and the load was less than was asked "
            "for. Check the server's log, and repeat the benchmark.",
            int(min(failed, 2**53)),
        )
    ]


FORMAT: Final = Format("vllm_report", detect, read)
