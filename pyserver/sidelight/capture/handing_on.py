"""A script that starts its interpreter anew in its own place, before it imports torch.

Some do, to have variables set from the very beginning. Nothing is recorded by then, so that the
agent may begin there as it began here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import record

_STARTUP = Path(__file__).resolve().parent / "startup"

_PYTHON_PATH = "PYTHONPATH"


def is_this_interpreter(program: str) -> bool:
    """Whether a program is the interpreter that runs, with the same packages."""
    # An environment's interpreter is a link to one that has others.
    beside = os.path.dirname(os.path.abspath(program)) == os.path.dirname(
        os.path.abspath(sys.executable)
    )
    return beside and os.path.samefile(program, sys.executable)


def handed_on(request: dict[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Leave the request for the interpreter that takes this one's place.

    Args:
        request: What the agent was started with.
        environment: The variables that the script gives to that interpreter.

    Returns:
        Those, and what brings the agent into it.
    """
    python_path = environment.get(_PYTHON_PATH)
    path = Path(request["directory"]) / record.REQUEST_NAME
    record.write_json(path, {**request, "python_path": python_path})
    entries = [str(_STARTUP), *([python_path] if python_path else [])]
    return {
        **environment,
        record.REQUEST_VARIABLE: str(path),
        _PYTHON_PATH: os.pathsep.join(entries),
    }
