"""Runs of target ``fake``, and what their recordings hold of the program's own rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sidelight.profile.model import Profile
from sidelight.profile.stored_profile import StoredProfile
from sidelight.profile.tables import Category
from support.document import Document, Note
from support.tool import PROGRAMS, profile_command, run

FAKE = PROGRAMS / "fake"
"""Where the programs are that run without values."""


@dataclass(frozen=True)
class FakeRun:
    """A run that left a profile.

    Attributes:
        document: The JSON document.
        stderr: What the program and the tool wrote there.
    """

    document: Document
    stderr: str

    def notes(self, code: str) -> list[Note]:
        """The notes of one code."""
        return [note for note in self.document["quality"] if note["code"] == code]

    @property
    def profile(self) -> Profile:
        """The stored profile."""
        return StoredProfile(Path(self.document["profile"])).load()


def fake_run(
    store: Path,
    *program: str | Path,
    options: Sequence[str] = (),
    status: int = 0,
    cwd: Path | None = None,
    python: str | None = None,
) -> FakeRun:
    """Run a program under ``--target fake``.

    Args:
        store: Where the profile goes.
        program: The program, by its name in ``programs/fake`` or its path, and its arguments.
        options: More options of ``profile``.
        status: The exit status that the tool must end with.
        cwd: Working directory; None for the programs' own.
        python: The program's interpreter; None for this one.
    """
    script, *arguments = program
    options = ["--target", "fake", "--warmup", "0", "--json", *options]
    command = profile_command(store, script, *arguments, options=options, python=python)
    done = run(command, cwd=cwd or FAKE)
    assert done.status == status, f"status {done.status}\n{done.stderr[-4000:]}"
    assert "capture_fault" not in done.stdout
    return FakeRun(json.loads(done.stdout), done.stderr)


def row_names(profile: Profile) -> list[str]:
    """The name of every row, in order."""
    names: list[int] = profile.events["name"].tolist()
    return [profile.strings[name] for name in names]


class Called(NamedTuple):
    """An operator that no other called.

    Attributes:
        line: The line of the program's that it ran on, as ``file:line``.
        name: Its name.
        shapes: Its inputs' shapes, as JSON.
    """

    line: str
    name: str
    shapes: str


def outermost_operators(profile: Profile) -> Counter[Called]:
    """How often each operator was called by the program, or by autograd for it."""
    events = profile.events
    category: list[int] = events["category"].tolist()
    name = row_names(profile)
    parent: list[int] = events["parent"].tolist()
    signature: list[int] = events["signature"].tolist()
    found: Counter[Called] = Counter()
    for row in range(len(events)):
        if category[row] != Category.OPERATOR or not name[row].startswith("aten::"):
            continue
        line, above = "", parent[row]
        while above >= 0 and not name[above].startswith("aten::"):
            if category[above] == Category.LINE:
                line = line or name[above]
            above = parent[above]
        if above < 0:
            text = profile.strings[signature[row]] if signature[row] >= 0 else "{}"
            shapes = json.dumps(json.loads(text).get("Input Dims"))
            found[Called(line, name[row], shapes)] += 1
    return found
