"""The tools too large for the checkout, kept once for all checkouts of this user."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn


def installed(name: str, install: Callable[[Path], None]) -> Path:
    """The directory of a tool in the cache; made first where it is not there.

    It is built beside its place and renamed when whole, so that an installation that was killed
    counts as none. Of two that run at once, one waits for the other.

    Args:
        name: Its directory's name: what it is and which version.
        install: Fills an empty directory. What it builds may not know where it stands.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sidelight"
    directory = cache / name
    if directory.exists():
        return directory
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if directory.exists():
            return directory
        part = cache / f"{name}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        # Not on standard output: that carries paths.
        print(f"Installing {name} into {cache} (once) ...", file=sys.stderr)
        install(part)
        part.rename(directory)
    return directory


def fail(sentence: str) -> NoReturn:
    """End the program with a sentence on standard error."""
    sys.exit(sentence)
