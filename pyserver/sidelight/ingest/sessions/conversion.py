"""What to run where Neuron's tools are, for recordings that only they can read."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Final

EXPLORER: Final = "neuron-explorer"

_DATA_FOLDER: Final = "neuron-explorer-data"


def explorer_arguments(source: Path, data_folder: Path, name: str, neff: Path | None) -> list[str]:
    """The command that makes tables of a recording.

    Args:
        source: A session's folder, or one capture (NTFF).
        data_folder: Where the tables go: into ``profiles/global/<name>@latest`` below it.
        name: What the tool calls the profile.
        neff: The program that a capture is of.
    """
    what = ["-d", str(source)] if neff is None else ["-n", str(neff), "-s", str(source)]
    return [
        *(EXPLORER, "view", "--ingest-only", *what),
        *("--data-path", str(data_folder), "--display-name", name),
    ]


def display_name(source: Path) -> str:
    """What the tool is to call the profile of a recording: its name, but for odd characters."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", source.absolute().name)[:80].strip("-.")
    return name or "session"


def explorer_command(source: Path, neff: Path | None = None) -> str:
    """What to type to make tables of a recording into a folder beside oneself.

    Args:
        source: A session's folder, or one capture (NTFF).
        neff: The program that a capture is of.
    """
    name = display_name(source)
    return shlex.join(explorer_arguments(source, Path(_DATA_FOLDER), name, neff))


def how_to_convert(source: Path, neff: Path | None = None) -> str:
    """What to do about a raw recording, as one or two sentences.

    Args:
        source: A session's folder, or one capture (NTFF).
        neff: The program that a capture is of.
    """
    if shutil.which(EXPLORER):
        command = shlex.join(["sidelight", "open", "--run-explorer", str(source)])
        return f"{EXPLORER} is installed here: `{command}` lets it make tables and reads these."
    return (
        f"Where Neuron's tools are, run `{explorer_command(source, neff)}`, and open "
        f"{_DATA_FOLDER}/profiles/global/{display_name(source)}@latest."
    )
