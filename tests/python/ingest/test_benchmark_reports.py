"""Reports of benchmarks: which figures they become, and what is said of those that are missing."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sidelight import ingest
from sidelight.ingest.benchmarks import nxdi, vllm
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile

SAMPLES = sorted((Path(__file__).parents[3].parent / "shared" / "traces" / "nxdi").glob("*.json"))

LATENCY = {
    "latency_ms_p50": 20.5,
    "latency_ms_p90": 21.0,
    "latency_ms_p95": 22.0,
    "latency_ms_p99": 23.0,
    "latency_ms_p100": 24.0,
    "latency_ms_avg": 20.75,
    "throughput": 100.0,
}

SERVED: dict[str, Any] = {
    "date": "20261130-120000",
    "model_id": "meta-llama/Llama-3.1-8B",
    "num_prompts": 10,
    "request_rate": "inf",
    "max_concurrency": None,
    "duration": 12.5,
    "completed": 10,
    "failed": 0,
    "total_input_tokens": 1000,
    "total_output_tokens": "500",
    "request_throughput": 0.8,
    "request_goodput": None,
    "output_throughput": "40.0",
    "total_token_throughput": 120.0,
    "generated_texts": ['"mean_ttft_ms": 1, "traceEvents": [NaN]'],
    "mean_ttft_ms": 30.5,
    "median_ttft_ms": 30.25,
    "std_ttft_ms": 1.5,
    "p99_ttft_ms": 41.0,
    "p99.9_tpot_ms": 7.0,
    "mean_e2el_ms": 900.0,
}


def written(path: Path, document: object) -> Path:
    text = json.dumps(document).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def figures(profile: Profile, part: str = "") -> dict[str, float | None]:
    return {kpi.name: kpi.value for kpi in profile.manifest.kpis if kpi.part == part}


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def test_nxdi_parts_and_what_they_say_of_the_whole(tmp_path: Path) -> None:
    report = {
        "e2e_model": {**LATENCY, "latency_ms_p50": 2857.25, "throughput": 360.5},
        "context_encoding_model": {**LATENCY, "latency_ms_p99": "20.5"},
        "token_generation_model": {**LATENCY, "latency_ms_p50": 4.5},
        "speculation_model": None,
    }
    profile = ingest.read(written(tmp_path / "benchmark_report.json", report))
    assert (profile.manifest.format, profile.manifest.device) == ("nxdi_report", "neuron")
    assert (profile.manifest.name, len(profile.events)) == ("benchmark_report", 0)
    whole = figures(profile)
    assert whole["e2el_p50_ms"] == 2857.25
    assert whole["throughput_tokens_per_s"] == 360.5
    assert (whole["ttft_p50_ms"], whole["ttft_p99_ms"], whole["ttft_mean_ms"]) == (
        20.5,
        20.5,
        20.75,
    )
    assert whole["per_token_latency_p50_ms"] == 4.5
    decode = figures(profile, "token_generation_model")
    assert (decode["latency_p50_ms"], decode["latency_p100_ms"]) == (4.5, 24.0)
    assert decode["throughput_tokens_per_s"] == 100.0
    assert figures(profile, "speculation_model") == {}
    assert codes(profile) == {
        "figures_alone": 1,
        "throughput_with_prompt": 1,
        "latency_of_parts": 1,
        "parts_not_measured": 1,
    }


def test_nxdi_gives_no_figure_of_the_whole_that_its_parts_do_not_measure(tmp_path: Path) -> None:
    report = {
        "context_encoding_model": LATENCY,
        "vision_encoder_model": LATENCY,
        "token_generation_model": LATENCY,
        "fused_speculation_model": LATENCY,
    }
    profile = ingest.read(written(tmp_path / "report.json.gz", report))
    assert figures(profile) == {}
    assert figures(profile, "vision_encoder_model")["latency_p90_ms"] == 21.0
    assert codes(profile) == {
        "figures_alone": 1,
        "ttft_not_measured": 1,
        "tokens_per_call_unknown": 1,
    }


def test_latencies_of_parts_are_said_to_be_that(tmp_path: Path) -> None:
    path = written(tmp_path / "report.json", {"token_generation_model": LATENCY})
    messages = [note.message for note in ingest.read(path).manifest.quality]
    assert any(
        message.startswith("Per-token latency is that of token_generation_model:")
        for message in messages
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NaN", None),
        ("Infinity", None),
        ('"nan"', None),
        ("-1", None),
        ("true", None),
        ("1e308", None),
        ("0", 0.0),
    ],
)
def test_a_value_that_is_no_latency_is_unknown(
    tmp_path: Path, text: str, value: float | None
) -> None:
    path = tmp_path / "report.json"
    part = '{"latency_ms_p50": ' + text + ', "latency_ms_p90": 2.5}'
    path.write_text('{"token_generation_model": ' + part + ', "e2e_model": NaN}')
    profile = ingest.read(path)
    assert figures(profile)["per_token_latency_p50_ms"] == value
    assert figures(profile)["per_token_latency_p90_ms"] == 2.5
    # The part's own figure, and that of the whole which is made of it.
    assert codes(profile).get("figure_unreadable", 0) == (2 if value is None else 0)
    assert codes(profile)["parts_not_measured"] == 1


def test_vllm_serve(tmp_path: Path) -> None:
    profile = ingest.read(written(tmp_path / "served.json", SERVED))
    assert (profile.manifest.format, profile.manifest.device) == ("vllm_report", "unknown")
    assert figures(profile) == {
        "ttft_mean_ms": 30.5,
        "ttft_p50_ms": 30.25,
        "ttft_std_ms": 1.5,
        "ttft_p99_ms": 41.0,
        "tpot_p99_9_ms": 7.0,
        "e2el_mean_ms": 900.0,
        "request_throughput_per_s": 0.8,
        "output_throughput_tokens_per_s": 40.0,
        "total_throughput_tokens_per_s": 120.0,
        "requests_completed": 10.0,
        "requests_failed": 0.0,
        "input_tokens": 1000.0,
        "output_tokens": 500.0,
        "duration_s": 12.5,
    }
    assert codes(profile) == {"figures_alone": 1}


def test_vllm_latency_and_throughput(tmp_path: Path) -> None:
    latency = {
        "avg_latency": 0.5,
        "std_latency": 0.25,
        "latencies": [0.25, 0.75],
        "percentiles": {"50": 0.5, "99": "0.75"},
    }
    assert figures(ingest.read(written(tmp_path / "latency.json", latency))) == {
        "latency_p50_ms": 500.0,
        "latency_p99_ms": 750.0,
        "latency_mean_ms": 500.0,
        "latency_std_ms": 250.0,
    }
    throughput = {
        "elapsed_time": 4.0,
        "num_requests": 8,
        "total_num_tokens": 800,
        "requests_per_second": 2.0,
        "tokens_per_second": 200.0,
    }
    assert figures(ingest.read(written(tmp_path / "throughput.json", throughput))) == {
        "request_throughput_per_s": 2.0,
        "total_throughput_tokens_per_s": 200.0,
        "requests": 8.0,
        "total_tokens": 800.0,
        "duration_s": 4.0,
    }


def test_requests_that_failed_are_told(tmp_path: Path) -> None:
    profile = ingest.read(written(tmp_path / "some.json", {**SERVED, "completed": 7, "failed": 3}))
    assert codes(profile)["requests_failed"] == 3


def test_latencies_of_no_request_are_not_0(tmp_path: Path) -> None:
    nothing = {**SERVED, "completed": 0, "failed": 10, "mean_ttft_ms": 0.0}
    profile = ingest.read(written(tmp_path / "none.json", nothing))
    assert "ttft_mean_ms" not in figures(profile)
    assert codes(profile)["no_request_completed"] == 1


def test_of_appended_results_the_last_is_read(tmp_path: Path) -> None:
    path = tmp_path / "appended.json"
    lines = [json.dumps({**SERVED, "mean_ttft_ms": value}) for value in (1.0, math.nan, 3.0)]
    path.write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    profile = ingest.read(path)
    assert figures(profile)["ttft_mean_ms"] == 3.0
    assert codes(profile)["earlier_results"] == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"e2e_model": null, "context_encoding_model": null}', "no_figures"),
        ('{"e2e_model": {"latency_ms_p50": 1.5', "broken_json"),
        ('{"e2e_model": null, "deep": ' + "[" * 100_000, "broken_json"),
        ('{"e2e_model": null, "deep": ' + "[" * 100_000 + "]" * 100_000 + "}", "broken_json"),
        ('{"completed": 1, "request_throughput": NaN}', None),
    ],
)
def test_reports_that_hold_nothing(tmp_path: Path, text: str, code: str | None) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    if code is None:
        assert codes(ingest.read(path))["figure_unreadable"] == 1
        return
    with pytest.raises(UnreadableInputError, match=r"report\.json") as raised:
        ingest.read(path)
    assert raised.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        '{"traceEvents": [{"ph": "X", "name": "\\"e2e_model\\": null"}]}',
        '[{"e2e_model": null}]',
        '{"e2e_model": "gpt"}',
        '{"request_throughput": 1}',
        "",
        '"e2e_model": null',
    ],
)
def test_other_files_are_not_reports(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    assert not nxdi.detect(path)
    assert not vllm.detect(path)
    assert not nxdi.detect(tmp_path)
    assert not vllm.detect(tmp_path / "absent.json")


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    report=st.sampled_from([{"e2e_model": LATENCY, "speculation_model": None}, SERVED]),
    at=st.integers(0, 10**6),
    length=st.integers(0, 30),
    put=st.binary(max_size=30),
)
def test_a_damaged_report_is_read_or_explained(
    tmp_path: Path, report: dict[str, Any], at: int, length: int, put: bytes
) -> None:
    text = json.dumps(report).encode()
    at %= len(text)
    path = tmp_path / "damaged.json"
    path.write_bytes(text[:at] + put + text[at + length :])
    for format_ in (nxdi.FORMAT, vllm.FORMAT):
        format_.detect(path)
        try:
            kpis = format_.read(path).manifest.kpis
        except UnreadableInputError as error:
            kpis = []
            message = error.message
        else:
            message = str(path)
        assert str(path) in message
        assert all(kpi.value is None or 0 <= kpi.value < math.inf for kpi in kpis)


@pytest.mark.skipif(not SAMPLES, reason="the folder of public reports is not beside the checkout")
def test_a_real_report() -> None:
    document = json.loads(SAMPLES[0].read_text())
    profile = ingest.read(SAMPLES[0])
    for part, values in document.items():
        if values is not None:
            taken = figures(profile, part)
            assert taken["latency_p50_ms"] == values["latency_ms_p50"]
            assert taken["throughput_tokens_per_s"] == values["throughput"]
            assert len(taken) == len(values)
    assert figures(profile)["ttft_p50_ms"] == document["context_encoding_model"]["latency_ms_p50"]
    assert codes(profile)["parts_not_measured"] == 1
