"""Why a run left no recording, and what to do about it."""

from __future__ import annotations

import signal
from pathlib import Path

from sidelight.jobs.run_directory import RunDirectory
from sidelight.jobs.script_process import Ended
from sidelight.profile.errors import CaptureError


def nothing_recorded(
    program: str, python: Path, directory: RunDirectory, ended: Ended
) -> CaptureError:
    """Why there is no recording, as far as the run directory tells.

    Args:
        program: The script or module, as sentences call it.
        python: The interpreter that ran it.
        directory: Where the recording should be.
        ended: How the script ended.
    """
    how = ended.described()
    failure = directory.failure()
    if failure is not None:
        code, message = failure
        advice = "" if "--" in message else " Choose another with `--python PATH`."
        return CaptureError(code, f"{message}.{advice}")
    if ended.stopped_by == "interrupt" and not directory.recording_started():
        return CaptureError(
            "interrupted",
            f"{program} was interrupted before it had imported torch; there is nothing to show.",
        )
    if not directory.python_started():
        return CaptureError(
            "no_interpreter",
            f"{python} {how} before it ran Python. Name a Python interpreter with `--python PATH`.",
        )
    if directory.disk_is_full():
        return CaptureError(
            "disk_full",
            f"The disk of {directory.path.parent.parent} is full, so that the recording could not "
            "be saved. Make room, or name a store elsewhere with `--store DIR`.",
        )
    faults = directory.faults()
    if "TraceNotWrittenError" in faults:
        return CaptureError(
            "recording_not_saved",
            f"The recording of {program} could not be written whole to {directory.path.parent}. "
            "Check the limits on file sizes there, or record fewer steps (`--steps N`).",
        )
    if faults:
        error = CaptureError(
            "capture_fault",
            f"Recording {program} failed inside Sidelight ({faults.splitlines()[-1]}). "
            "Please report it with what `--debug` prints.",
        )
        error.__cause__ = RuntimeError(faults)
        return error
    if not directory.recording_started():
        without_torch = directory.python_without_torch()
        if without_torch is not None:
            return CaptureError(
                "no_torch", f"{without_torch} has no torch. Choose another with `--python PATH`."
            )
        return CaptureError(
            "nothing_recorded",
            f"{program} {how} before it had imported torch, so there is nothing to show.",
        )
    advice = ""
    if ended.status == -signal.SIGKILL:
        advice = " If memory ran out, record fewer steps (`--steps N`)."
    return CaptureError(
        "killed" if ended.status < 0 else "nothing_recorded",
        f"{program} {how} before its recording could be saved; nothing was kept.{advice}",
    )
