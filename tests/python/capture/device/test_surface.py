"""What programs call on a device that is stood in for, and the tutorial's way to profile on it."""

from __future__ import annotations

import ast
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.prediction import predict_call
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from support.document import Document, line_of
from support.tool import PROGRAMS, Finished, profile_command, profile_json, run

VIRTUAL = PROGRAMS / "virtual"
OPTIONS = ("--target", "virtual")

LINEAR = OperatorCall(
    "aten::addmm",
    (
        Tensor((512,), "bfloat16"),
        Tensor((128, 256), "bfloat16"),
        Tensor((256, 512), "bfloat16"),
        1,
        1,
    ),
)
RELU = OperatorCall("aten::relu", (Tensor((128, 512), "bfloat16"),))


def predicted_ns(call: OperatorCall) -> int:
    prediction = predict_call(call, Setup())
    assert prediction is not None
    return prediction.duration_ns


def profiled(
    store: Path, *program: str | Path, target: str = "virtual", **environment: str
) -> Finished:
    """A program's run, with its own output in ``stdout``."""
    command = profile_command(store, *program, options=["--target", target])
    return run(command, environment=environment)


def test_every_call_that_programs_make_is_answered(tmp_path: Path) -> None:
    done = profiled(tmp_path, VIRTUAL / "surface.py", NEURON_RT_NUM_CORES="2")
    assert done.status == 0, done.stderr
    assert "all is there" in done.stdout


@pytest.mark.parametrize("target", ["virtual", "fake"])
def test_the_tutorials_table_has_predicted_times_and_says_so(tmp_path: Path, target: str) -> None:
    done = profiled(
        tmp_path / "store", VIRTUAL / "tutorial.py", tmp_path / "sessions", target=target
    )
    assert done.status == 0, done.stderr
    assert "Times of the device are predicted for trn2, LNC 2" in done.stdout
    assert "an invented option is refused" in done.stdout
    assert "sidelight::" not in done.stdout

    rows = re.findall(r"^row\|(.*)\|(\d+)\|(.*)$", done.stdout, re.MULTILINE)
    shown = {name: (int(count), round(float(time_us) * 1000)) for name, count, time_us in rows}
    linear, relu = 3 * predicted_ns(LINEAR), 3 * predicted_ns(RELU)
    assert shown == {
        "aten::addmm": (3, linear),
        "aten::addmm (predicted)": (3, linear),
        "aten::relu": (3, relu),
        "aten::relu (predicted)": (3, relu),
    }
    assert f"Self NEURON time total: {(linear + relu) / 1000:.3f}us" in done.stdout


@pytest.mark.parametrize("stacks", [(), ("stacks",)])
def test_the_tutorials_trace_is_the_programs_alone(tmp_path: Path, stacks: tuple[str]) -> None:
    document = profile_json(
        tmp_path / "store", VIRTUAL / "tutorial.py", str(tmp_path / "out"), *stacks, options=OPTIONS
    )
    assert document["steps"] == 3
    line = line_of(document, VIRTUAL / "tutorial.py", 37)
    assert line is not None
    assert line["self_ns"] == document["device_time_ns"]
    assert line["self_ns"] == 3 * (predicted_ns(LINEAR) + predicted_ns(RELU))

    (trace,) = (tmp_path / "out").glob("*_pid_*/*/trace.json")
    content: dict[str, Any] = json.loads(trace.read_text())
    rows = [row for row in content["traceEvents"] if row["ph"] == "X"]
    names = [str(row["name"]) for row in rows]
    assert not [name for name in names if "sidelight" in name]
    operators = [name for row, name in zip(rows, names, strict=True) if row["cat"] == "cpu_op"]
    per_step = ["linear", "t", "transpose", "as_strided", "addmm", "relu"]
    assert operators == [f"aten::{name}" for name in per_step * 3]
    assert any("tutorial.py" in name for name in names) == bool(stacks)
    assert content["traceName"] == str(trace)


COMPILED = """\
import torch
from torch.profiler import ProfilerActivity, profile

def normalised(inputs, weight):
    squares = inputs.pow(2).mean(-1, keepdim=True)
    return torch.relu(inputs * torch.rsqrt(squares + 1e-6) * weight)

inputs = torch.randn(512, 512, device="neuron", requires_grad=True)
weight = torch.ones(512, device="neuron")
compiled = torch.compile(normalised, backend="neuron")
gradient = torch.ones(512, 512, device="neuron")
for function in (normalised, compiled):
    function(inputs, weight).backward(gradient)
    inputs.grad = None
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as prof:
        function(inputs, weight).backward(gradient)
        inputs.grad = None
    rows = [row for row in prof.key_averages() if row.key.endswith("(predicted)")]
    print("kernels", sum(row.count for row in rows))
    print("graphs", *(graph.graph_node_count for graph in torch.neuron.get_dynamo_metrics()))
    print("total_us", sum(row.self_device_time_total for row in rows))
"""


def test_a_compiled_function_takes_what_its_graphs_take(tmp_path: Path) -> None:
    """Eager there is a kernel for each operator, compiled there are two: forward and backward."""
    script = tmp_path / "script.py"
    script.write_text(COMPILED)
    command = profile_command(tmp_path / "store", "--json", script, options=OPTIONS)
    done = run(command)
    assert done.status == 0, done.stderr
    document: Document = json.loads(done.stdout)
    eager, compiled = (int(each) for each in re.findall(r"kernels (\d+)", done.stderr))
    assert eager > 12
    assert compiled == 2
    counts = re.search(r"graphs (\d+) (\d+)$", done.stderr, re.MULTILINE)
    assert counts, "a graph forward and one backward"
    assert int(counts[1]) >= 6, "pow, mean, add, rsqrt, two products and relu"
    totals_ns = [round(float(each) * 1000) for each in re.findall(r"total_us (\S+)", done.stderr)]
    assert sum(totals_ns) == document["device_time_ns"]
    assert totals_ns[0] > 3 * totals_ns[1]


@pytest.mark.parametrize("target", ["virtual", "auto", "fake"])
def test_the_package_brings_torch_along(tmp_path: Path, target: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import importlib.util, sys\n"
        "found = importlib.util.find_spec('torch_neuronx') is not None\n"
        "assert found and 'torch' not in sys.modules\n"
        "import torch_neuronx.profiling\n"
        "import torch\n"
        "assert torch.zeros(2, device='neuron').is_neuron\n"
        "assert torch_neuronx.synchronize == torch.neuron.synchronize\n"
    )
    document = profile_json(tmp_path / "store", script, options=["--target", target])
    assert document["script_exit"] == 0


@pytest.mark.parametrize("target", ["virtual", "fake"])
def test_the_real_package_is_left_alone(target: str, tmp_path: Path) -> None:
    """One that is installed is imported, and nothing stands in for its device."""
    (tmp_path / "torch_neuronx.py").write_text("is_real = True\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import torch_neuronx\n"
        "assert torch_neuronx.is_real\n"
        "import torch\n"
        "assert not hasattr(torch, 'neuron')\n"
        "torch.ones(4) + 1\n"
    )
    document = profile_json(tmp_path / "store", script, options=["--target", target])
    assert document["script_exit"] == 0
    (note,) = [note for note in document["quality"] if note["code"] == "device_left_to_package"]
    assert note["message"].startswith("torch-neuronx is installed, and has made no device")
    assert "Use an environment without that package" in note["message"]


def test_a_package_that_does_not_load_is_said_to_be_why_there_is_no_core(tmp_path: Path) -> None:
    (tmp_path / "torch_neuronx.py").write_text(
        "raise ImportError('libnrt.so.1: cannot open shared object file\\nand more')\n"
    )
    script = tmp_path / "script.py"
    script.write_text("import torch\ntorch.ones(4) + 1\n")
    done = profiled(tmp_path / "store", "--json", script, target="neuron")
    assert done.status == 1
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "no_neuron_device"
    assert error["message"].startswith(
        "torch finds no NeuronCore on this machine (torch_neuronx does not load: ImportError: "
        "libnrt.so.1: cannot open shared object file); use --target virtual"
    )


def test_another_backend_is_left_alone(tmp_path: Path) -> None:
    """torch loads it with itself, as it does TorchNeuron."""
    (tmp_path / "other.py").write_text(
        "import torch\ndef load():\n    torch.utils.rename_privateuse1_backend('other')\n"
    )
    metadata = tmp_path / "other-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: other\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[torch.backends]\nother = other:load\n")
    script = tmp_path / "script.py"
    script.write_text("import torch\ntorch.ones(4) + 1\n")
    command = profile_command(tmp_path / "store", script, options=["--json", "--target", "virtual"])
    done = run(command, environment={"PYTHONPATH": str(tmp_path)})
    assert done.status == 0, done.stderr
    (note,) = [
        note
        for note in json.loads(done.stdout)["quality"]
        if note["code"] == "device_left_to_package"
    ]
    assert note["message"].startswith("Another backend (`other`) is registered")


def test_on_the_cpu_there_is_no_package(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import importlib.util, torch\n"
        "assert importlib.util.find_spec('torch_neuronx') is None\n"
        "assert not hasattr(torch, 'neuron')\n"
    )
    document = profile_json(tmp_path / "store", script)
    assert document["script_exit"] == 0


ELAPSED = """\
import torch

matrix = torch.ones(64, 64, device="neuron")
start, end = (torch.neuron.Event(enable_timing=True) for _ in range(2))
start.record()
for _ in range(10):
    matrix @ matrix
end.record()
torch.neuron.synchronize()
print("elapsed", start.elapsed_time(end))
"""


@pytest.mark.parametrize("blocking", [False, True])
def test_elapsed_time_is_predicted(tmp_path: Path, blocking: bool) -> None:
    """Ten launches, and at least the last product: blocking, all ten are waited for."""
    script = tmp_path / "script.py"
    script.write_text(ELAPSED)
    environment = {"NEURON_LAUNCH_BLOCKING": "1"} if blocking else {}
    done = profiled(tmp_path / "store", script, **environment)
    assert done.status == 0, done.stderr
    elapsed_ns = float(done.stdout.split()[1]) * 1e6
    launch_ns = Setup().parameters.eager_launch_ns
    product_ns = predicted_ns(OperatorCall("aten::mm", (Tensor((64, 64), "float32"),) * 2))
    assert elapsed_ns >= 10 * launch_ns + (10 if blocking else 1) * product_ns


def test_a_forked_child_is_told_that_it_cannot_go_on(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, torch\n"
        "torch.ones(2, device='neuron')\n"
        "if os.fork() == 0:\n"
        "    assert torch.neuron._is_in_bad_fork() and not torch.neuron.is_initialized()\n"
        "    torch.manual_seed(1)\n"
        "    try:\n"
        "        torch.neuron.init()\n"
        "    except RuntimeError as error:\n"
        "        assert 'Cannot re-initialize Neuron runtime' in str(error)\n"
        "        os._exit(7)\n"
        "    os._exit(1)\n"
        "assert os.waitstatus_to_exitcode(os.wait()[1]) == 7\n"
        "assert not torch.neuron._is_in_bad_fork()\n"
    )
    if hasattr(os, "fork"):
        document = profile_json(tmp_path / "store", script, options=OPTIONS)
        assert document["script_exit"] == 0


def test_operators_that_run_whole_are_one_kernel_as_in_the_profile(tmp_path: Path) -> None:
    """Layers forward, and a norm six times backward, twice along each graph."""
    command = profile_command(
        tmp_path, "--json", VIRTUAL / "whole_operators.py", options=["--target", "virtual"]
    )
    done = run(command)
    assert done.status == 0, done.stderr
    printed = dict(line.split(" ", 1) for line in done.stderr.splitlines()[-2:])
    assert ast.literal_eval(printed["kernels"]) == {
        "RMSNorm": {"aten::rms_norm (predicted)": 1},
        "LSTM": {"aten::lstm (predicted)": 1, "aten::zeros (predicted)": 2},
        "GRU": {"aten::gru (predicted)": 1, "aten::zeros (predicted)": 1},
        "RNN": {"aten::rnn_tanh (predicted)": 1, "aten::zeros (predicted)": 1},
    }
    document: Document = json.loads(done.stdout)
    assert round(float(printed["total_us"]) * 1000) == document["device_time_ns"]
    backward = [
        operator["count"]
        for line in document["lines"]
        for operator in line["ops"]
        if operator["name"] == "aten::rms_norm_backward"
    ]
    assert sum(backward) == 6


def test_streams_take_tensors_without_values(tmp_path: Path) -> None:
    """A product on a stream of its own: a launch, and what it takes."""
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\n"
        "matrix = torch.ones(64, 64, device='neuron')\n"
        "start, end = (torch.neuron.Event(enable_timing=True) for _ in range(2))\n"
        "side = torch.neuron.Stream()\n"
        "with torch.neuron.stream(side):\n"
        "    start.record()\n"
        "    product = matrix @ matrix\n"
        "    end.record()\n"
        "product.record_stream(side)\n"
        "torch.neuron.current_stream().wait_stream(side)\n"
        "print('elapsed', start.elapsed_time(end))\n"
    )
    done = profiled(tmp_path / "store", script, target="fake")
    assert done.status == 0, done.stderr
    product_ns = predicted_ns(OperatorCall("aten::mm", (Tensor((64, 64), "float32"),) * 2))
    elapsed_ns = float(done.stdout.split()[1]) * 1e6
    assert elapsed_ns >= Setup().parameters.eager_launch_ns + product_ns
