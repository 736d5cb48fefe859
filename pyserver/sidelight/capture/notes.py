"""What capture has to say about the quality of a recording: the sentences, in one place."""

from __future__ import annotations

from typing import Any

_NOTES = {
    "children_unseen": (
        "info",
        "The script started processes of its own (multiprocessing, DataLoader workers, fork); they "
        "ran unprofiled, and their work is not in the profile. Ranks that torchrun starts are "
        "profiled; a DataLoader with num_workers=0 works in the script itself.",
    ),
    "children_without_device": (
        "warning",
        "The script started processes anew (spawn, forkserver), and those have no device `neuron` "
        "where none is real: what used it there failed. Start such processes with torchrun, as in "
        "`torchrun --nproc-per-node 2 -m sidelight profile SCRIPT`: each of them has the device, "
        "and a profile.",
    ),
    "process_replaced": (
        "warning",
        "The script gave its process to another program (os.exec) after it had imported torch; "
        "what ran there is not in the profile, and had no device `neuron` where none is real. "
        "Change over before torch is imported, or profile that program by itself.",
    ),
    "other_threads_unseen": (
        "warning",
        "The profiler records only the thread that imported torch, and the backward passes that it "
        "starts; the work of other threads is not in the profile. A newer torch or torch-neuronx "
        "may record all threads.",
    ),
    "recording_full": (
        "warning",
        "Recording ended after {limit:,} executed lines; the profile holds the run up to there. "
        "Record fewer steps (--steps N), or a shorter run, to see it whole.",
    ),
    "recording_gap": (
        "warning",
        "The script executed so many lines without calling a module or building an optimizer that "
        "the middle of the run is not in the profile: only its beginning and its end are. Record "
        "fewer steps (--steps N), or a shorter run, to see it whole.",
    ),
    "until_captured_ignored": (
        "info",
        "The script runs torch.profiler itself, and only it knows when its sessions are over; it "
        "was left to run to its end in spite of --until captured. Nothing is missing.",
    ),
    "lines_cut_short": (
        "warning",
        "Lines are known for the first {limit:,} executed lines of the script's own profiler "
        "session; what ran after that is unattributed. Let its session record less.",
    ),
}


class Notes:
    """Collects the notes of a recording, each code once with its count, or once for each place."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str], dict[str, Any]] = {}

    def add(self, code: str, **values: Any) -> None:
        """Add a note whose sentence is known, with what belongs into it."""
        severity, message = _NOTES[code]
        self.say(code, severity, message.format(**values))

    def say(self, code: str, severity: str, message: str, *, place: str = "") -> None:
        """Add a note in words of its own, about a place in the source or the run as a whole."""
        note = self._notes.setdefault(
            (code, place), {"code": code, "severity": severity, "message": message, "count": 0}
        )
        note["count"] += 1

    @property
    def errors(self) -> int:
        """How many notes are of what the program could not do."""
        return sum(note["severity"] == "error" for note in self._notes.values())

    def as_json(self) -> list[dict[str, Any]]:
        """The notes, as ``capture.json`` holds them."""
        return list(self._notes.values())


def no_warmup(steps: int, warmup: int) -> str:
    """Why fewer steps than wanted are left out as warm-up, and what to do."""
    total = steps + warmup
    if total == 1:
        found = "The run is one step, so that none of it can be left out as warm-up"
    else:
        dropped = f"only {warmup}" if warmup else "none"
        found = f"The run has {total} steps, so that {dropped} could be left out as warm-up"
    return f"{found}; one-time work may weigh in. Run more steps, or lower --warmup and --steps."
