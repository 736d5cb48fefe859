"""A package with torch-neuronx's name, installed beside a program: its plug-in is built here.

What it stands on is in ``tests/native/``: the Kineto plug-in in C++, built against the headers of
this interpreter's torch, and the Python package over it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypedDict

import torch

_NATIVE = Path(__file__).resolve().parents[2] / "native"
_PLUGIN = _NATIVE / "kineto_plugin"
_PACKAGE = _NATIVE / "torch_neuronx"

_METADATA = {
    "METADATA": "Metadata-Version: 2.1\nName: torch-neuronx\nVersion: 2.13.3.0\n",
    "entry_points.txt": "[torch.backends]\ntorch_neuronx = torch_neuronx:autoload\n",
}
"""How torch finds a backend to load by itself."""

_FLAGS = ("-std=c++20", "-O1", "-shared", "-fPIC", "-DUSE_KINETO", "-DFMT_HEADER_ONLY")
_WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror")


class LoggedWork(TypedDict):
    """Work that the device was given, as the plug-in wrote it down.

    ``recording`` is the number of the recording that ran, from 1; 0 for none.
    """

    name: str
    duration_ns: int
    thread: int
    recording: int


@dataclass(frozen=True)
class PluginLog:
    """The plug-in's own account of a process.

    Attributes:
        configurations: What each recording was asked for, by field.
        directories: Where the runtime put each recording's files.
        work: All work, in order of submission.
    """

    configurations: list[dict[str, str]]
    directories: list[Path]
    work: list[LoggedWork]

    def recorded(self, *recordings: int) -> list[LoggedWork]:
        """The work that was submitted while one of these recordings ran."""
        return [work for work in self.work if work["recording"] in recordings]


def duration_ns(work: Iterable[LoggedWork]) -> int:
    """How long the device was busy with that, in nanoseconds."""
    return sum(each["duration_ns"] for each in work)


def read_log(path: Path) -> PluginLog:
    """Read what the plug-in wrote down."""
    log = PluginLog([], [], [])
    for text in path.read_text(encoding="utf-8").splitlines():
        entry: Any = json.loads(text)
        if "configuration" in entry:
            fields = [field.partition(":") for field in entry["configuration"].split(";")]
            log.configurations.append({name: value for name, _, value in fields})
            log.directories.append(Path(entry["directory"]))
        else:
            log.work.append(entry)
    return log


def compiler() -> str | None:
    """The C++ compiler; None where there is none."""
    return shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")


def install_package(shared: Path) -> Path:
    """Install the package into a directory of its own, as pip would.

    It is built once for all test processes that share a directory.

    Args:
        shared: Where the package may be, or come to be.

    Returns:
        The directory to put on a program's path.

    Raises:
        RuntimeError: The plug-in does not build; the compiler's own words.
    """
    # Code below a directory of this name counts as installed, and not as the user's.
    site = shared / f"torch-neuronx-{_fingerprint()}" / "site-packages"
    site.mkdir(parents=True, exist_ok=True)
    with open(site.with_name("lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = site.with_name("done")
        if not done.exists():
            package = site / _PACKAGE.name
            shutil.copytree(_PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
            _build(package / "libneuron_plugin.so")
            information = site / "torch_neuronx-2.13.3.0.dist-info"
            information.mkdir()
            for name, text in _METADATA.items():
                (information / name).write_text(text, encoding="utf-8")
            done.touch()
    return site


def program_environment(site: Path, log: Path, **variables: str) -> Mapping[str, str]:
    """The environment of a program that has the package.

    Args:
        site: Where it is installed.
        log: Where the plug-in writes down what it did.
        variables: What else to set.
    """
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "NEURON_PLUGIN_LOG": str(log), **variables}


def _fingerprint() -> str:
    """What the build depends on, in a few digits."""
    digest = hashlib.sha256(f"{sys.version} {torch.__version__} {compiler()}".encode())
    for source in sorted([*_PLUGIN.iterdir(), *_PACKAGE.glob("*.py")]):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def _build(library: Path) -> None:
    found = find_spec("torch")
    assert found is not None
    assert found.origin is not None
    torch_directory = Path(found.origin).parent
    include = torch_directory / "include"
    command = [
        *(compiler() or "c++", *_FLAGS, *_WARNINGS),
        *("-isystem", include, "-isystem", include / "kineto", f"-I{_PLUGIN}"),
        *sorted(_PLUGIN.glob("*.cpp")),
        *(f"-L{torch_directory / 'lib'}", "-ltorch_cpu", "-lc10", "-o", library),
    ]
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"the plug-in does not build:\n{done.stderr}")
