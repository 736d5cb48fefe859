"""Run a script under the capture agent, and store what it leaves."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sidelight.jobs.missing_recording import nothing_recorded
from sidelight.jobs.reading import read_into_store
from sidelight.jobs.run_directory import RunDirectory
from sidelight.jobs.run_request import RUNTIME_TARGET, RunRequest
from sidelight.jobs.runtime_files import keep_runtime_files, runtime_files_note
from sidelight.jobs.runtime_session import RuntimeSession
from sidelight.jobs.script_process import Ended, ScriptProcess, stderr_descriptor
from sidelight.jobs.stages import Stage
from sidelight.profile.durable import plain_errors
from sidelight.profile.errors import CaptureError, ProfileNotFoundError, SidelightError
from sidelight.profile.manifest import StoppedBy
from sidelight.profile.quality import QualityNote
from sidelight.profile.store import Store, StoredProfile

_POLL_S = 0.05


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


def run_script(
    request: RunRequest,
    store: Store,
    *,
    on_stage: Callable[[Stage], None],
    is_abandoned: Callable[[], bool],
) -> RunResult:
    """Run the script to its end and store its recording as soon as that is complete.

    Args:
        request: What to run.
        store: Where the profile goes.
        on_stage: Told how far it has come.
        is_abandoned: Whether who started the run has died: the script is ended then, which nobody
            else could, and what was recorded is kept.

    Raises:
        CaptureError: The script cannot be run, nothing was recorded, or what was recorded is not
            for us to read.
        StoreError: The store cannot be written.
        UnreadableInputError: The recording is damaged.
    """
    python = request.interpreter()
    output = stderr_descriptor() if request.script_output_to_stderr else None
    if not request.wants_this_rank():
        script = ScriptProcess(python, request.command, os.environ, output)
        with script.run():
            return RunResult(None, script.wait().exit_status)
    if request.target == RUNTIME_TARGET:
        session = RuntimeSession(store.new_session())
        session.prepare(store)
        environment = {**os.environ, **session.environment()}
        script = ScriptProcess(python, request.command, environment, output)
        on_stage(Stage("starting"))
        ended = _run_to_its_end(script, is_abandoned)
        on_stage(Stage("ended"))
        stored = session.store_recording(request, ended, store, on_stage)
        return RunResult(stored, ended.exit_status)
    with store.run_directory() as path:
        directory = RunDirectory(path)
        environment = directory.write_request(_agents_request(request))
        script = ScriptProcess(python, request.command, environment, output)
        recording = _Recording(request, store, directory, on_stage)
        on_stage(Stage("starting"))

        def look() -> None:
            recording.notice_start()
            if recording.store_new() and recording.has_all_steps and script.running():
                on_stage(Stage("running_on", profile=recording.stored_in))

        ended = _run_to_its_end(script, is_abandoned, look)
        on_stage(Stage("ended"))
        return RunResult(recording.stored_at_last(python, ended), ended.exit_status)


def _run_to_its_end(
    script: ScriptProcess,
    is_abandoned: Callable[[], bool],
    look: Callable[[], None] = lambda: None,
) -> Ended:
    """Run a script, look again and again while it runs, and end it where nobody watches it."""
    with script.run():
        while script.running():
            if is_abandoned():
                script.end()
            look()
            time.sleep(_POLL_S)
        return script.wait()


def _agents_request(request: RunRequest) -> dict[str, object]:
    return {
        "script": request.script,
        "target": request.target,
        "chip": request.pricing.chip if request.pricing else None,
        "lnc": request.pricing.lnc if request.pricing else None,
        "auto_cast": request.pricing.auto_cast if request.pricing else None,
        "warmup": request.warmup,
        "steps": request.steps,
        "until": request.until,
        "command": request.command,
        "working_directory": os.getcwd(),
        "started_unix_ns": time.time_ns(),
    }


class _Recording:
    """The recording of a run: watched for while the script runs, and stored once it is whole."""

    def __init__(
        self,
        request: RunRequest,
        store: Store,
        directory: RunDirectory,
        on_stage: Callable[[Stage], None],
    ) -> None:
        self._request = request
        self._store = store
        self._directory = directory
        self._on_stage = on_stage
        self._started = False
        self._seen: int | None = None
        self._stored: StoredProfile | None = None
        self._problem: SidelightError | None = None
        self.has_all_steps = False

    @property
    def stored_in(self) -> Path | None:
        """The stored profile's directory; None while there is none."""
        return self._stored.directory if self._stored else None

    def notice_start(self) -> None:
        """Tell, once, that the recording has begun."""
        if not self._started and self._directory.recording_started():
            self._started = True
            self._on_stage(Stage("recording"))

    def store_new(self) -> bool:
        """Store what was recorded, if there is something new.

        A script that runs torch.profiler itself after our recording was complete leaves a second
        recording, which takes the place of the first. A failure does not touch the script: it is
        kept for the end, where another attempt is made.

        Returns:
            Whether something was stored.
        """
        version = self._directory.record_version()
        if version is None or version == self._seen:
            return False
        self._seen = version
        earlier = self._stored
        try:
            name = self._request.profile_name
            self._stored = read_into_store(
                self._directory.path,
                self._store,
                name=name,
                pricing=self._request.pricing,
                on_progress=lambda fraction: self._on_stage(Stage("reading", fraction=fraction)),
            )
            self.has_all_steps = self._directory.has_all_steps()
            if earlier is not None:
                self._store.delete(str(earlier.directory))
        except SidelightError as problem:
            self._problem = problem
            return False
        self._problem = None
        self._on_stage(Stage("stored", profile=self._stored.directory))
        return True

    def stored_at_last(self, python: Path, ended: Ended) -> StoredProfile:
        """The stored profile, now that the script has ended and it is known how.

        Raises:
            SidelightError: There is none; the sentence says why.
        """
        if self._problem is not None:
            self._seen = None
        self.store_new()
        if self._problem is not None:
            raise self._problem
        if self._stored is None:
            raise nothing_recorded(self._request.program, python, self._directory, ended)
        stopped_by: StoppedBy | None = ended.stopped_by
        if stopped_by is None and self._request.until == "captured" and self.has_all_steps:
            stopped_by = "captured"
        quality = [*self._stored.manifest.quality, *self._fault_notes()]
        try:
            with plain_errors(self._stored.directory):
                runtime_files = keep_runtime_files(self._stored, self._directory)
            if runtime_files:
                quality.append(runtime_files_note(runtime_files))
            return self._store.update_manifest(
                str(self._stored.directory),
                script_exit=ended.exit_status,
                stopped_by=stopped_by,
                runtime_files=runtime_files,
                quality=quality,
            )
        except ProfileNotFoundError:
            raise CaptureError(
                "profile_deleted",
                f"{self._request.profile_name} ({self._stored.directory}) was deleted while "
                f"{self._request.program} ran on. "
                "Profile it again.",
            ) from None

    def _fault_notes(self) -> list[QualityNote]:
        faults = self._directory.faults()
        if not faults:
            return []
        message = (
            f"Recording failed in places inside Sidelight ({faults.splitlines()[-1]}); steps or "
            "lines may be missing. Please report it."
        )
        return [QualityNote("capture_fault", "warning", message, faults.count("Traceback"))]
