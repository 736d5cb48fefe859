"""Idle time of public traces: that it adds up, and a cause that can be read off the trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.idle.report import idle_time
from sidelight.analysis.lines import line_report
from sidelight.analysis.step_time.breakdown import step_time

FOLDER = Path(__file__).parents[4] / "shared" / "traces"
TRACES = [
    *sorted(
        path for path in (FOLDER / "torch").glob("*.gz") if not path.name.endswith("_et.json.gz")
    ),
    *sorted((FOLDER / "neuron" / "kernel-fusion").glob("*_profile_full.json")),
]
BERT = FOLDER / "torch" / "tracelens__h100_gaunernst_bert-small-uncased__1016001.json.gz"

pytestmark = pytest.mark.skipif(not TRACES, reason="the real traces are not here")


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name[:48])
def test_idle_time_and_steps_add_up(path: Path) -> None:
    profile = attribute(ingest.read(path))
    found, report, time = idle_time(profile), line_report(profile, ""), step_time(profile)
    assert found is not None
    assert time is not None
    assert (found.span_ns, found.device_busy_ns) == (report.span_ns, report.device_busy_ns)
    assert found.idle_ns + found.between_steps_ns == report.span_ns - report.device_busy_ns
    for causes, whole_ns in ((found.causes, found.idle_ns), (found.waiting, found.waiting_ns)):
        assert sum(cause.duration_ns for cause in causes) == whole_ns
        for cause in causes:
            assert sum(line.duration_ns for line in cause.lines) == cause.duration_ns
    assert found.waiting_ns <= found.device_busy_ns
    assert time.total.duration_ns == report.recorded_ns
    for parts in (time.total, *time.steps):
        assert parts.duration_ns == parts.device_ns + (parts.host_ns or 0) + parts.idle_ns


def test_a_wait_for_a_value() -> None:
    found = idle_time(attribute(ingest.read(BERT)))
    assert found is not None
    (cause,) = [each for each in found.causes if each.cause == "synchronize"]
    (line,) = cause.lines
    # The mask is looked at: `torch.all(mask == 1)` in an if of transformers'.
    assert line.file is not None
    assert line.file.endswith("modeling_attn_mask_utils.py")
    assert "`cudaStreamSynchronize`" in line.evidence
