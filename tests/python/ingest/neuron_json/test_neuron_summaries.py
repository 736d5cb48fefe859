"""Summaries as JSON, in all their shapes, and as text: figures by the vendor's names."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from sidelight import ingest
from sidelight.ingest.neuron_json import summaries as reader
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile

EXCERPTS = Path(__file__).parents[4].parent / "shared" / "traces" / "neuron" / "excerpts"
needs_excerpts = pytest.mark.skipif(
    not EXCERPTS.exists(), reason="the folder of public traces is not beside the checkout"
)

FIGURES: dict[str, Any] = {
    "total_time": 0.213808050051,
    "tensor_engine_active_time_percent": 2.2616407562047187e-06,
    "hbm_read_bytes": 6582249472,
    "hardware_flops": "161563672576",
    "instance_type": "trn1.2xlarge",
    "compiler_version": "2.24.5133.0+58f8de22",
    "flag": False,
    "nothing": None,
}
METRICS = {
    "total_time": 0.213808050051,
    "tensor_engine_active_time_percent": 2.2616407562047187e-06,
    "hbm_read_bytes": 6582249472.0,
    "hardware_flops": 161563672576.0,
}
DEVICE, SYSTEM = "n_" + "7792fe1d" * 5, "s_" + "2b34ee28" * 5


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


@pytest.mark.parametrize(
    "document",
    [{DEVICE: FIGURES}, FIGURES, {"summary": [FIGURES]}, {"Summary": [FIGURES]}],
    ids=["block", "flat", "summary", "Summary"],
)
@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_every_shape_of_json(tmp_path: Path, document: Any, suffix: str) -> None:
    path = tmp_path / f"a summary{suffix}"
    text = json.dumps(document, indent=2).encode()
    path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
    profile = ingest.read(path)
    manifest = profile.manifest
    assert (manifest.format, manifest.name, manifest.device) == (
        "neuron_summary",
        "a summary",
        "neuron",
    )
    assert manifest.vendor_metrics == METRICS
    assert manifest.versions == {"neuron_compiler": "2.24.5133.0+58f8de22"}
    assert manifest.core is not None
    assert manifest.core.instance_type == "trn1.2xlarge"
    assert len(profile.events) == 0
    assert codes(profile) == {"figures_alone": 1}


def test_each_device_is_a_profile_and_the_system_is_with_the_first(tmp_path: Path) -> None:
    path = tmp_path / "several.json"
    other = {**FIGURES, "total_time": 1.5}
    counts = {"message_count": {"Trace_Events": 9634}, "total_duration_ns": 1786270865722793417}
    path.write_text(json.dumps({SYSTEM: counts, DEVICE: FIGURES, "n_" + "0" * 40: other}))
    [recording] = ingest.recordings(path)
    first, second = recording.read(None)
    assert [each.manifest.name for each in (first, second)] == [
        "several 7792fe1d77",
        "several 0000000000",
    ]
    assert first.manifest.vendor_metrics == {**METRICS, "message_count.Trace_Events": 9634.0}
    assert second.manifest.vendor_metrics == {**METRICS, "total_time": 1.5}
    assert codes(first) == {"figures_alone": 1, "absurd_figure": 1}
    assert codes(second) == {"figures_alone": 1}
    alone = ingest.read(path)
    assert alone.manifest.vendor_metrics == first.manifest.vendor_metrics
    assert codes(alone)["summaries_left_out"] == 1
    path.write_text(json.dumps({SYSTEM: counts, "S": []}))
    assert ingest.read(path).manifest.vendor_metrics == {"message_count.Trace_Events": 9634.0}


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "summary.txt"
    path.write_text(
        f"{SYSTEM}\n"
        "    total_duration_ns    1786270865722793417\n"
        "    message_count:\n"
        "        Cpu_Util_Message_Count          0\n"
        "        deeper:\n"
        "            one    1\n"
        "    after    7\n"
        f"{DEVICE}\r\n"
        "    hardware_flops     161563672576\r\n"
        "    runtime_version    2.30.51 (faafe)\r\n"
        "nonsense\n"
        "    \n"
        "    share_percent    1e-3\n"
    )
    [recording] = ingest.recordings(path)
    [device] = recording.read(None)
    assert device.manifest.name == "summary"
    assert device.manifest.versions == {"neuron_runtime": "2.30.51 (faafe)"}
    assert device.manifest.vendor_metrics == {
        "hardware_flops": 161563672576.0,
        "share_percent": 1e-3,
        "message_count.Cpu_Util_Message_Count": 0.0,
        "message_count.deeper.one": 1.0,
        "after": 7.0,
    }


@needs_excerpts
def test_the_real_summary_as_json() -> None:
    path = EXCERPTS / "summary_json_trn1_profiler_2.29.json"
    document = json.loads(path.read_bytes())
    profile = ingest.read(path)
    expected = {name: value for name, value in document.items() if not isinstance(value, str)}
    assert profile.manifest.vendor_metrics == expected


@needs_excerpts
def test_the_real_summary_as_text() -> None:
    path = EXCERPTS / "summary_text_system_plus_device_trn2_2026.txt"
    found = {
        name.rpartition(".")[2]: value
        for name, value in ingest.read(path).manifest.vendor_metrics.items()
    }
    lines = [line.split() for line in path.read_text().splitlines()]
    written = {words[0]: float(words[1]) for words in lines if len(words) == 2}
    assert found["adjusted_hardware_flops"] == 161_563_672_576
    assert found["nc_exec_running"] == 40
    assert {**found, "total_duration_ns": written["total_duration_ns"]} == written


def test_values_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(
        f'{{"{DEVICE}": {{"hbm_read_bytes": NaN, "dma_active_time": Infinity, "x": 1}}}}'
    )
    assert ingest.read(path).manifest.vendor_metrics == {"x": 1.0}
    path.write_text(f'{{"{DEVICE}": {{"hbm_read_bytes": "none"}}}}')
    with pytest.raises(UnreadableInputError, match=r"odd\.json is a summary without a") as caught:
        ingest.read(path)
    assert caught.value.code == "no_figures"
    path.write_text(f'{{"{DEVICE}": {{"hbm_read_bytes": 5}}, "n_')
    cut = ingest.read(path)
    assert cut.manifest.vendor_metrics == {"hbm_read_bytes": 5.0}
    assert codes(cut)["cut_off"] == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"num_prompts": 5, "duration": 3.0, "mean_ttft_ms": 5}',
        '{"e2e_model": {"latency_ms_p50": 1.0, "throughput": 5.0}}',
        '{"summary": "all is well", "total_time": 5}',
        '{"summary": [{"name": "a"}]}',
        "n_7792fe1d is no block",
        "{}",
    ],
)
def test_other_files_are_not_summaries(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    assert not reader.detect(path)
