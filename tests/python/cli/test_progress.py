"""The stages of a run, as JSON lines on a descriptor of the caller's."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.running import Run
from support.tool import TIMEOUT_S, profile_command

SCRIPT = """\
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(6):
    model(torch.ones(4, 8)).sum().backward()
    optimizer.step()
"""
RUNS_ON = """
import sys
sys.stdin.readline()  # the script runs on until it is told that its profile is there
"""


def start(tmp_path: Path, script: str, *options: str, pass_fd: int) -> subprocess.Popen[bytes]:
    (tmp_path / "train.py").write_text(script)
    command = profile_command(
        tmp_path / "store",
        "train.py",
        options=["--json", "--warmup", "1", "--steps", "3", *options],
    )
    return subprocess.Popen(
        [str(part) for part in command],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[pass_fd],
        start_new_session=True,
    )


def stages(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def names(lines: list[dict[str, Any]]) -> list[str]:
    """The stages' names, repetitions left out."""
    found = [line["stage"] for line in lines]
    return [name for name, before in zip(found, [None, *found], strict=False) if name != before]


def test_stages_of_a_script_that_runs_on(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with start(tmp_path, SCRIPT + RUNS_ON, "--progress-fd", str(writing), pass_fd=writing) as run:
        os.close(writing)
        with open(reading, encoding="utf-8") as progress:
            before: list[dict[str, Any]] = []
            for line in progress:
                before.append(json.loads(line))
                if before[-1]["stage"] == "running_on":
                    break
            assert run.poll() is None
            stdout, _ = run.communicate(b"go on\n", timeout=TIMEOUT_S)
            after = stages(progress.read())
    assert names(before) == ["starting", "recording", "reading", "stored", "running_on"]
    assert names(after) == ["ended"]
    fractions = [line["fraction"] for line in before if line["stage"] == "reading"]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] <= 1
    profiles = {line["profile"] for line in before if "profile" in line}
    assert profiles == {json.loads(stdout)["profile"]}


def test_a_script_that_ends_early_is_read_after_its_end(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with start(
        tmp_path, SCRIPT + "raise SystemExit(7)", "--steps", "99", "--progress-fd", str(writing),
        pass_fd=writing,
    ) as run:  # fmt: skip
        os.close(writing)
        with open(reading, encoding="utf-8") as progress:
            lines = stages(progress.read())
        stdout, _ = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode == 1
    assert json.loads(stdout)["script_exit"] == 7
    assert "running_on" not in names(lines)
    assert names(lines)[-1] in ("stored", "ended")


@pytest.mark.parametrize(
    "beginning",
    [
        # It holds the standard error that is read to its end below.
        "import subprocess\nsubprocess.Popen(['sleep', '600'])\n",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n",
    ],
    ids=["has a child", "ignores SIGTERM"],
)
def test_a_run_whose_starter_has_died_ends_and_keeps_its_profile(
    tmp_path: Path, beginning: str
) -> None:
    reading, writing = os.pipe()
    script = f"{beginning}{SCRIPT}import time\ntime.sleep(600)\n"
    with start(tmp_path, script, "--progress-fd", str(writing), pass_fd=writing) as run:
        os.close(writing)
        with open(reading, encoding="utf-8") as progress:
            while json.loads(progress.readline())["stage"] != "running_on":
                pass
        stdout, _ = run.communicate(timeout=TIMEOUT_S)
    assert json.loads(stdout)["steps"] == 3
    assert json.loads(stdout)["stopped_by"] == "terminate"


def test_a_reader_that_does_not_read_does_no_harm(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    with start(tmp_path, SCRIPT, "--progress-fd", str(writing), pass_fd=writing) as run:
        os.close(writing)
        stdout, stderr = run.communicate(timeout=TIMEOUT_S)
    os.close(reading)
    assert run.returncode == 0, stderr
    assert json.loads(stdout)["steps"] == 3


def test_a_file_is_never_written_to(tmp_path: Path) -> None:
    with (tmp_path / "precious.txt").open("w") as file:
        number = file.fileno()
        with start(tmp_path, SCRIPT, "--progress-fd", str(number), pass_fd=number) as run:
            _, stderr = run.communicate(timeout=TIMEOUT_S)
    assert run.returncode == 0, stderr
    assert (tmp_path / "precious.txt").read_text() == ""


def test_it_is_no_option_for_people(run: Run) -> None:
    assert "--progress-fd" not in run("profile", "--help").stdout
    assert run("profile", "--progress-fd", "1", "train.py").status == 2
