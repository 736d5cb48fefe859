"""Print where code-server's start script is: a real VS Code that shows itself in a browser.

Installed from npm into the cache, without the installation scripts of what it depends on: of the
native modules only those are built that it cannot do without, so no system library is needed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cache
import node

VERSION = "4.139.1"

NATIVE_MODULES = (
    "@vscode/spdlog",
    "@vscode/native-watchdog",
    "@vscode/deviceid",
    "@vscode/fs-copyfile",
)


def start_script() -> Path:
    """The script that Node starts; installed first where it is not there."""
    directory = cache.installed(f"code-server-{VERSION}", _install)
    return directory / "node_modules/code-server/out/node/entry.js"


def _install(directory: Path) -> None:
    code = directory / "node_modules/code-server/lib/vscode"
    from_npm = ("install", "--ignore-scripts", "--no-save")
    _npm(directory, *from_npm, "--prefix", str(directory), f"code-server@{VERSION}")
    _npm(code, *from_npm, "--omit=dev")
    _npm(code / "extensions", *from_npm, "--omit=dev")
    _npm(code, "rebuild", *NATIVE_MODULES)


def _npm(directory: Path, *arguments: str) -> None:
    command = ["npm", *arguments, "--no-audit", "--no-fund", "--loglevel=error"]
    environment = {**node.environment(), "JOBS": "max"}
    if subprocess.run(
        command, cwd=directory, env=environment, stdout=sys.stderr, check=False
    ).returncode:
        cache.fail(
            "npm could not install code-server (its message is above): it needs the registry, "
            "a C++ compiler and make."
        )


if __name__ == "__main__":
    print(start_script())
