"""The CPythons on this machine."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

from support.waiting import PATIENCE_S

_OLDEST = (3, 9)
_ASK = "import sys; print(sys.implementation.name, sys.version_info[0], sys.version_info[1])"


@functools.cache
def installed_interpreters() -> list[str]:
    """One CPython of each version from 3.9 on: this one, those on PATH, and pyenv's."""
    by_version = {sys.version_info[:2]: sys.executable}
    for candidate in _candidates():
        version = _version(candidate)
        if version is not None and version >= _OLDEST:
            by_version.setdefault(version, candidate)
    return [by_version[version] for version in sorted(by_version)]


def _candidates() -> list[str]:
    on_path = [shutil.which(f"python3.{minor}") for minor in range(_OLDEST[1], 20)]
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    managed = sorted(root.glob("versions/*/bin/python"))
    return [*map(str, managed), *filter(None, on_path)]


def _version(python: str) -> tuple[int, int] | None:
    try:
        done = subprocess.run(
            [python, "-c", _ASK], capture_output=True, text=True, timeout=PATIENCE_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    name, major, minor = done.stdout.split()
    return (int(major), int(minor)) if name == "cpython" else None
