"""Running the command line as a person does, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from support.document import Document

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
"""Where the test programs are."""

TIMEOUT_S = 600
"""Far above what a run takes: several test processes may share a slow machine."""


@dataclass(frozen=True)
class Finished:
    """A process that has ended.

    Attributes:
        status: Exit status, negative for a signal.
        stdout: All it wrote there.
        stderr: All it wrote there.
    """

    status: int
    stdout: str
    stderr: str


def interpreters() -> list[str]:
    """The interpreters to run user programs under: this one, then those asked for.

    ``SIDELIGHT_TEST_PYTHONS`` names more, separated by ``os.pathsep``; each needs torch.
    """
    asked = os.environ.get("SIDELIGHT_TEST_PYTHONS", "")
    return [sys.executable, *filter(None, asked.split(os.pathsep))]


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command to its end.

    Args:
        command: Program and arguments.
        cwd: Working directory; None for this process's.
        stdin: What it reads there.
        environment: Variables added to this process's.
    """
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        input=stdin,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def profile_command(
    store: Path, *program: str | Path, options: Sequence[str] = (), python: str | None = None
) -> list[str | Path]:
    """The command that profiles a program on the CPU.

    Args:
        store: Where the profile goes.
        program: Script (or ``-m`` and module) and its arguments.
        options: More options of ``profile``.
        python: The program's interpreter; None for this one.
    """
    return [
        *(sys.executable, "-m", "sidelight", "profile", "--target", "cpu", "--store", store),
        *("--python", python or sys.executable, *options, *program),
    ]


def wait_until_ready(process: subprocess.Popen[str]) -> None:
    """Wait for the script to write "ready" to its standard error."""
    assert process.stderr is not None
    while "ready" not in process.stderr.readline():
        assert process.poll() is None


def profile_json(
    store: Path,
    *program: str | Path,
    options: Sequence[str] = (),
    python: str | None = None,
    cwd: Path | None = None,
) -> Document:
    """Profile a program that ends well, and return the document.

    Args:
        store: Where the profile goes.
        program: Script (or ``-m`` and module) and its arguments.
        options: More options of ``profile``.
        python: The program's interpreter; None for this one.
        cwd: Working directory; None for this process's.

    Raises:
        AssertionError: The run failed, or printed something else than one document.
    """
    options = ["--json", *options]
    done = run(profile_command(store, *program, options=options, python=python), cwd=cwd)
    assert done.status == 0, f"status {done.status}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    document: Document = json.loads(done.stdout)
    return document
