"""Programs that check for themselves what they find where nothing is computed."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from support.document import broken_invariants, line_of, quality_codes
from support.fake_runs import FAKE, fake_run, outermost_operators, row_names
from support.tool import interpreters

LARGE_BYTES = 150 * 8192 * 8192 * 4
"""What the weights of ``large.py`` would take, without gradients and optimizer state."""


@pytest.mark.parametrize("python", interpreters())
def test_modules_are_converted_copied_saved_and_loaded(python: str, tmp_path: Path) -> None:
    weights = tmp_path / "weights.pt"
    torch.save(torch.nn.Linear(4, 2).state_dict(), weights)
    program = ("conversions.py", tmp_path, weights)
    run = fake_run(tmp_path / "store", *program, status=1, python=python)
    lines = (FAKE / "conversions.py").read_text().splitlines()

    # The last line loads what is not there: torch says it as ever, and the note what to do.
    assert f"FileNotFoundError: [Errno 2] No such file or directory: '{tmp_path}/missing.pt'" in (
        run.stderr
    )
    assert f'conversions.py", line {len(lines)}, in <module>' in run.stderr
    assert "/capture/" not in run.stderr
    (missing,) = run.notes("checkpoint_missing")
    assert missing["severity"] == "error"
    assert missing["message"].startswith(f"conversions.py:{len(lines)} loads {tmp_path}/missing.pt")

    saved = [note["message"].split()[0] for note in run.notes("checkpoint_not_written")]
    assert [lines[int(place.split(":")[1]) - 1].partition("(")[0] for place in saved] == [
        "torch.save",
        "torch.save",
    ]


@pytest.mark.parametrize("python", interpreters())
def test_batches_come_from_loaders_and_their_workers(python: str, tmp_path: Path) -> None:
    run = fake_run(tmp_path, "loading.py", python=python)
    assert quality_codes(run.document) >= {"children_unseen", "device_assumed"}
    assert not run.notes("fake_value_read"), "a loader's own numbers are known"


def test_a_program_that_says_neuron(tmp_path: Path) -> None:
    run = fake_run(tmp_path, "neuron.py", options=["--device", "trn1"])
    assert "device_assumed" not in quality_codes(run.document)
    assert broken_invariants(run.document) == []
    profile = run.profile
    assert row_names(profile).count("sidelight::synchronize") == 2 * 3
    calls = outermost_operators(profile)
    assert sum(n for call, n in calls.items() if call.name == "aten::linear") == 2 * 2 + 1
    # Autograd runs a device's backward on a thread of its own, where no line runs.
    assert any(call.name == "aten::mm" and not call.line for call in calls)
    lines = (FAKE / "neuron.py").read_text().splitlines()
    forward = 1 + lines.index("        product = model[0](inputs)") + 1
    line = line_of(run.document, FAKE / "neuron.py", forward)
    assert line is not None
    assert line["backward_ns"] > line["forward_ns"] > 0


def test_the_device_that_is_there(tmp_path: Path) -> None:
    run = fake_run(tmp_path, "devices.py")
    (note,) = run.notes("device_assumed")
    assert note["severity"] == "info"
    assert "(cpu)" in note["message"]


@pytest.mark.skipif(torch.backends.cuda.is_built(), reason="tells of torch without CUDA")
def test_cuda_that_is_not_there_is_told(tmp_path: Path) -> None:
    run = fake_run(tmp_path, "devices.py", "cuda", status=1)
    assert run.document["script_exit"] == 1
    (note,) = run.notes("cuda_not_here")
    assert note["message"].startswith("devices.py:8 needs CUDA")


@pytest.mark.parametrize("python", interpreters())
def test_work_on_threads(python: str, tmp_path: Path) -> None:
    run = fake_run(tmp_path, "threads.py", python=python)
    (read,) = run.notes("fake_value_read")
    assert read["count"] == 40
    (needed,) = run.notes("fake_value_needed")
    assert needed["message"].startswith("threads.py:23 ")
    assert "/capture/" not in run.stderr
    if "other_threads_unseen" not in quality_codes(run.document):
        calls = outermost_operators(run.profile)
        assert sum(n for call, n in calls.items() if call.name == "aten::linear") == 40


def test_a_large_model_takes_no_memory(tmp_path: Path) -> None:
    run = fake_run(tmp_path, "large.py")
    peak_bytes = int(run.stderr.split()[0])
    assert peak_bytes < LARGE_BYTES / 20
    memory = run.profile.manifest.memory
    assert memory is not None
    assert memory.weights_bytes == LARGE_BYTES
