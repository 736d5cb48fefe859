"""Run a script under the capture agent, and store what it leaves.

The agent (``capture/``) lives in the script's own process and interpreter; the two sides meet in a
run directory: a request goes in, a recording comes out.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Literal

from sidelight.jobs.interpreter import choose_interpreter
from sidelight.jobs.reading import read_into_store
from sidelight.profile.errors import CaptureError, SidelightError
from sidelight.profile.store import Store, StoredProfile

_STARTUP_DIRECTORY = Path(__file__).resolve().parent.parent / "capture" / "startup"
_REQUEST_VARIABLE = "SIDELIGHT_CAPTURE"
_POLL_S = 0.05
_LITTLE_SPACE_BYTES = 1 << 20

StoppedBy = Literal["interrupt", "terminate", "captured", "killed"]


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """A script to profile.

    Attributes:
        script: The program; None where ``module`` is given.
        module: A module to run as ``python -m`` does.
        arguments: What follows it on the command line.
        target: ``auto``, ``neuron`` or ``cpu``.
        python: The interpreter; None for the active virtual environment's, else this one.
        warmup: Steps to leave out at the start.
        steps: Steps to record after them.
        until: Whether the script runs to its end or only until all steps are recorded.
        ranks: Under a launcher, the ranks to record; None for all.
        name: What to call the profile; None for the script's own name.
        script_output_to_stderr: Keep stdout free of the script's output.
    """

    script: str | None
    module: str | None
    arguments: list[str]
    target: str
    python: Path | None
    warmup: int
    steps: int
    until: str
    ranks: frozenset[int] | None
    name: str | None
    script_output_to_stderr: bool

    @property
    def command(self) -> list[str]:
        """The script or module and its arguments, as Python is given them."""
        program = [self.script] if self.script is not None else ["-m", self.module or ""]
        return [*program, *self.arguments]

    @property
    def profile_name(self) -> str:
        """The name asked for, or the script's without its ending."""
        return self.name or (Path(self.script).stem if self.script else self.module) or "profile"


@dataclass(frozen=True)
class RunResult:
    """What came of it.

    Attributes:
        stored: The profile; None where this rank was not to be recorded.
        script_exit: The script's exit status; None if a signal ended it.
    """

    stored: StoredProfile | None
    script_exit: int | None

    @property
    def script_succeeded(self) -> bool:
        """Whether the script ended with 0."""
        return self.script_exit == 0


def run_script(request: RunRequest, store: Store, *, say: Callable[[str], None]) -> RunResult:
    """Run the script to its end and store its recording as soon as that is complete.

    Args:
        request: What to run.
        store: Where the profile goes.
        say: Told, as a sentence, when the profile is stored while the script runs on.

    Raises:
        CaptureError: The script cannot be run, or nothing was recorded.
        StoreError: The store cannot be written.
        UnreadableInputError: The recording is damaged.
    """
    if request.script is not None and not Path(request.script).exists():
        raise CaptureError(
            "script_missing", f"There is no script {request.script}. Check the path."
        )
    python = choose_interpreter(request.python)
    if not _is_wanted(request):
        with _Script(request, python, None) as script:
            return RunResult(None, script.wait().exit_status)
    with store.run_directory() as directory:
        recording = _Recording(request, store, directory)
        with _Script(request, python, directory) as script:
            while script.running():
                if recording.store_new() and recording.complete:
                    say(f"recorded {recording.described()}; the script runs on")
                time.sleep(_POLL_S)
            ended = script.wait()
        recording.store_new()
        if recording.stored is None:
            raise _nothing_recorded(request, python, directory, ended)
        stopped_by = ended.stopped_by
        if stopped_by is None and request.until == "captured" and recording.complete:
            stopped_by = "captured"
        stored = store.update_manifest(
            str(recording.stored.directory),
            script_exit=ended.exit_status,
            stopped_by=stopped_by,
        )
        return RunResult(stored, ended.exit_status)


def _is_wanted(request: RunRequest) -> bool:
    rank = os.environ.get("RANK", "")
    return request.ranks is None or not rank.isdigit() or int(rank) in request.ranks


class _Recording:
    """The recording of a run: watched for while the script runs, and stored once it is whole."""

    def __init__(self, request: RunRequest, store: Store, directory: Path) -> None:
        self._request = request
        self._store = store
        self._directory = directory
        self._record = directory / "capture.json"
        self._seen: int | None = None
        self.stored: StoredProfile | None = None
        self.complete = False

    def store_new(self) -> bool:
        """Store what was recorded, if there is something new.

        A script that runs torch.profiler itself after our recording was complete leaves a second
        recording, which takes the place of the first.
        """
        try:
            version = self._record.stat().st_mtime_ns
        except FileNotFoundError:
            return False
        if version == self._seen:
            return False
        self._seen = version
        earlier = self.stored
        self.stored = read_into_store(self._directory, self._store, name=self._request.profile_name)
        if earlier is not None:
            self._store.delete(str(earlier.directory))
        self.complete = json.loads(self._record.read_bytes()).get("complete", False)
        return True

    def described(self) -> str:
        """The stored profile, as a person is told of it."""
        return f"{self._request.profile_name} ({self.stored.directory})" if self.stored else ""


@dataclass(frozen=True)
class _Ended:
    """How the script's process ended.

    Attributes:
        status: As ``subprocess`` has it: negative for a signal.
        exit_status: The script's exit status; None if a signal ended it.
        stopped_by: What cut it short from outside.
    """

    status: int
    exit_status: int | None
    stopped_by: StoppedBy | None


class _Script:
    """The script's process. Ctrl-C and SIGTERM for this process are meant for the script."""

    def __init__(self, request: RunRequest, python: Path, directory: Path | None) -> None:
        self._request = request
        self._python = python
        self._directory = directory
        self._signals: set[int] = set()

    def __enter__(self) -> _Script:
        environment = dict(os.environ)
        if self._directory is not None:
            _write_request(self._request, self._directory)
            environment[_REQUEST_VARIABLE] = str(self._directory / "request.json")
            path = os.environ.get("PYTHONPATH")
            entries = [str(_STARTUP_DIRECTORY)] + ([path] if path is not None else [])
            environment["PYTHONPATH"] = os.pathsep.join(entries)
        self._forwarding = self._forward_signals()
        self._forwarding.__enter__()
        try:
            self._process = subprocess.Popen(
                [str(self._python), *self._request.command],
                env=environment,
                stdout=sys.stderr.fileno() if self._request.script_output_to_stderr else None,
            )
        except OSError as error:
            self._forwarding.__exit__(None, None, None)
            raise CaptureError(
                "no_interpreter",
                f"{self._python} cannot be started ({error.strerror}). "
                "Name a Python interpreter with `--python PATH`.",
            ) from None
        return self

    def __exit__(self, *exception: object) -> None:
        if exception[0] is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        self._forwarding.__exit__(None, None, None)

    def running(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> _Ended:
        status = self._process.wait()
        stopped_by: StoppedBy | None = None
        if signal.SIGINT in self._signals or status in (-signal.SIGINT, 128 + signal.SIGINT):
            stopped_by = "interrupt"
        elif signal.SIGTERM in self._signals or status == -signal.SIGTERM:
            stopped_by = "terminate"
        elif status < 0:
            stopped_by = "killed"
        return _Ended(status, status if status >= 0 else None, stopped_by)

    @contextmanager
    def _forward_signals(self) -> Generator[None]:
        def forward(number: int, frame: FrameType | None) -> None:
            self._signals.add(number)
            # A terminal's Ctrl-C has reached the script already: it is in the same process group.
            if not (number == signal.SIGINT and _in_terminal_foreground()):
                self._process.send_signal(number)

        previous = {
            number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def _in_terminal_foreground() -> bool:
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _write_request(request: RunRequest, directory: Path) -> None:
    content = {
        "directory": str(directory),
        "python_path": os.environ.get("PYTHONPATH"),
        "script": request.script,
        "target": request.target,
        "warmup": request.warmup,
        "steps": request.steps,
        "until": request.until,
        "command": request.command,
        "working_directory": os.getcwd(),
        "started_unix_ns": time.time_ns(),
    }
    (directory / "request.json").write_text(json.dumps(content), encoding="utf-8")


def _nothing_recorded(
    request: RunRequest, python: Path, directory: Path, ended: _Ended
) -> SidelightError:
    """Why there is no recording, as far as the run directory tells."""
    program = request.command[0] if request.script else f"-m {request.module}"
    how = f"ended with status {ended.status}"
    if ended.status < 0:
        how = f"was ended by {signal.Signals(-ended.status).name}"
    failure = directory / "failure.json"
    if failure.exists():
        reason = json.loads(failure.read_bytes())
        advice = "" if "--" in reason["message"] else " Choose another with `--python PATH`."
        return CaptureError(reason["code"], f"{reason['message']}.{advice}")
    if not (directory / "started").exists():
        return CaptureError(
            "no_interpreter",
            f"{python} {how} before it ran Python. Name a Python interpreter with `--python PATH`.",
        )
    free = os.statvfs(directory)
    if free.f_bavail * free.f_frsize < _LITTLE_SPACE_BYTES:
        return CaptureError(
            "disk_full",
            f"The disk of {directory.parent.parent} is full, so that the recording could not be "
            "saved. Make room, or name a store elsewhere with `--store DIR`.",
        )
    faults = directory / "faults.txt"
    if faults.exists():
        text = faults.read_text(encoding="utf-8").strip()
        error = CaptureError(
            "capture_fault",
            f"Recording {program} failed inside Sidelight: {text.splitlines()[-1]}. "
            "Please report it with what `--debug` prints.",
        )
        error.__cause__ = RuntimeError(text)
        return error
    if not (directory / "recording").exists():
        return CaptureError(
            "nothing_recorded",
            f"{program} {how} before it had imported torch, so there is nothing to show.",
        )
    return CaptureError(
        "killed" if ended.status < 0 else "nothing_recorded",
        f"{program} {how} before its recording could be saved; nothing was kept. "
        "Record fewer steps (`--steps N`), or let it end by itself.",
    )
