"""However a script ends, what was recorded is kept, and what went wrong is said in plain words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.tool import TIMEOUT_S, wait_until_ready

WAIT = """
            if how == "wait":
                # A signal just before one long sleep would be seen at its end.
                for _ in range(12_000):
                    time.sleep(0.05)
"""
SCRIPT = """\
import atexit, os, signal, sys, time
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
atexit.register(lambda: print("atexit ran", file=sys.stderr))
how, steps = sys.argv[1], int(sys.argv[2])
try:
    for step in range(steps):
        model(torch.randn(4, 8)).sum().backward()
        optimizer.step()
        if step == 4:
            print("ready", file=sys.stderr, flush=True)
            if how == "exit":
                sys.exit(3)
            if how == "raise":
                raise ValueError("no such luck")
            if how == "os_exit":
                os._exit(5)
            if how.startswith("SIG"):
                os.kill(os.getpid(), getattr(signal, how))
            if how == "wait":
                # A signal just before one long sleep would be seen at its end.
                for _ in range(12_000):
                    time.sleep(0.05)
finally:
    print("finally ran", file=sys.stderr)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def command(directory: Path, *arguments: str) -> list[str]:
    store = str(directory / "store")
    start = [sys.executable, "-m", "sidelight", "profile", "--json", "--store", store]
    return [*start, "--target", "cpu", *arguments]


def profile(directory: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    done = subprocess.run(
        command(directory, *arguments),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode, json.loads(done.stdout), done.stderr


def nothing_is_left(directory: Path) -> bool:
    return not any((directory / "store" / "tmp").glob("*"))


@pytest.mark.parametrize(
    ("how", "script_exit", "stopped_by"),
    [
        ("exit", 3, None),
        ("raise", 1, None),
        ("os_exit", 5, None),
        ("SIGTERM", None, "terminate"),
        ("SIGINT", None, "interrupt"),
    ],
)
def test_what_was_recorded_is_kept(
    script: Path, how: str, script_exit: int | None, stopped_by: str | None
) -> None:
    status, document, stderr = profile(script.parent, str(script), how, "10")
    assert status == 1
    assert (document["script_exit"], document["stopped_by"]) == (script_exit, stopped_by)
    assert document["steps"] == 5
    assert document["device_time_ns"] > 0
    assert ("atexit ran" in stderr) == (how in ("exit", "raise", "SIGINT"))
    assert "sidelight" not in stderr, "no frame of ours in what the script printed"
    assert nothing_is_left(script.parent)


def test_a_killed_script_leaves_the_store_as_it_was(script: Path) -> None:
    status, document, _ = profile(script.parent, str(script), "SIGKILL", "10")
    assert status == 1
    assert document["error"]["code"] == "killed"
    assert "SIGKILL" in document["error"]["message"]
    assert not any((script.parent / "store" / "profiles").iterdir())
    assert nothing_is_left(script.parent)


@pytest.mark.parametrize(
    ("number", "stopped_by"), [(signal.SIGTERM, "terminate"), (signal.SIGINT, "interrupt")]
)
def test_a_signal_for_us_is_meant_for_the_script(
    script: Path, number: signal.Signals, stopped_by: str
) -> None:
    process = subprocess.Popen(
        command(script.parent, str(script), "wait", "10"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until_ready(process)
    process.send_signal(number)
    stdout, _ = process.communicate(timeout=TIMEOUT_S)
    document = json.loads(stdout)
    assert process.returncode == 1
    assert (document["stopped_by"], document["steps"]) == (stopped_by, 5)


def test_until_captured_leaves_through_finally_and_atexit(script: Path) -> None:
    options = ["--until", "captured", "--warmup", "1", "--steps", "4"]
    status, document, stderr = profile(script.parent, *options, str(script), "no", "1000000")
    assert status == 0
    assert (document["script_exit"], document["stopped_by"]) == (0, "captured")
    assert (document["steps"], document["warmup"]) == (4, 1)
    assert stderr.index("finally ran") < stderr.index("atexit ran")


def test_a_long_run_is_announced_when_its_recording_ends(script: Path) -> None:
    """The script waits for the profile to be announced: it would wait for ever otherwise."""
    waiting = script.with_name("waiting.py")
    waiting.write_text(
        SCRIPT.replace(
            WAIT.strip(),
            "while step == 4 and not list(Path(how).glob('profiles/*/profile.json')):\n"
            "                time.sleep(0.05)",
        ).replace("import torch\n", "import torch\nfrom pathlib import Path\n", 1)
    )
    store = str(script.parent / "store")
    options = ["--warmup", "1", "--steps", "4"]
    status, document, stderr = profile(script.parent, *options, str(waiting), store, "8")
    assert (status, document["script_exit"], document["steps"]) == (0, 0, 4)
    assert document["profile"] in stderr


def interpreter(directory: Path, text: str) -> str:
    path = directory / "python"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_an_interpreter_that_does_not_start(script: Path) -> None:
    python = interpreter(script.parent, "#!/bin/sh\nexit 7\n")
    status, document, _ = profile(script.parent, "--python", python, str(script), "no", "5")
    assert (status, document["error"]["code"]) == (1, "no_interpreter")
    assert "7" in document["error"]["message"]


def test_an_interpreter_without_torch(script: Path) -> None:
    python = script.parent / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(python)], check=True)
    arguments = ["--python", str(python / "bin" / "python"), str(script), "no", "5"]
    status, document, stderr = profile(script.parent, *arguments)
    assert (status, document["error"]["code"]) == (1, "no_torch")
    assert "ready" not in stderr


def test_a_torch_that_is_too_old(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = script.parent / "old" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "version.py").write_text("__version__ = '1.13.1+cpu'\n")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    status, document, _ = profile(script.parent, str(script), "no", "5")
    assert (status, document["error"]["code"]) == (1, "torch_too_old")
    assert "1.13.1" in document["error"]["message"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [("def broken(:\n", "SyntaxError"), ("print('no torch here')\n", "no torch here")],
)
def test_a_script_that_never_imports_torch(tmp_path: Path, source: str, shown: str) -> None:
    path = tmp_path / "script.py"
    path.write_text(source)
    status, document, stderr = profile(tmp_path, str(path))
    assert (status, document["error"]["code"]) == (1, "nothing_recorded")
    assert shown in stderr


def test_a_missing_script(tmp_path: Path) -> None:
    status, document, _ = profile(tmp_path, str(tmp_path / "missing.py"))
    assert (status, document["error"]["code"]) == (1, "script_missing")


def test_a_script_without_steps_is_one_step(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("import torch\nx = torch.ones(3) + 1\n")
    status, document, _ = profile(tmp_path, str(path))
    assert (status, document["steps"], document["warmup"]) == (0, 1, 0)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounts a small disk")
def test_a_full_disk_keeps_what_is_stored(script: Path) -> None:
    disk = script.parent / "store"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False).returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        status, document, _ = profile(script.parent, str(script), "no", "5")
        assert status == 0
        before = sorted(file.name for file in (disk / "profiles").iterdir())
        (disk / "filler").write_bytes(b"\0" * (600 << 10))
        status, document, _ = profile(script.parent, "--steps", "200", str(script), "no", "100")
        assert (status, document["error"]["code"]) == (1, "disk_full")
        assert str(disk) in document["error"]["message"]
        assert sorted(file.name for file in (disk / "profiles").iterdir()) == before
        assert not any((disk / "tmp").glob("*"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
