"""``--dry-run`` says what would be started, and starts nothing."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli.contract import ERROR, PLAN, check
from cli.running import Run

TARGETS = ("auto", "neuron", "neuron-xla", "virtual", "fake", "cpu")

LEAVES_A_FILE = "import os, pathlib\npathlib.Path('ran').touch()\n"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    script = tmp_path / "leaves a file.py"
    script.write_text(LEAVES_A_FILE)
    return script


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_run_and_nothing_written(
    target: str, script: Path, run: Run, tmp_path: Path
) -> None:
    done = run(
        *("profile", "--dry-run", "--json", "--target", target, "--python", sys.executable),
        *(script.name, "--batch", "8"),
    )
    assert done.status == 0
    plan = json.loads(done.stdout)
    check(plan, PLAN)
    assert plan["target"] == target
    assert plan["command"] == [sys.executable, script.name, "--batch", "8"]
    assert list(tmp_path.iterdir()) == [script]


def test_the_agent_comes_by_these_variables(script: Path, run: Run, tmp_path: Path) -> None:
    command = ["profile", "--dry-run", "--json", "--python", sys.executable, script.name]
    variables = json.loads(run(*command).stdout)["environment"]
    assert set(variables) == {"SIDELIGHT_CAPTURE", "PYTHONPATH"}
    assert variables["SIDELIGHT_CAPTURE"].startswith(str(tmp_path / ".sidelight" / "tmp" / "RUN"))
    assert (Path(variables["PYTHONPATH"]) / "sitecustomize.py").is_file()


def test_what_is_printed_is_what_a_shell_takes(script: Path, run: Run, tmp_path: Path) -> None:
    done = run("profile", "--dry-run", "--target", "neuron-xla", "--python", sys.executable, script)
    assert "nothing was run" in done.stderr
    *variables, command = done.stdout.splitlines()
    assert shlex.split(command) == [sys.executable, str(script)]
    shell = "\n".join([*(f"export {line}" for line in variables), command])
    subprocess.run(["sh", "-c", shell], check=True)
    assert (tmp_path / "ran").exists()


def test_a_rank_that_is_not_recorded_gets_nothing(
    script: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANK", "1")
    done = run("profile", "--dry-run", "--json", "--ranks", "0,2", script)
    assert json.loads(done.stdout)["environment"] == {}


def test_what_cannot_be_run_is_said(script: Path, run: Run) -> None:
    done = run("profile", "--dry-run", "--json", "missing.py")
    assert done.status == 1
    check(json.loads(done.stdout), ERROR)
    assert json.loads(done.stdout)["error"]["code"] == "script_missing"
