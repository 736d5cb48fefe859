"""Puts the parts of a session on one timeline, as far as anything relates their clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sidelight.ingest.explorer.listed_profiles import models_of_profiles
from sidelight.ingest.explorer.table_files import profile_name
from sidelight.ingest.notes import executions_without_launch
from sidelight.ingest.sessions.joining import join
from sidelight.ingest.sessions.launchers import How, find_launchers
from sidelight.ingest.sessions.placing import Placed, place, place_by_guess
from sidelight.ingest.sessions.sequence_ids import (
    operators_by_sequence_id,
    read_framework_mappings,
)
from sidelight.ingest.sessions.session import Session
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category

_CLOCK_SINCE_NS: Final = 10**18
"""Clocks that count from 1970 are beyond this, which is in 2001; others have their own zero."""

_HOW: Final[Mapping[How, QualityNote]] = {
    "sequence_id": QualityNote(
        "joined_by_sequence_id",
        "info",
        "Executions are tied to operators by the nrt_sequence_id that the trace and the device's "
        "profile both have. Nothing need be done.",
    ),
    "framework_mapping": QualityNote(
        "joined_by_framework_mapping",
        "info",
        "Executions are tied to operators by the framework's own file of which operators each "
        "nrt_sequence_id is of. Nothing need be done.",
    ),
    "framework_rows": QualityNote(
        "joined_by_framework_rows",
        "info",
        "Executions are tied to operators by the rows that the device's profile has taken over "
        "from the trace. Nothing need be done.",
    ),
    "clock": QualityNote(
        "joined_by_clock",
        "info",
        "Executions are tied to operators by the host's clock alone, as no id ties them: to the "
        "work that was under way then. Where much was, they may be on the line of a neighbour; "
        "record with torch-neuronx's own profiler (export_trace) to have ids.",
    ),
}


FindPlace = Callable[[Profile, Profile, Iterable[str]], Placed | None]
"""Finds where a core's profile belongs, as :mod:`.placing` does."""


class Part(NamedTuple):
    """What Neuron's tools made of a session, or of a part of it.

    Attributes:
        path: Where it lies.
        profile: What it holds.
    """

    path: Path
    profile: Profile


def on_one_timeline(
    session: Session, trace: Profile | None, parts: Sequence[Part]
) -> list[Profile]:
    """Join the parts of a session.

    A core's profile that counts time from its own zero is placed under the executions that it is
    of; where nothing tells which these are, under the first, if it is the only one of its kind.

    Args:
        session: The session.
        trace: The framework's trace, if there is one.
        parts: What Neuron's tools made; one at least, if there is no trace.

    Returns:
        Everything on one timeline that can be, then what cannot.
    """
    # Executions come before the instructions that refine them.
    waiting = sorted(parts, key=lambda part: not _has(part.profile, Category.DEVICE))
    whole = _Whole(session, trace if trace is not None else waiting.pop(0).profile, trace)
    apart = [part for part in waiting if not whole.takes(part.profile)]
    unplaced = [part for part in apart if not whole.takes_placed(part, place)]
    if len(unplaced) == 1 and whole.takes_placed(unplaced[0], place_by_guess):
        unplaced = []
    if unplaced:
        names = ", ".join(part.profile.manifest.name for part in unplaced[:5])
        whole.profile.note(_not_joined(names, len(unplaced)))
    return [whole.profile, *(part.profile for part in unplaced)]


class _Whole:
    """What has been joined so far.

    Args:
        session: The session.
        profile: Its first part.
        trace: The framework's trace, if there is one.

    Attributes:
        profile: All of it.
    """

    def __init__(self, session: Session, profile: Profile, trace: Profile | None) -> None:
        self.profile = profile
        self._session = session
        self._sequence_ids: Mapping[int, int] = {}
        if trace is not None and session.devices:
            self._sequence_ids = operators_by_sequence_id(session.traces[0][0], trace)
        self._mapping = read_framework_mappings(session.files("mapping"))

    def takes(self, part: Profile, *more: QualityNote) -> bool:
        """Join a part that was recorded by the same clock; tell whether it was."""
        if not _share_clock(self.profile, part):
            return False
        found = find_launchers(
            self.profile, part, sequence_ids=self._sequence_ids, mapping=self._mapping
        )
        notes = [msgspec.structs.replace(_HOW[how], count=n) for how, n in found.how.items()]
        if found.unknown:
            notes.append(executions_without_launch(found.unknown))
        self.profile = join(self.profile, part, found.external_id, [*more, *notes])
        return True

    def takes_placed(self, part: Part, find: FindPlace) -> bool:
        """Join a core's profile where it belongs; tell whether anything told where that is."""
        profile = part.profile
        has_own_clock = profile.manifest.start_unix_ns < _CLOCK_SINCE_NS
        is_of_core = _has(profile, Category.ENGINE_WORK) and not _has(profile, Category.DEVICE)
        if not (has_own_clock and is_of_core and _has(self.profile, Category.DEVICE)):
            return False
        placed = find(self.profile, profile, self._programs(part))
        if placed is None:
            return False
        profile.manifest.start_unix_ns = placed.start_unix_ns
        return self.takes(profile, placed.note)

    def _programs(self, part: Part) -> list[str]:
        """What a part's program is called where the session's profiles are listed."""
        names = {profile_name(part.path), part.profile.manifest.name}
        return [
            model
            for path, _ in self._session.devices
            for name, models in models_of_profiles(path).items()
            if name in names
            for model in models
        ]


def _not_joined(names: str, count: int) -> QualityNote:
    return QualityNote(
        "not_joined",
        "warning",
        f"What was recorded beside this ({names}) is by another clock, so that it cannot be put on "
        "one timeline: it is a profile of its own, of the same name. Record the system profile "
        "with it (mode RUNTIME), which has both clocks.",
        count,
    )


def _has(profile: Profile, category: Category) -> bool:
    return bool((profile.events["category"] == category).any())


def _share_clock(one: Profile, other: Profile) -> bool:
    """Whether two profiles count from 1970 both, and were recorded at the same time."""
    spans = [
        (start, start + int((events["start_ns"] + events["duration_ns"]).max(initial=0)))
        for start, events in (
            (profile.manifest.start_unix_ns, profile.events) for profile in (one, other)
        )
    ]
    (first, first_end), (second, second_end) = spans
    return min(first, second) >= _CLOCK_SINCE_NS and first <= second_end and second <= first_end
