"""What the agent leaves for ``ingest/captured.py``: ``capture.json`` and the sources."""

from __future__ import annotations

import json
import os
import platform
import socket
from pathlib import Path
from types import CodeType
from typing import Any, Callable

from .line_spans import Label
from .statements import StatementMap

RECORD_NAME = "capture.json"
FAILURE_NAME = "failure.json"
STARTED_NAME = "started"
RECORDING_NAME = "recording"
FAULTS_NAME = "faults.txt"
SCHEMA_VERSION = 1

_WORTH_KNOWING = ("NEURON_", "TORCH", "PYTORCH_", "OMP_", "MKL_", "CUDA_VISIBLE_DEVICES")
_LAUNCHER = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE")


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file whole or not at all; what is no Unicode text in it becomes ``?``."""
    partial = path.with_suffix(".partial")
    with open(partial, "w", encoding="utf-8", errors="replace") as file:
        json.dump(content, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


class Sources:
    """The text of the script's files, as it was when their code first ran.

    Args:
        directory: Where the snapshots are kept.
        path_of: The absolute path of a code object's file.
    """

    def __init__(self, directory: Path, path_of: Callable[[CodeType], str]) -> None:
        self._directory = directory
        self._path_of = path_of
        self._snapshots: dict[str, bytes | None] = {}

    def see(self, code: CodeType) -> None:
        """Keep the text of the file of a code object that is about to run."""
        if code.co_filename not in self._snapshots:
            try:
                content: bytes | None = Path(self._path_of(code)).read_bytes()
            except OSError:
                content = None
            self._snapshots[code.co_filename] = content

    def text(self, code: CodeType) -> bytes | None:
        """The file's content, as it was when it was first seen."""
        return self._snapshots.get(code.co_filename)

    def save(self, number: int, content: bytes) -> str:
        """Write a snapshot; returns its name relative to the run directory."""
        self._directory.mkdir(exist_ok=True)
        name = f"{number}.py"
        (self._directory / name).write_bytes(content)
        return f"{self._directory.name}/{name}"


def line_table(
    labels: dict[int, Label], sources: Sources, path_of: Callable[[CodeType], str]
) -> dict[str, Any]:
    """Files, frames and labels of ``capture.json``: what the line spans' numbers stand for."""
    table = _LineTable(sources, path_of)
    for number in range(max(labels, default=-1) + 1):
        # Another thread may have taken a number that it did not come to use.
        table.add(labels.get(number, labels[0]))
    return {"files": table.files, "frames": table.frames, "labels": table.labels}


class _LineTable:
    """Numbers files and frames as they come."""

    def __init__(self, sources: Sources, path_of: Callable[[CodeType], str]) -> None:
        self._sources = sources
        self._path_of = path_of
        self._file_numbers: dict[str, int] = {}
        self._frame_numbers: dict[tuple[int, int, str], int] = {}
        self._statements: dict[int, StatementMap] = {}
        self.files: list[dict[str, str | None]] = []
        self.frames: list[tuple[int, int, str]] = []
        self.labels: list[tuple[int, int]] = []

    def add(self, label: Label) -> None:
        """Resolve the next label to a frame, and whether it enters a statement."""
        code = label.code
        file_number = self._file(code)
        line, enters = self._statements[file_number].resolve(code, label.offset, label.previous)
        frame = (file_number, line, getattr(code, "co_qualname", code.co_name))
        number = self._frame_numbers.get(frame)
        if number is None:
            number = self._frame_numbers[frame] = len(self.frames)
            self.frames.append(frame)
        self.labels.append((number, int(enters and not label.resumed)))

    def _file(self, code: CodeType) -> int:
        path = self._path_of(code)
        number = self._file_numbers.get(path)
        if number is None:
            number = self._file_numbers[path] = len(self.files)
            content = self._sources.text(code)
            snapshot = None if content is None else self._sources.save(number, content)
            self.files.append({"path": path, "snapshot": snapshot})
            self._statements[number] = StatementMap(content or b"")
        return number


def environment_worth_knowing() -> dict[str, str]:
    """Variables that shape a run on a device. Nothing else of the environment is kept."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_WORTH_KNOWING) or name in _LAUNCHER
    }


def about_this_process(torch: Any) -> dict[str, Any]:
    """Where, by whom and with what the recording was made."""
    return {
        "versions": {"python": platform.python_version(), "torch": str(torch.__version__)},
        "environment": environment_worth_knowing(),
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "rank": _integer("RANK"),
        "world_size": _integer("WORLD_SIZE"),
    }


def _integer(variable: str) -> int | None:
    value = os.environ.get(variable, "")
    return int(value) if value.isdigit() else None
