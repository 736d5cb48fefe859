"""Several processes: ranks under torchrun, and children that run unprofiled."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.document import quality_codes
from support.tool import TIMEOUT_S, Finished, profile_command, profile_json, run

TRAIN = """\
import sys

import torch
import torch.distributed as distributed

backend, device = sys.argv[1:]
distributed.init_process_group(backend)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 8).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(5):
    loss = model(torch.randn(4, 8, device=device)).sum()
    loss.backward()
    optimizer.step()
distributed.destroy_process_group()
"""

LOADER = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4, num_workers=1)
for (batch,) in loader:
    total = batch.sum() + 1
"""

STARTS = """\
import multiprocessing, os, sys
import torch

def work(path):
    try:
        found = torch.ones(2, device="neuron").sum().item()
    except RuntimeError as error:
        found = type(error).__name__
    with open(path, "w") as told:
        told.write(str(found))

if __name__ == "__main__":
    torch.ones(2) + 1
    context = multiprocessing.get_context(sys.argv[1])
    child = context.Process(target=work, args=(sys.argv[2],))
    child.start()
    child.join()
"""

AGAIN = """\
import os, sys

if "AGAIN" not in os.environ:
    how, program = sys.argv[1:3]
    if how == "late":
        import torch
        torch.ones(2) + 1
    again = {**os.environ, "AGAIN": "1", "PYTHONPATH": "/nowhere"}
    if how == "execv":
        os.environ.update(again)
        os.execv(program, [program, *sys.argv])
    os.execve(program, [program, *sys.argv], again)

import torch

assert os.environ["PYTHONPATH"] == "/nowhere", os.environ["PYTHONPATH"]
assert "SIDELIGHT_CAPTURE" not in os.environ
torch.ones(2, device="neuron") * 2
"""

FORK_WITH_DEVICE = """\
import os
import torch

x = torch.ones(4, device="neuron") + 1
child = os.fork()
if child == 0:
    try:
        torch.ones(4, device="neuron")
    except RuntimeError as error:
        os._exit(7 if "torchrun" in str(error) and torch.ones(4).sum().item() == 4 else 8)
    os._exit(9)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""

FORK = """\
import os
import torch

x = torch.ones(4) + 1
child = os.fork()
if child == 0:
    y = x * 2
    os._exit(7)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
z = x - status
"""


def torchrun(
    directory: Path, *options: str, target: str = "cpu", on: tuple[str, str] = ("gloo", "cpu")
) -> None:
    script = directory / "train.py"
    script.write_text(TRAIN)
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    tool = ["-m", "sidelight", "profile", "--store", str(directory / "store"), "--target", target]
    done = run([sys.executable, *launcher, *tool, *options, "--name", "ddp", str(script), *on])
    assert done.status == 0, done.stderr


def lines(directory: Path, reference: str) -> subprocess.CompletedProcess[str]:
    verb = [sys.executable, "-m", "sidelight", "lines", reference, "--json"]
    store = ["--store", str(directory / "store")]
    return subprocess.run(
        [*verb, *store], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def test_every_rank_has_a_profile_of_its_own(tmp_path: Path) -> None:
    torchrun(tmp_path)
    verb = [sys.executable, "-m", "sidelight", "profiles", "--json"]
    listed = json.loads(run([*verb, "--store", tmp_path / "store"]).stdout)["profiles"]
    assert {(each["name"], each["rank"], each["world_size"]) for each in listed} == {
        ("ddp", 0, 2),
        ("ddp", 1, 2),
    }
    by_rank = {each["rank"]: each["profile"] for each in listed}
    for reference, rank in (("ddp", 0), ("ddp#0", 0), ("ddp#1", 1)):
        document = json.loads(lines(tmp_path, reference).stdout)
        assert document["profile"] == by_rank[rank]
        assert document["steps"] == 5


def test_gradients_that_ranks_share_return_on_the_backward_line(tmp_path: Path) -> None:
    torchrun(tmp_path, target="virtual", on=("neuron", "neuron"))
    document = json.loads(lines(tmp_path, "ddp").stdout)
    calls_backward = TRAIN.splitlines().index("    loss.backward()") + 1
    (stats,) = (each for each in document["lines"] if each["line"] == calls_backward)
    copied = {operator["name"]: operator["count"] for operator in stats["ops"]}
    assert copied["aten::copy_"] == 5 * 2, "weight and bias in each of five steps"
    assert document["unattributed_ns"] == 0
    assert stats["forward_ns"] < stats["backward_ns"], "the first gradient is made in the line"


def test_only_the_ranks_asked_for_are_recorded(tmp_path: Path) -> None:
    torchrun(tmp_path, "--ranks", "1")
    assert json.loads(lines(tmp_path, "ddp#1").stdout)["steps"] == 5
    assert lines(tmp_path, "ddp#0").returncode == 3


def test_workers_of_a_data_loader_are_said_to_be_unseen(tmp_path: Path) -> None:
    script = tmp_path / "loader.py"
    script.write_text(LOADER)
    document = profile_json(tmp_path / "store", script)
    assert "children_unseen" in quality_codes(document)
    assert document["script_exit"] == 0


@pytest.mark.parametrize(
    ("method", "found", "is_told"), [("spawn", "RuntimeError", True), ("fork", "2.0", False)]
)
def test_a_process_that_starts_anew_is_said_to_have_no_device(
    method: str, found: str, is_told: bool, tmp_path: Path
) -> None:
    script, told = tmp_path / "starts.py", tmp_path / "told"
    script.write_text(STARTS)
    command = (script, method, str(told))
    document = profile_json(tmp_path / "store", *command, options=["--target", "virtual"])
    assert told.read_text() == found
    assert ("children_without_device" in quality_codes(document)) == is_told
    assert "children_unseen" in quality_codes(document)


def again(tmp_path: Path, how: str, program: str) -> Finished:
    script = tmp_path / "again.py"
    script.write_text(AGAIN)
    options = ["--json", "--target", "virtual"]
    return run(profile_command(tmp_path / "store", script, how, program, options=options))


@pytest.mark.parametrize("how", ["execv", "execve"])
def test_a_script_that_starts_itself_anew_before_torch_is_profiled_there(
    how: str, tmp_path: Path
) -> None:
    done = again(tmp_path, how, sys.executable)
    assert done.status == 0, done.stderr[-4000:]
    by_line = {line["line"]: line["ops"] for line in json.loads(done.stdout)["lines"]}
    multiplied = AGAIN.splitlines().index('torch.ones(2, device="neuron") * 2') + 1
    assert "aten::mul" in {operator["name"] for operator in by_line[multiplied]}


def test_a_script_that_goes_over_to_another_program_is_told_to_profile_that(tmp_path: Path) -> None:
    done = again(tmp_path, "execve", "/bin/true")
    error = json.loads(done.stdout)["error"]
    assert (done.status, error["code"]) == (1, "process_replaced")
    assert "/bin/true" in error["message"]
    assert "--python PATH" in error["message"]


def test_what_takes_over_after_torch_is_said_to_be_unseen(tmp_path: Path) -> None:
    document = json.loads(again(tmp_path, "late", "/bin/true").stdout)
    assert "process_replaced" in quality_codes(document)
    assert "aten::add" in {op["name"] for line in document["lines"] for op in line["ops"]}


@pytest.mark.parametrize("target", ["virtual", "fake"])
def test_a_forked_child_is_told_what_helps(target: str, tmp_path: Path) -> None:
    script = tmp_path / "fork.py"
    script.write_text(FORK_WITH_DEVICE)
    profile_json(tmp_path / "store", script, options=["--target", target])


def test_a_forked_child_neither_records_nor_disturbs(tmp_path: Path) -> None:
    script = tmp_path / "fork.py"
    script.write_text(FORK)
    document = profile_json(tmp_path / "store", script)
    by_line = {line["line"]: [op["name"] for op in line["ops"]] for line in document["lines"]}
    assert "aten::sub" in by_line[10]
    assert 7 not in by_line, "the child's work is not in the parent's profile"
    assert document["script_exit"] == 0
