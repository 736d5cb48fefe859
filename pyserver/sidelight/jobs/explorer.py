"""Runs Neuron Explorer, where it is installed, on what only it can read.

Its options are those of AWS's pages on it (SDK 2.31 to 2.33). It writes tables into a directory
that is removed once they have been read.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from sidelight.jobs.child import CancelledError
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.errors import SidelightError
from sidelight.profile.store import Store

EXPLORER: Final = "neuron-explorer"

_POLL_S: Final = 0.1
_TIME_TO_END_S: Final = 2.0
_KEPT_CHARACTERS: Final = 20_000
_LONGEST_LINE: Final = 4096


class ExplorerError(SidelightError):
    """Neuron Explorer is not there, or could not make tables."""


_KNOWN_FAULTS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        re.compile(r"display-name", re.IGNORECASE),
        "This version asks for another way of naming the profile. Run it by hand as its help says, "
        "and open the folder that it writes.",
    ),
    (
        re.compile(r"no space left", re.IGNORECASE),
        "The disk is full. Make room, or name a store on another disk (`--store DIR`).",
    ),
    (
        re.compile(r"permission denied", re.IGNORECASE),
        "It may not read the recording or write beside the store. Change the files' owner or mode.",
    ),
    (
        re.compile(r"(unsupported|unknown|incompatible).{0,40}(ntff|version)", re.IGNORECASE),
        "The recording is of another version of Neuron's runtime. Install the tools of the SDK "
        "that it was recorded with.",
    ),
    (
        re.compile(r"(no|missing|find|found).{0,40}\bneff\b", re.IGNORECASE),
        "It misses the NEFF that was captured. Copy it from the compile cache beside the NTFF.",
    ),
    (
        re.compile(r"(empty|no contents|0 bytes).{0,60}ntff|ntff.{0,60}(empty|no contents)", re.I),
        "A capture is empty: the core was not used, or nothing was warmed up before the profiler "
        "started.",
    ),
)
"""What it says when it fails, and what to do about it."""


@contextmanager
def tables_made_of(
    path: Path,
    store: Store,
    *,
    on_line: Callable[[str], None] = lambda line: None,
    cancel: threading.Event | None = None,
) -> Generator[Path]:
    """Let Neuron Explorer make tables of a session, and hand over where they are.

    Args:
        path: A session's folder, or a capture (.ntff) with its program (.neff) beside it.
        store: Its directory for unfinished work gets the tables.
        on_line: Told each line that the tool writes.
        cancel: Set it to end the tool.

    Yields:
        The directory of the tables, which goes afterwards.

    Raises:
        ExplorerError: ``explorer_not_found``, ``explorer_failed`` or ``no_neff``.
        CancelledError: It was cancelled.
        StoreError: There is no room for the tables.
    """
    tool = shutil.which(EXPLORER)
    if tool is None:
        raise ExplorerError(
            "explorer_not_found",
            f"There is no {EXPLORER} on the path, which --run-explorer needs to read {path}. "
            "Install aws-neuronx-tools, or leave the option out to read what can be read "
            "without it.",
        )
    with store.run_directory() as directory:
        arguments = run_in_worker(
            _arguments, str(path), str(directory), doing=f"reading {path}", cancel=cancel
        )
        _run([tool, *arguments[1:]], path, on_line, cancel)
        yield directory


def _arguments(path: str, directory: str, *, progress: Callable[[float], None]) -> list[str]:
    """The child: how to call the tool. Finding a capture's program takes the readers."""
    from sidelight.ingest.sessions.conversion import display_name, explorer_arguments

    source = Path(path)
    neff = _program_of(source) if source.is_file() else None
    progress(1.0)
    return explorer_arguments(source.absolute(), Path(directory), display_name(source), neff)


def program_beside(ntff: Path) -> Path | None:
    """The program that a capture is of, where it lies beside it; loads the readers.

    Args:
        ntff: The capture.
    """
    from sidelight.ingest.sessions.pairing import pair

    neffs = sorted(ntff.parent.glob("*.neff"))
    return next(iter(pair([ntff], neffs)[0].neffs), None)


def _program_of(ntff: Path) -> Path:
    found = program_beside(ntff)
    if found is None:
        raise ExplorerError(
            "no_neff",
            f"The program that {ntff} was captured of is not beside it, and {EXPLORER} needs it. "
            "Copy its .neff from the compile cache into the same folder.",
        )
    return found


def _run(
    command: list[str],
    path: Path,
    on_line: Callable[[str], None],
    cancel: threading.Event | None,
) -> None:
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdout is not None
    said = _Said(process.stdout, on_line)
    said.start()
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(_POLL_S)
                break
            if cancel is not None and cancel.is_set():
                raise CancelledError("cancelled", f"Cancelled while {EXPLORER} read {path}.")
    finally:
        _end(process)
        said.join(_TIME_TO_END_S)
    if status != 0:
        raise ExplorerError("explorer_failed", _explained(path, status, said.text))


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_TIME_TO_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Said(threading.Thread):
    """Takes what a process says, so that it is never kept waiting; the end of it is kept."""

    def __init__(self, stream: IO[str], on_line: Callable[[str], None]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self._on_line = on_line
        self.text = ""

    def run(self) -> None:
        while line := self._stream.readline(_LONGEST_LINE):
            self.text = (self.text + line)[-_KEPT_CHARACTERS:]
            if line.strip():
                self._on_line(line.strip())


def _explained(path: Path, status: int, text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"fata|error|panic", line, re.IGNORECASE)]
    last = (telling or lines or [f"it ended with status {status}"])[-1][:300].rstrip(".")
    hint = next(
        (
            advice
            for pattern, advice in _KNOWN_FAULTS
            if pattern.search("\n".join(telling or lines))
        ),
        "Open it without --run-explorer to see what can be read without it.",
    )
    return f"{EXPLORER} could not read {path}: {last}. {hint}"
