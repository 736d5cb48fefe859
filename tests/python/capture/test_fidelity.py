"""A profiled script sees, prints and leaves behind what it does when run by hand."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.tool import PROGRAMS, TIMEOUT_S, interpreters, profile_command, run

FIDELITY = PROGRAMS / "fidelity"
OBSERVE = FIDELITY / "observe.py"

pytestmark = pytest.mark.parametrize("python", interpreters())

Command = Sequence[str | Path]


def observed(
    python: str, program: Command, arguments: Sequence[str], cwd: Path, tmp_path: Path
) -> tuple[Any, Any]:
    """Run a program that reports on itself by hand and profiled; what it wrote each time.

    Checks on the way that its exit status and output are the same. The profiler may add to the
    output, after it on stdout and around it on stderr.
    """
    report = tmp_path / "report.json"
    program = [*program, report, *arguments]
    stdin = "a line\nand half a line"

    by_hand = run([python, *program], cwd=cwd, stdin=stdin)
    assert by_hand.status == 0, by_hand.stderr
    expected = json.loads(report.read_text())
    report.unlink()

    command = profile_command(tmp_path / "store", *program, python=python)
    profiled = run(command, cwd=cwd, stdin=stdin)
    assert profiled.status == 0, profiled.stderr
    assert profiled.stdout.startswith(by_hand.stdout)
    assert comparable(by_hand.stderr) in comparable(profiled.stderr)
    # torch's profiler traces itself on the process's stderr, where the script's own output goes.
    assert "USDT" not in profiled.stderr
    return expected, json.loads(report.read_text())


def test_a_script_by_absolute_path(python: str, tmp_path: Path) -> None:
    arguments = ["--flag", "a b", "--", "*", "--json", ""]
    expected, seen = observed(python, [OBSERVE], arguments, tmp_path, tmp_path)
    assert seen == expected


def test_a_script_by_relative_path(python: str, tmp_path: Path) -> None:
    expected, seen = observed(python, ["fidelity/observe.py"], ["-m", "x"], PROGRAMS, tmp_path)
    assert seen == expected


def test_a_script_with_an_unusual_name(python: str, tmp_path: Path) -> None:
    script = tmp_path / "naïve β [1]"
    shutil.copy(OBSERVE, script)
    expected, seen = observed(python, [script.name], ["ü"], tmp_path, tmp_path)
    assert seen == expected


def test_a_script_behind_a_link(python: str, tmp_path: Path) -> None:
    link = tmp_path / "link.py"
    link.symlink_to(OBSERVE)
    expected, seen = observed(python, [link], [], tmp_path, tmp_path)
    assert seen == expected


@pytest.mark.parametrize("module", ["package", "package.inner.tool"])
def test_a_module(module: str, python: str, tmp_path: Path) -> None:
    expected, seen = observed(python, ["-m", module], ["--json"], FIDELITY, tmp_path)
    assert seen == expected


def test_pickling_and_child_processes(python: str, tmp_path: Path) -> None:
    expected, seen = observed(python, [FIDELITY / "main_module.py"], [], tmp_path, tmp_path)
    assert seen == expected


def test_a_terminal(python: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    program = [OBSERVE, report, "argument"]
    on_terminal([python, *program])
    expected = json.loads(report.read_text())
    report.unlink()
    on_terminal(profile_command(tmp_path / "store", *program, python=python))
    assert json.loads(report.read_text()) == expected
    assert [is_terminal for _, _, _, is_terminal, *_ in expected["streams"]] == [True] * 3


def on_terminal(command: Command) -> None:
    """Run a command to its end with a terminal as its three streams, at end of input."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [str(part) for part in command], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, b"\x04")
    output = b""
    try:
        while chunk := os.read(ours, 4096):
            output += chunk
    except OSError:
        pass  # On Linux a terminal whose other side has closed gives an error, not an end.
    finally:
        os.close(ours)
    assert process.wait(TIMEOUT_S) == 0, output.decode()


@pytest.mark.parametrize(
    "kind",
    [
        "status",
        "text",
        "none",
        "wraps",
        "object",
        "exec",
        "builtin",
        "exception",
        "chained",
        "interrupted",
        "signal_handler",
        "excepthook",
        "thread",
        "leftover_thread",
        "in_atexit",
        "syntax",
        "recursion",
    ],
)
def test_endings(kind: str, python: str, tmp_path: Path) -> None:
    by_hand, profiled = ended([FIDELITY / "endings.py", kind], python, tmp_path)
    document = json.loads(profiled.stdout)
    # A status below 0 is a signal's, which is no exit status.
    assert document["script_exit"] == (by_hand.returncode if by_hand.returncode >= 0 else None)
    assert Path(document["profile"]).is_dir()


def test_an_ending_that_skips_everything(python: str, tmp_path: Path) -> None:
    by_hand, profiled = ended([FIDELITY / "endings.py", "at_once"], python, tmp_path)
    document = json.loads(profiled.stdout)
    assert by_hand.returncode == 5
    if "error" in document:  # Nothing may have been saved in time; then that is said.
        assert document["error"]["message"]
    else:
        assert document["script_exit"] == 5


def test_a_script_that_does_not_compile(python: str, tmp_path: Path) -> None:
    _, profiled = ended([FIDELITY / "broken_syntax.py"], python, tmp_path)
    assert set(json.loads(profiled.stdout)["error"]) == {"code", "message"}


def ended(
    program: Command, python: str, tmp_path: Path
) -> tuple[subprocess.CompletedProcess[str], subprocess.CompletedProcess[str]]:
    """Run a program by hand and profiled with ``--json``; check its output and our status."""
    by_hand = subprocess.run(
        [python, *program],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    command = profile_command(tmp_path / "store", *program, options=["--json"], python=python)
    profiled = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert comparable(by_hand.stdout) in comparable(profiled.stderr)
    assert "sidelight/capture" not in profiled.stderr
    assert profiled.returncode == (0 if by_hand.returncode == 0 else 1), profiled.stderr
    return by_hand, profiled


def comparable(output: str) -> str:
    """Output without what differs from run to run: addresses, ids, exact depths."""
    output = re.sub(r"pid=\d+", "pid=", output)
    output = re.sub(r"0x[0-9a-f]+", "0x", output)
    return re.sub(r"repeated \d+ more times", "repeated many more times", output)
