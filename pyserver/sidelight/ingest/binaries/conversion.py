"""What to run where Neuron's tools are, for a capture that only they can read."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

_DATA_DIRECTORY: Final = "neuron-explorer-data"


def how_to_convert(neff: Path, ntff: Path) -> str:
    """The command that makes tables of a capture, and what to open then, as one sentence.

    Args:
        neff: The program that was captured.
        ntff: Its capture.
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", ntff.stem)[:80]
    command = " ".join(
        (
            "neuron-explorer view --ingest-only",
            f"-n {shlex.quote(str(neff))} -s {shlex.quote(str(ntff))}",
            f"--data-path {_DATA_DIRECTORY} --display-name {name}",
        )
    )
    return (
        f"Where Neuron's tools are, run `{command}`, and open "
        f"{_DATA_DIRECTORY}/profiles/global/{name}@latest."
    )
