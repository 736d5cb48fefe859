"""The calls of a model in a recording: when each was done, what it read, and in which phase it was.

A call is what a user's own range says (``record_function``: *prefill* or *context encoding*,
*decode* or *token generation*), else a step. What a step is, the sequences' lengths tell: the
embedding that it looks most up in has indices of ``[sequences, tokens]``; several tokens of each
sequence are a prompt, one is the next token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from sidelight.analysis.chosen_rows import named_rows, rows_on_host
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
class Reading:
    """What was read: of one embedding, from one place in the program.

    Attributes:
        times: How often it was looked up: once a call of the model, so that gradients which are
            accumulated are of several.
        sequences: How many sequences, or samples, it was in all.
        tokens: How many tokens of all of them.
        longest: The tokens of the longest sequence.
    """

    times: int
    sequences: int
    tokens: int
    longest: int


@dataclass(frozen=True)
class Call:
    """One call of a model.

    Attributes:
        start_ns: When it started, on the host.
        done_ns: When the last device work that it launched ended; None where it launched none.
        phase: None where nothing tells.
        read: What it read; None where that is not known.
    """

    start_ns: int
    done_ns: int | None
    phase: Phase | None
    read: Reading | None


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
    read = _readings(profile, start_ns, end_ns)
    if not by_ranges:
        are_calls = profile.manifest.steps_from == "module"
        phases = [_phase_of_reading(each if are_calls else None) for each in read]
    done: list[int] = _done(profile, start_ns, end_ns).tolist()
    starts: list[int] = start_ns.tolist()
    calls = [
        Call(start_ns=start, done_ns=call_done or None, phase=phase, read=reading)
        for phase, start, call_done, reading in zip(phases, starts, done, read, strict=True)
    ]
    phases_from: PhasesFrom = "ranges" if by_ranges else "shapes"
    return calls, phases_from if any(call.phase for call in calls) else None


def readings_of_steps(profile: Profile) -> list[Reading | None]:
    """What each recorded step reads; None where nothing tells.

    Args:
        profile: An attributed profile.
    """
    return _readings(profile, profile.steps["start_ns"], profile.steps["end_ns"])


def _phase_of_reading(reading: Reading | None) -> Phase | None:
    if reading is None:
        return None
    return "decode" if reading.longest == 1 else "prefill"


def _ranges(profile: Profile) -> tuple[IntColumn, IntColumn, list[Phase | None]]:
    """The outermost ranges of the user's that say a phase; of one that holds several calls of a
    module, these."""
    events = profile.events
    is_range = (events["category"] == Category.ANNOTATION) & (events["step"] >= 0)
    rows = np.flatnonzero(named_rows(profile, is_range & rows_on_host(profile), phase_of_range))
    rows = rows[np.lexsort((-events["duration_ns"][rows], events["start_ns"][rows]))]
    starts, ends, phases = list[int](), list[int](), list[Phase | None]()
    for row in rows.tolist():
        start_ns = int(events["start_ns"][row])
        if ends and start_ns < ends[-1]:
            continue
        end_ns = start_ns + int(events["duration_ns"][row])
        phase = phase_of_range(profile.strings[int(events["name"][row])])
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


def _readings(profile: Profile, start_ns: IntColumn, end_ns: IntColumn) -> list[Reading | None]:
    """What is read in each stretch of time.

    Lookups from one place in one table of weights are of the same input. What is looked up once
    more, in a backward pass, to save memory is read once.
    """
    events, strings = profile.events, profile.strings
    if _EMBEDDING not in strings or not len(start_ns):
        return [None] * len(start_ns)
    is_embedding = events["name"] == strings.index(_EMBEDDING)
    is_embedding &= (events["category"] == Category.OPERATOR) & (events["signature"] >= 0)
    rows = np.flatnonzero(is_embedding & (events["backward"] != 1))
    known: dict[int, _Lookup | None] = {}
    found: list[dict[tuple[int, tuple[int, ...]], list[_Lookup]]] = [{} for _ in start_ns]
    calls: list[int] = _call_at(start_ns, end_ns, events["start_ns"][rows]).tolist()
    signatures: list[int] = events["signature"][rows].tolist()
    stacks: list[int] = events["stack"][rows].tolist()
    for call, signature, stack in zip(calls, signatures, stacks, strict=True):
        if signature not in known:
            known[signature] = _lookup(strings[signature])
        lookup = known[signature]
        if call >= 0 and lookup:
            found[call].setdefault((stack, lookup.weights), []).append(lookup)
    return [_largest(list(of_call.values())) for of_call in found]


def _largest(places: Sequence[Sequence[_Lookup]]) -> Reading | None:
    """What was read where most was."""
    readings = [
        Reading(
            times=len(lookups),
            sequences=sum(each.sequences for each in lookups),
            tokens=sum(each.sequences * each.tokens for each in lookups),
            longest=max(each.tokens for each in lookups),
        )
        for lookups in places
    ]
    return max(readings, key=lambda reading: reading.tokens, default=None)


class _Lookup(NamedTuple):
    """A lookup in an embedding, whose weights have a shape."""

    weights: tuple[int, ...]
    sequences: int
    tokens: int


def _lookup(signature: str) -> _Lookup | None:
    """What an embedding was given; None where its indices are no ``[sequences, tokens]``."""
    known = decode_signature(signature)
    if known is None or not is_list(known.dims) or len(known.dims) < 2:
        return None
    weights, indices = known.dims[:2]
    if not is_list(indices) or len(indices) != 2:
        return None
    sequences, tokens = indices
    if isinstance(sequences, int) and isinstance(tokens, int):
        is_possible = 0 < sequences <= _LONGEST and 0 < tokens <= _LONGEST
        sizes = weights if is_list(weights) else []
        table = tuple(size for size in sizes if isinstance(size, int))
        return _Lookup(table, sequences, tokens) if is_possible else None
    return None
