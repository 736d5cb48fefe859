"""Print the path of a Chromium or Chrome; installed first where there is none and that may be done.

``SIDELIGHT_BROWSER`` names another one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import cache

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find() -> str | None:
    """The one to use; None where there is none."""
    named = os.environ.get("SIDELIGHT_BROWSER")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """Have the system's packages install Chromium; only root may, and only Debian's is known."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print("Installing chromium from the system's packages (once) ...", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "chromium"]):
        command = ["apt-get", "-qq", *arguments]
        subprocess.run(command, env=environment, stdout=sys.stderr, check=False)


if __name__ == "__main__":
    if find() is None and "SIDELIGHT_BROWSER" not in os.environ:
        install()
    found = find()
    if found is None:
        cache.fail("There is no Chromium and no Chrome on PATH: install one, such as 'chromium'.")
    print(found)
