"""Runs the functions of a program on the virtual device, and writes down how each ended.

    python device_checks.py PROGRAM

The device is registered for the whole process, so that nothing else can run in it.
"""

from __future__ import annotations

import inspect
import json
import runpy
import subprocess
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

from support.tool import PROGRAMS

COMPUTING = PROGRAMS / "computing"
"""Where the programs are: their functions that are named ``check_…`` are called."""


def failed_checks(program: str) -> dict[str, str]:
    """The checks of a program that failed: name to traceback.

    Args:
        program: Its name in ``programs/computing``.

    Raises:
        AssertionError: It has no checks, or ended before the last.
    """
    command = [sys.executable, "-X", "faulthandler", "-m", "support.device_checks", program]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1]
    )
    assert done.returncode == 0, done.stderr[-4000:]
    ended: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    assert ended
    return {name: how for name, how in ended.items() if how}


def begin() -> Any:
    """Register the device in this process; gives the session."""
    from sidelight.capture.notes import Notes
    from sidelight.capture.user_code import UserCode
    from sidelight.capture.virtual.session import VirtualSession

    session = VirtualSession({}, Notes(), UserCode(None))
    session.begin()
    return session


def main(program: str) -> None:
    """Run a program's checks; writes each one's traceback, or nothing where it held."""
    session = begin()
    warnings.simplefilter("always")
    ended: dict[str, str] = {}
    for name, check in runpy.run_path(str(COMPUTING / program)).items():
        if not name.startswith("check_"):
            continue
        try:
            check(session) if inspect.signature(check).parameters else check()
            ended[name] = ""
        except BaseException:
            ended[name] = traceback.format_exc()
    print(json.dumps(ended))


if __name__ == "__main__":
    main(sys.argv[1])
