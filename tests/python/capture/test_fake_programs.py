"""Programs that check for themselves what they find where nothing is computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from support.document import broken_invariants, line_of, quality_codes
from support.fake_runs import FAKE, fake_run, outermost_operators, row_names
from support.tool import interpreters, profile_command, run

LARGE_BYTES = 150 * 8192 * 8192 * 4
"""What the weights of ``large.py`` would take, without gradients and optimizer state."""


@pytest.mark.parametrize("python", interpreters())
def test_modules_are_converted_copied_saved_and_loaded(python: str, tmp_path: Path) -> None:
    weights = tmp_path / "weights.pt"
    torch.save(torch.nn.Linear(4, 2).state_dict(), weights)
    program = ("conversions.py", tmp_path, weights)
    done = fake_run(tmp_path / "store", *program, status=1, python=python)
    lines = (FAKE / "conversions.py").read_text().splitlines()

    # The last line loads what is not there: torch says it as ever, and the note what to do.
    assert f"FileNotFoundError: [Errno 2] No such file or directory: '{tmp_path}/missing.pt'" in (
        done.stderr
    )
    assert f'conversions.py", line {len(lines)}, in <module>' in done.stderr
    assert "/capture/" not in done.stderr
    (missing,) = done.notes("checkpoint_missing")
    assert missing["severity"] == "error"
    assert missing["message"].startswith(f"conversions.py:{len(lines)} loads {tmp_path}/missing.pt")

    assert not (tmp_path / "whole.pt").exists(), "it is there until the run ends"
    assert (tmp_path / "model.pt").read_text() == "days of training"
    saved = [note["message"].split()[0] for note in done.notes("checkpoint_not_written")]
    assert [lines[int(place.split(":")[1]) - 1].partition("(")[0] for place in saved] == [
        "torch.save",
        "torch.save",
    ]


@pytest.mark.parametrize("python", interpreters())
def test_batches_come_from_loaders_and_their_workers(python: str, tmp_path: Path) -> None:
    done = fake_run(tmp_path, "loading.py", python=python)
    assert quality_codes(done.document) >= {"children_unseen", "device_assumed"}
    assert not done.notes("fake_value_read"), "a loader's own numbers are known"


def test_a_program_that_says_neuron(tmp_path: Path) -> None:
    done = fake_run(tmp_path, "neuron.py", options=["--device", "trn1"])
    assert "device_assumed" not in quality_codes(done.document)
    assert broken_invariants(done.document) == []
    profile = done.profile
    # Three calls in each of two steps, and a copy to the host.
    assert row_names(profile).count("sidelight::synchronize") == 2 * 3 + 1
    calls = outermost_operators(profile)
    assert sum(n for call, n in calls.items() if call.name == "aten::linear") == 2 * 2 + 1
    # Autograd runs a device's backward on a thread of its own, where no line runs.
    assert any(call.name == "aten::mm" and not call.line for call in calls)
    lines = (FAKE / "neuron.py").read_text().splitlines()
    forward = 1 + lines.index("        product = model[0](inputs)") + 1
    line = line_of(done.document, FAKE / "neuron.py", forward)
    assert line is not None
    assert line["backward_ns"] > line["forward_ns"] > 0


def test_a_program_that_synchronizes_waits_for_the_device(tmp_path: Path) -> None:
    spans: dict[bool, int] = {}
    for waits in (False, True):
        program = tmp_path / f"waits_{waits}.py"
        program.write_text(
            "import torch\n"
            "matrix = torch.empty(4096, 4096, device='neuron', dtype=torch.bfloat16)\n"
            "for _ in range(4):\n"
            "    matrix @ matrix\n" + "    torch.neuron.synchronize()\n" * waits
        )
        done = fake_run(tmp_path / "store", program)
        spans[waits] = done.document["span_ns"]
        (product_ns,) = {line["self_ns"] // 4 for line in done.document["lines"]}
    # A product takes longer than its launch: unless the host waits, launches hide behind products.
    launch_ns = 104_000
    assert product_ns > launch_ns
    assert spans[False] == 4 * product_ns
    assert spans[True] == pytest.approx(4 * product_ns + 3 * launch_ns, rel=1e-3)


def test_what_the_host_computes_is_no_work_of_the_devices(tmp_path: Path) -> None:
    program = tmp_path / "both.py"
    program.write_text(
        "import torch\n"
        "sample = torch.randn(512, 512)\n"
        "scaled = sample * 2\n"
        "matrix = scaled.to('neuron')\n"
        "for _ in range(3):\n"
        "    product = matrix @ matrix\n"
        "    loss = product.cpu()\n"
        "    loss.sum().item()\n"
        "weight = torch.randn(64, 64, requires_grad=True)\n"
        "(weight @ weight).sum().backward()\n"
    )
    done = fake_run(tmp_path / "store", program)
    lines = {
        line["line"]: [each["name"] for each in line["ops"]] for line in done.document["lines"]
    }
    assert lines == {4: ["aten::_to_copy"], 6: ["aten::mm"], 7: ["aten::_to_copy"]}
    assert broken_invariants(done.document) == []
    assert row_names(done.profile).count("sidelight::synchronize") == 3


@pytest.mark.parametrize(
    ("copy", "waits"), [(".cpu()", True), (".to('cpu', non_blocking=True)", False)]
)
def test_a_copy_to_the_host_waits_for_the_device(copy: str, waits: bool, tmp_path: Path) -> None:
    program = tmp_path / "copies.py"
    program.write_text(
        "import torch\n"
        "matrix = torch.empty(4096, 4096, device='neuron', dtype=torch.bfloat16)\n"
        "for _ in range(4):\n"
        f"    (matrix @ matrix){copy}\n"
    )
    document = fake_run(tmp_path / "store", program).document
    # Products and copies take longer than their launches, which hide unless the host waits.
    idle_ns = document["span_ns"] - document["device_busy_ns"]
    assert idle_ns == (pytest.approx(3 * 104_000, rel=1e-3) if waits else 0)


def test_the_device_that_is_there(tmp_path: Path) -> None:
    done = fake_run(tmp_path, "devices.py")
    (note,) = done.notes("device_assumed")
    assert note["severity"] == "info"
    assert "(cpu)" in note["message"]


@pytest.mark.skipif(torch.backends.cuda.is_built(), reason="tells of torch without CUDA")
def test_cuda_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = fake_run(tmp_path, "devices.py", "cuda", status=1)
    assert done.document["script_exit"] == 1
    (note,) = done.notes("cuda_not_here")
    assert note["message"].startswith("devices.py:8 needs CUDA")


@pytest.mark.parametrize("python", interpreters())
def test_work_on_threads(python: str, tmp_path: Path) -> None:
    done = fake_run(tmp_path, "threads.py", python=python)
    (read,) = done.notes("fake_value_read")
    assert read["count"] == 40
    (needed,) = done.notes("fake_value_needed")
    assert needed["message"].startswith("threads.py:23 ")
    assert "/capture/" not in done.stderr
    if "other_threads_unseen" not in quality_codes(done.document):
        calls = outermost_operators(done.profile)
        assert sum(n for call, n in calls.items() if call.name == "aten::linear") == 40


def test_a_large_model_takes_no_memory(tmp_path: Path) -> None:
    done = fake_run(tmp_path, "large.py")
    peak_bytes = int(done.stderr.split()[0])
    assert peak_bytes < LARGE_BYTES / 20
    memory = done.profile.manifest.memory
    assert memory is not None
    assert memory.weights_bytes == LARGE_BYTES


def test_a_torch_that_is_not_as_it_should_be_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, types\n"
        "sys.modules['torch._dynamo.eval_frame'] = types.ModuleType('torch._dynamo.eval_frame')\n"
        "import torch\n"
        "print('computed', torch.ones(2).sum())\n"
    )
    options = ["--target", "fake", "--json"]
    done = run(profile_command(tmp_path / "store", script, options=options), cwd=tmp_path)
    assert done.status == 1
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "fake_unsupported"
    assert "--target cpu" in error["message"]
    assert "computed" not in done.stderr


def test_an_installed_package_keeps_its_device(tmp_path: Path) -> None:
    """It registers the device when it is imported, which nothing of ours may forestall."""
    package = tmp_path / "torch_neuronx"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from torch.utils import backend_registration as backends\n"
        "class Device(backends._DummyBackendModule):\n"
        "    pass\n"
        "backends._setup_privateuseone_for_python_backend('neuron', backend_module=Device())\n"
    )
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\n"
        "assert not hasattr(torch, 'neuron')\n"
        "import torch_neuronx\n"
        "assert type(torch.neuron) is torch_neuronx.Device\n"
        "model = torch.nn.Linear(4, 4).to('neuron')\n"
        "model(torch.randn(2, 4, device='neuron')).sum().backward()\n"
        "assert model.weight.grad.is_neuron\n"
    )
    done = fake_run(tmp_path / "store", script, cwd=tmp_path)
    assert "device_assumed" not in quality_codes(done.document)
