"""Runs of programs that have a Neuron device, and the account that its plug-in gives of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sidelight.profile.model import Profile
from sidelight.profile.stored_profile import StoredProfile
from support.document import Document, Note
from support.neuron_package import PluginLog, program_environment, read_log
from support.tool import PROGRAMS, Finished, profile_command, run

NEURON = PROGRAMS / "neuron"
"""Where the programs are that run on the device."""


@dataclass(frozen=True)
class NeuronRun:
    """A run that left a profile.

    Attributes:
        document: The JSON document.
        log: What the plug-in wrote down.
        stderr: What the program and the tool wrote there.
    """

    document: Document
    log: PluginLog
    stderr: str

    @property
    def profile(self) -> Profile:
        """The stored profile."""
        return StoredProfile(Path(self.document["profile"])).load()

    def notes(self, code: str) -> list[Note]:
        """The notes of one code."""
        return [note for note in self.document["quality"] if note["code"] == code]


def finished_run(
    site: Path,
    directory: Path,
    *program: str | Path,
    options: Sequence[str] = (),
    **variables: str,
) -> Finished:
    """Run a program under ``--target neuron --warmup 0``.

    Args:
        site: Where the package is installed.
        directory: Of the store and the plug-in's log; the program's working directory.
        program: The program, by its name in ``programs/neuron`` or its path, and its arguments.
        options: More options of ``profile``.
        variables: More of the program's environment.
    """
    script, *arguments = program
    options = ["--target", "neuron", "--warmup", "0", *options]
    command = profile_command(directory / "store", NEURON / script, *arguments, options=options)
    environment = program_environment(site, directory / "log", **variables)
    return run(command, cwd=directory, environment=environment)


def neuron_run(
    site: Path,
    directory: Path,
    *program: str | Path,
    options: Sequence[str] = (),
    **variables: str,
) -> NeuronRun:
    """Run a program that ends well; see :func:`finished_run`."""
    options = ["--json", *options]
    done = finished_run(site, directory, *program, options=options, **variables)
    assert done.status == 0, f"status {done.status}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    assert "capture_fault" not in done.stdout
    return NeuronRun(json.loads(done.stdout), read_log(directory / "log"), done.stderr)
