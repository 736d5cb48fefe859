"""The calls of a model in a recording: when each was done, what it read, and in which phase it was.

A call is what a user's own range says (``record_function``: *prefill* or *context encoding*,
*decode* or *token generation*), else a step. What a step is, the sequences' lengths tell: the
largest embedding that it looks up has indices of ``[sequences, tokens]``; several tokens of each
sequence are a prompt, one is the next token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from sidelight.analysis.device_time import counted_rows
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.signatures import decode_signature, is_list
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

Phase = Literal["prefill", "decode"]
PhasesFrom = Literal["ranges", "shapes"]

_PREFILL: Final = re.compile(r"(?i)(?<![a-z])(prefill|context[ _-]?encoding)(?![a-z])")
_DECODE: Final = re.compile(r"(?i)(?<![a-z])(decode|token[ _-]?generation)(?![a-z])")
_EMBEDDING: Final = "aten::embedding"

_LONGEST: Final = 1 << 40
"""No dimension is larger; a trace can claim any."""


@dataclass(frozen=True)
class Call:
    """One call of a model.

    Attributes:
        start_ns: When it started, on the host.
        done_ns: When the last device work that it launched ended; None where it launched none.
        phase: None where nothing tells.
        sequences: How many sequences, or samples, it read; None where that is not known.
        tokens: How many tokens of all of them; None likewise.
    """

    start_ns: int
    done_ns: int | None
    phase: Phase | None
    sequences: int | None
    tokens: int | None


def phase_of_range(name: str) -> Phase | None:
    """The phase that a range's name says; None for other ranges."""
    if _PREFILL.search(name):
        return "prefill"
    return "decode" if _DECODE.search(name) else None


def calls_of(profile: Profile) -> tuple[list[Call], PhasesFrom | None]:
    """The calls in the recorded steps, in order of their start, and what tells their phases.

    Args:
        profile: An attributed profile.
    """
    phases: list[Phase | None]
    start_ns, end_ns, phases = _ranges(profile)
    by_ranges = len(start_ns) > 0
    if not by_ranges:
        start_ns, end_ns = profile.steps["start_ns"], profile.steps["end_ns"]
    read = _lengths(profile, start_ns, end_ns)
    if not by_ranges:
        are_calls = profile.manifest.steps_from == "module"
        phases = [_phase_of_length(length if are_calls else None) for length in read]
    done: list[int] = _done(profile, start_ns, end_ns).tolist()
    starts: list[int] = start_ns.tolist()
    calls = [
        Call(
            start_ns=start,
            done_ns=call_done or None,
            phase=phase,
            sequences=length[0] if length else None,
            tokens=_tokens(length) if length else None,
        )
        for phase, start, call_done, length in zip(phases, starts, done, read, strict=True)
    ]
    phases_from: PhasesFrom = "ranges" if by_ranges else "shapes"
    return calls, phases_from if any(call.phase for call in calls) else None


def lengths_of_steps(profile: Profile) -> list[tuple[int, int] | None]:
    """How many sequences each recorded step reads, and how many tokens of each; None where nothing
    tells.

    Args:
        profile: An attributed profile.
    """
    return _lengths(profile, profile.steps["start_ns"], profile.steps["end_ns"])


def _phase_of_length(length: tuple[int, int] | None) -> Phase | None:
    if length is None:
        return None
    return "decode" if length[1] == 1 else "prefill"


def _ranges(profile: Profile) -> tuple[IntColumn, IntColumn, list[Phase | None]]:
    """The outermost ranges of the user's that say a phase; of one that holds several calls of a
    module, these."""
    events = profile.events
    phase_of_name: list[Phase | None] = [phase_of_range(name) for name in profile.strings]
    says = np.array([phase is not None for phase in phase_of_name] or [False], np.bool_)
    on_host = np.array([track.kind == "host" for track in profile.tracks] or [False], np.bool_)
    is_range = (events["category"] == Category.ANNOTATION) & (events["step"] >= 0)
    rows = np.flatnonzero(is_range & says[events["name"]] & on_host[events["track"]])
    rows = rows[np.lexsort((-events["duration_ns"][rows], events["start_ns"][rows]))]
    starts, ends, phases = list[int](), list[int](), list[Phase | None]()
    for row in rows.tolist():
        start_ns = int(events["start_ns"][row])
        if ends and start_ns < ends[-1]:
            continue
        end_ns = start_ns + int(events["duration_ns"][row])
        phase: Phase | None = phase_of_name[int(events["name"][row])]
        for start, end in _steps_within(profile, start_ns, end_ns, phase):
            starts.append(start)
            ends.append(end)
            phases.append(phase)
    return np.array(starts, np.int64), np.array(ends, np.int64), phases


def _steps_within(
    profile: Profile, start_ns: int, end_ns: int, phase: Phase | None
) -> list[tuple[int, int]]:
    """The stretches of the calls that a range holds: itself, unless it generates several tokens."""
    steps = profile.steps
    inside = (steps["start_ns"] >= start_ns) & (steps["start_ns"] < end_ns)
    starts: list[int] = steps["start_ns"][inside].tolist()
    if phase != "decode" or profile.manifest.steps_from != "module" or len(starts) < 2:
        return [(start_ns, end_ns)]
    return list(zip(starts, [*starts[1:], end_ns], strict=True))


def _call_at(start_ns: IntColumn, end_ns: IntColumn, at_ns: IntColumn) -> IntColumn:
    """The call in which each instant lies, -1 for none; the later of two that touch."""
    index = np.searchsorted(start_ns, at_ns, side="right") - 1
    inside = (index >= 0) & (at_ns <= end_ns[np.maximum(index, 0)])
    return np.where(inside, index, -1)


def _done(profile: Profile, start_ns: IntColumn, end_ns: IntColumn) -> IntColumn:
    """When the device was done with each call; 0 where it had nothing to do."""
    done_ns = np.zeros(len(start_ns), np.int64)
    if len(start_ns):
        events = profile.events
        rows = np.flatnonzero(counted_rows(events) & (events["duration_ns"] > 0))
        launched_ns = events["start_ns"][events["operator"][rows]]
        call = _call_at(start_ns, end_ns, launched_ns)
        rows, call = rows[call >= 0], call[call >= 0]
        np.maximum.at(done_ns, call, events["start_ns"][rows] + events["duration_ns"][rows])
    return done_ns


def _lengths(
    profile: Profile, start_ns: IntColumn, end_ns: IntColumn
) -> list[tuple[int, int] | None]:
    """How many sequences each call reads, and how many tokens of each."""
    events, strings = profile.events, profile.strings
    lengths: list[tuple[int, int] | None] = [None] * len(start_ns)
    if _EMBEDDING not in strings or not len(start_ns):
        return lengths
    is_embedding = events["name"] == strings.index(_EMBEDDING)
    rows = np.flatnonzero(is_embedding & (events["category"] == Category.OPERATOR))
    rows = rows[events["signature"][rows] >= 0]
    known: dict[int, tuple[int, int] | None] = {}
    calls: list[int] = _call_at(start_ns, end_ns, events["start_ns"][rows]).tolist()
    signatures: list[int] = events["signature"][rows].tolist()
    for call, signature in zip(calls, signatures, strict=True):
        if signature not in known:
            known[signature] = _length(strings[signature])
        length, before = known[signature], lengths[call]
        if call >= 0 and length and (before is None or _tokens(length) > _tokens(before)):
            lengths[call] = length
    return lengths


def _tokens(length: tuple[int, int]) -> int:
    return length[0] * length[1]


def _length(signature: str) -> tuple[int, int] | None:
    """Sequences and tokens by the indices of an embedding; None where they are no such matrix."""
    known = decode_signature(signature)
    if known is None or not is_list(known.dims) or len(known.dims) < 2:
        return None
    indices = known.dims[1]
    if not is_list(indices) or len(indices) != 2:
        return None
    sequences, tokens = indices
    if isinstance(sequences, int) and isinstance(tokens, int):
        is_possible = 0 < sequences <= _LONGEST and 0 < tokens <= _LONGEST
        return (sequences, tokens) if is_possible else None
    return None
