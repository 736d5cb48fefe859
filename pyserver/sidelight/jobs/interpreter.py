"""Which Python runs the script."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from sidelight.profile.errors import CaptureError


def choose_interpreter(asked_for: Path | None) -> Path:
    """The interpreter asked for; else the active virtual environment's; else this one.

    The path is not resolved: a virtual environment is known by its own link to Python.

    Raises:
        CaptureError: The interpreter asked for is no program.
    """
    if asked_for is not None:
        path = asked_for.expanduser()
        found = path.absolute() if path.exists() else shutil.which(path)
        if found is None:
            raise CaptureError(
                "no_interpreter",
                f"{asked_for} is no program. Name a Python interpreter with `--python PATH`.",
            )
        return Path(found)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        environment = os.environ.get(variable)
        if environment:
            for name in ("bin/python", "Scripts/python.exe", "python.exe"):
                candidate = Path(environment) / name
                if candidate.exists():
                    return candidate
    return Path(sys.executable)
