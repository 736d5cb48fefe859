"""The directory in which a capture's two sides meet: a request goes in, a recording comes out.

The other side is ``capture/``, in an interpreter of its own; the names here are its names
(``capture/record.py`` and ``capture/startup/sitecustomize.py``; a test compares them).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REQUEST_VARIABLE = "SIDELIGHT_CAPTURE"
RECORD_NAME = "capture.json"
FAILURE_NAME = "failure.json"
STARTED_NAME = "started"
RECORDING_NAME = "recording"
FAULTS_NAME = "faults.txt"
RUNTIME_FILES_NAME = "neuron"
REQUEST_NAME = "request.json"

STARTUP_DIRECTORY = Path(__file__).resolve().parent.parent / "capture" / "startup"

_LITTLE_SPACE_BYTES = 1 << 20


def agents_environment(directory: Path) -> dict[str, str]:
    """The variables that bring the agent into the script's interpreter.

    Args:
        directory: The run's directory, in which the agent finds what it is asked for.
    """
    python_path = os.environ.get("PYTHONPATH")
    entries = [str(STARTUP_DIRECTORY), *([python_path] if python_path else [])]
    return {
        REQUEST_VARIABLE: str(directory / REQUEST_NAME),
        "PYTHONPATH": os.pathsep.join(entries),
    }


@dataclass(frozen=True)
class RunDirectory:
    """One run's directory.

    Attributes:
        path: The directory itself.
    """

    path: Path

    def write_request(self, request: dict[str, Any]) -> dict[str, str]:
        """Leave the request for the agent.

        Returns:
            The environment that brings the agent into the script's interpreter.
        """
        python_path = os.environ.get("PYTHONPATH")
        content = {**request, "directory": str(self.path), "python_path": python_path}
        (self.path / REQUEST_NAME).write_text(json.dumps(content), encoding="utf-8")
        return {**os.environ, **agents_environment(self.path)}

    def record_version(self) -> int | None:
        """Changes whenever a new recording is complete; None while there is none."""
        try:
            return (self.path / RECORD_NAME).stat().st_mtime_ns
        except FileNotFoundError:
            return None

    def has_all_steps(self) -> bool:
        """Whether the recording holds all steps that were wanted."""
        return bool(json.loads((self.path / RECORD_NAME).read_bytes()).get("complete"))

    def failure(self) -> tuple[str, str] | None:
        """Code and sentence of why the agent would not record, if it would not."""
        try:
            reason = json.loads((self.path / FAILURE_NAME).read_bytes())
        except FileNotFoundError:
            return None
        return reason["code"], reason["message"]

    def python_started(self) -> bool:
        """Whether the interpreter came as far as the agent."""
        return (self.path / STARTED_NAME).exists()

    def python_without_torch(self) -> str | None:
        """The interpreter, if it has no torch."""
        started = json.loads((self.path / STARTED_NAME).read_bytes())
        return started["executable"] if started["torch"] is None else None

    def recording_started(self) -> bool:
        """Whether the script imported torch and a recording began."""
        return (self.path / RECORDING_NAME).exists()

    def faults(self) -> str:
        """Tracebacks of what failed inside the agent; empty if nothing did."""
        try:
            return (self.path / FAULTS_NAME).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return ""

    def disk_is_full(self) -> bool:
        """Whether hardly any space is left where the recording goes."""
        free = os.statvfs(self.path)
        return free.f_bavail * free.f_frsize < _LITTLE_SPACE_BYTES
