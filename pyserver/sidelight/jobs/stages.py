"""How far a profiled run has come, for whoever watches it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

StageName = Literal["starting", "recording", "reading", "stored", "running_on", "ended", "kept"]


@dataclass(frozen=True)
class Stage:
    """One thing that has just begun, or come about, in a run.

    In order: ``starting`` (the script starts), ``recording`` (it has imported torch), ``reading``
    (what was recorded is being read), ``stored`` (there is a profile), ``running_on`` (all steps
    are stored and the script runs on), ``ended`` (the script has ended), ``kept`` (there is a
    recording that only Neuron's own tools can read, and no profile). A script that ends before
    all steps were recorded has ``ended`` first and is read then; one that records again is read
    again.

    Attributes:
        name: Which.
        fraction: Of ``reading``, the part done, 0 to 1.
        profile: Of ``stored`` and ``running_on``, the profile's directory.
        recording: Of ``kept``, the recording's.
    """

    name: StageName
    fraction: float | None = None
    profile: Path | None = None
    recording: Path | None = None
