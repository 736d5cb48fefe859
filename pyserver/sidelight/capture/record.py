"""What the agent leaves for ``ingest/captured.py``: ``capture.json`` and the sources."""

from __future__ import annotations

import json
import os
import platform
import socket
import traceback
from contextlib import suppress
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
RUNTIME_FILES_NAME = "neuron"
REQUEST_NAME = "request.json"
REQUEST_VARIABLE = "SIDELIGHT_CAPTURE"
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


def write_failure(directory: Path, code: str, message: str) -> None:
    """Write down, for the parent, why there will be no recording: a sentence without its stop."""
    write_json(directory / FAILURE_NAME, {"code": code, "message": message})


def write_fault(directory: Path) -> None:
    """Write down, for the parent, the exception of ours that is being handled."""
    with suppress(OSError), open(directory / FAULTS_NAME, "a", encoding="utf-8") as file:
        file.write(traceback.format_exc())


class Sources:
    """The text of the script's files, as it was when their code first ran.

    Args:
        directory: Where the snapshots are kept.
        path_of: The absolute path of a file, by the name that code objects have for it.
    """

    def __init__(self, directory: Path, path_of: Callable[[str], str]) -> None:
        self._directory = directory
        self._path_of = path_of
        self._snapshots: dict[str, bytes | None] = {}

    def see(self, code: CodeType) -> None:
        """Keep the text of the file of a code object that is about to run."""
        self.see_file(code.co_filename)

    def see_file(self, filename: str) -> None:
        """Keep the text of a file, by the name that code objects have for it."""
        if filename not in self._snapshots:
            try:
                content: bytes | None = Path(self._path_of(filename)).read_bytes()
            except OSError:
                content = None
            self._snapshots[filename] = content

    def text(self, filename: str) -> bytes | None:
        """The file's content, as it was when it was first seen."""
        return self._snapshots.get(filename)

    def save(self, number: int, content: bytes) -> str:
        """Write a snapshot; returns its name relative to the run directory."""
        self._directory.mkdir(exist_ok=True)
        name = f"{number}.py"
        (self._directory / name).write_bytes(content)
        return f"{self._directory.name}/{name}"


class LineTable:
    """Files, frames and labels of ``capture.json``: numbered as they come.

    Args:
        sources: The files' texts.
        path_of: The absolute path of a file, by the name that code objects have for it.
    """

    def __init__(self, sources: Sources, path_of: Callable[[str], str]) -> None:
        self._sources = sources
        self._path_of = path_of
        self._file_numbers: dict[str, int] = {}
        self._frame_numbers: dict[tuple[int, int, str], int] = {}
        self._statements: dict[int, StatementMap] = {}
        self._files: list[dict[str, str | None]] = []
        self._frames: list[tuple[int, int, str]] = []
        self._labels: list[tuple[int, int]] = []

    def add_labels(self, labels: dict[int, Label]) -> None:
        """Add what the line spans' numbers stand for."""
        for number in range(max(labels, default=-1) + 1):
            # Another thread may have taken a number that it did not come to use.
            self._add(labels.get(number, labels[0]))

    def frame(self, filename: str, line: int, function: str) -> int:
        """The number of the frame of a line that ran without being traced.

        Args:
            filename: Its file, as code objects name it.
            line: 1-based; that of any line of a statement.
            function: The name of the function it is in.
        """
        file_number = self._file(filename)
        return self._frame((file_number, self._statements[file_number].shown(line), function))

    def as_json(self) -> dict[str, Any]:
        """What ``capture.json`` holds of it."""
        return {"files": self._files, "frames": self._frames, "labels": self._labels}

    def _add(self, label: Label) -> None:
        """Resolve the next label to a frame, and whether it enters a statement."""
        code = label.code
        file_number = self._file(code.co_filename)
        line, enters = self._statements[file_number].resolve(code, label.offset, label.previous)
        function = getattr(code, "co_qualname", code.co_name)
        number = self._frame((file_number, line, function))
        self._labels.append((number, int(enters and not label.resumed)))

    def _frame(self, frame: tuple[int, int, str]) -> int:
        number = self._frame_numbers.get(frame)
        if number is None:
            number = self._frame_numbers[frame] = len(self._frames)
            self._frames.append(frame)
        return number

    def _file(self, filename: str) -> int:
        path = self._path_of(filename)
        number = self._file_numbers.get(path)
        if number is None:
            number = self._file_numbers[path] = len(self._files)
            content = self._sources.text(filename)
            snapshot = None if content is None else self._sources.save(number, content)
            self._files.append({"path": path, "snapshot": snapshot})
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
