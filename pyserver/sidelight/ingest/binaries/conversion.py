"""What to run where Neuron's tools are, for a capture that only they can read."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Final

from sidelight.ingest.sessions.conversion import EXPLORER, display_name, explorer_arguments

_DATA_FOLDER: Final = Path("neuron-explorer-data")


def how_to_convert(neff: Path, ntff: Path) -> str:
    """What to do to have a capture's rows, as one sentence.

    Args:
        neff: The program that was captured.
        ntff: Its capture.
    """
    if shutil.which(EXPLORER):
        command = shlex.join(["sidelight", "open", "--run-explorer", str(ntff)])
        return f"{EXPLORER} is installed here: `{command}` lets it make tables and reads these."
    name = display_name(ntff)
    command = shlex.join(explorer_arguments(ntff, _DATA_FOLDER, name, neff))
    return (
        f"Where Neuron's tools are, run `{command}`, and open "
        f"{_DATA_FOLDER}/profiles/global/{name}@latest."
    )
