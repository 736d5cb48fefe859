"""Where on a session's timeline a core's own profile belongs that counts time from its own zero.

What relates the two, the surest first: the ``nrt_sequence_id`` of an execution that both know; the
program that was executed, where both know as many executions of it; and else the first execution,
which is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import PurePath
from typing import Final, NamedTuple

import numpy as np

from sidelight.ingest.executions import EXECUTIONS_LANE
from sidelight.ingest.notes import clocks_set_by_guess
from sidelight.ingest.sessions.pairing import program_number
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category, Column

_OF_MODEL: Final = re.compile(r".*model_(?P<id>\d{1,20})")
"""What the older profiler calls its files: ``device_profile_model_10001.json``."""


class Placed(NamedTuple):
    """Where a profile belongs.

    Attributes:
        start_unix_ns: What its zero is, since 1970.
        note: What told so.
    """

    start_unix_ns: int
    note: QualityNote


class _Execution(NamedTuple):
    """An execution of a program.

    Attributes:
        start_ns: From its profile's zero.
        core: The logical core's name.
        sequence_id: ``nrt_sequence_id`` by its bits, -1 where it is not known.
        programs: Every name that its program is known by.
    """

    start_ns: int
    core: str
    sequence_id: int
    programs: frozenset[str]


def place(system: Profile, core: Profile, programs: Iterable[str]) -> Placed | None:
    """Place a core's profile by what both profiles know of the executions in it.

    Args:
        system: A profile with executions.
        core: One of a core's instructions.
        programs: What else the core's program is known by.

    Returns:
        None where nothing relates the two.
    """
    own = _own_executions(core, programs)
    candidates = _executions_of(system)
    by_id = {each.sequence_id: each for each in candidates if each.sequence_id != -1}
    for each in own:
        if each.sequence_id in by_id:
            start_ns = by_id[each.sequence_id].start_ns - each.start_ns
            return Placed(system.manifest.start_unix_ns + start_ns, _BY_SEQUENCE_ID)
    same = [each for each in candidates if each.programs & own[0].programs]
    same = _on_core(same, own[0].core)
    if len(same) != len(own):
        return None
    start_ns = same[0].start_ns - own[0].start_ns
    return Placed(system.manifest.start_unix_ns + start_ns, _BY_PROGRAM)


def place_by_guess(system: Profile, core: Profile, programs: Iterable[str]) -> Placed:
    """Place a core's profile at the first execution that may be its own.

    Args:
        system: As for :func:`place`.
        core: Likewise.
        programs: Likewise.
    """
    own = _own_executions(core, programs)[0]
    candidates = _executions_of(system)
    of_program = [each for each in candidates if each.programs & own.programs]
    first = _on_core(of_program or candidates, own.core)[0]
    start_ns = first.start_ns - own.start_ns
    return Placed(system.manifest.start_unix_ns + start_ns, clocks_set_by_guess())


_BY_SEQUENCE_ID: Final = QualityNote(
    "placed_by_sequence_id",
    "info",
    "Instructions are placed under the execution that has the nrt_sequence_id which their profile "
    "names, too. Nothing need be done.",
)

_BY_PROGRAM: Final = QualityNote(
    "placed_by_program",
    "info",
    "Instructions are placed under the executions of their program: the system profile has as many "
    "of these as the core's profile, so that their order tells which is which. Nothing need be "
    "done.",
)


def _executions_of(system: Profile) -> list[_Execution]:
    """The executions of a system profile, in order of time."""
    return _executions(system, np.flatnonzero(system.events["category"] == Category.DEVICE))


def _own_executions(core: Profile, programs: Iterable[str]) -> list[_Execution]:
    """The executions that a core's profile names, in order of time; else all of it as one."""
    named = frozenset(name for text in (*programs, *_names_in(core)) for name in _forms(text))
    lanes = [track.tid == EXECUTIONS_LANE for track in core.tracks]
    found = _executions(core, np.flatnonzero(np.array(lanes, np.bool_)[core.events["track"]]))
    found = [each._replace(programs=each.programs | named) for each in found]
    if found:
        return found
    work = np.flatnonzero(core.events["category"] == Category.ENGINE_WORK)
    first = int(work[np.argmin(core.events["start_ns"][work])])
    pid = core.tracks[int(core.events["track"][first])].pid
    return [_Execution(int(core.events["start_ns"][first]), pid, -1, named)]


def _executions(profile: Profile, rows: Column) -> list[_Execution]:
    events, work = profile.events, profile.work
    rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
    program: dict[int, int] = dict(
        zip(map(int, work["event"]), map(int, work["program"]), strict=True)
    )
    return [
        _Execution(
            int(events["start_ns"][row]),
            profile.tracks[int(events["track"][row])].pid,
            int(events["correlation_id"][row]),
            frozenset(_forms(profile.strings[code]) if (code := program.get(row, -1)) >= 0 else ()),
        )
        for row in map(int, rows)
    ]


def _on_core(executions: list[_Execution], core: str) -> list[_Execution]:
    """Those of a core; all of them where none is, as nothing says that both number cores alike."""
    return [each for each in executions if each.core == core] or executions


def _names_in(core: Profile) -> Collection[str]:
    match = _OF_MODEL.fullmatch(core.manifest.name)
    return [match["id"]] if match else []


def _forms(program: str) -> set[str]:
    """What a program may be called elsewhere: by its file's path or name, or by its number."""
    path = PurePath(program.replace("\\", "/"))
    number = program_number(path.stem)
    return {program, path.name, path.stem, *([number] if number else [])}
