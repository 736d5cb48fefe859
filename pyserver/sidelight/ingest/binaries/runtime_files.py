"""Says what to do with files of the Neuron runtime that no reader can read.

``ntrace.pb`` and the like are protocol buffers without a public definition.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sidelight.ingest.byte_source import Progress
from sidelight.ingest.formats import Format
from sidelight.ingest.sessions.contents import RUNTIME_FILES
from sidelight.ingest.sessions.conversion import how_to_convert
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile


def detect(path: Path) -> bool:
    """Whether a file has the name of such a file; nothing in it tells."""
    return path.name.lower() in RUNTIME_FILES and os.path.isfile(path)


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Say what to do.

    Args:
        path: The file.
        progress: Not told anything.

    Raises:
        UnreadableInputError: ``needs_neuron_explorer``, always.
    """
    raise UnreadableInputError(
        "needs_neuron_explorer",
        f"{path} is what the Neuron runtime recorded of a run, which only Neuron's own tools can "
        f"read, and a whole session at a time. {how_to_convert(path.absolute().parent)}",
    )


FORMAT: Final = Format("neuron_runtime", detect, read)
