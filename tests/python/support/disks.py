"""Disks that are soon full."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(at: Path, kilobytes: int) -> Generator[Path]:
    """A disk of a size, mounted in a new directory; skips the test where that needs rights."""
    at.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(at)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        yield at
    finally:
        subprocess.run(["umount", str(at)], check=True)
