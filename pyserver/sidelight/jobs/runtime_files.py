"""What the Neuron runtime wrote of a run by itself: kept, and people told where."""

from __future__ import annotations

import shlex
from contextlib import suppress

from sidelight.jobs.run_directory import RUNTIME_FILES_NAME, RunDirectory
from sidelight.profile.quality import QualityNote
from sidelight.profile.stored_profile import StoredProfile


def keep_runtime_files(stored: StoredProfile, run: RunDirectory) -> list[str]:
    """Move what is in the run's directory, which goes, into the profile's.

    What the script has put elsewhere stays there.

    Args:
        stored: The run's profile.
        run: The run's directory, of the same store.

    Returns:
        The folders, as the profile's manifest is to have them.

    Raises:
        OSError: They cannot be moved.
    """
    passing = run.path / RUNTIME_FILES_NAME
    kept = stored.directory / RUNTIME_FILES_NAME
    folders = stored.manifest.runtime_files
    if str(passing) in folders:
        with suppress(FileNotFoundError):  # the profile was deleted, which is found out next
            passing.rename(kept)
    return [str(kept) if folder == str(passing) else folder for folder in folders]


def reading_command(folder: str) -> str:
    """The command that reads what is in such a folder, where Neuron's tools are."""
    return shlex.join(["sidelight", "open", "--run-explorer", folder])


def runtime_files_note(folders: list[str]) -> QualityNote:
    """Where the files are, and what reads them."""
    commands = " and ".join(f"`{reading_command(folder)}`" for folder in folders)
    return QualityNote(
        "runtime_files_kept",
        "info",
        "What the Neuron runtime wrote by itself of this run is kept. Where neuron-explorer is "
        f"installed, {commands} reads it, too.",
        len(folders),
    )
