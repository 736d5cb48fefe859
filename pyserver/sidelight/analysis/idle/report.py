"""Idle time by cause and line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from sidelight.analysis.grouping import Groups
from sidelight.analysis.idle.causes import (
    CAUSES,
    MEANINGS,
    CauseOfLine,
    CauseTime,
    IdleTime,
    LongStretch,
)
from sidelight.analysis.idle.classify import classify
from sidelight.analysis.idle.evidence import Evidence
from sidelight.analysis.idle.gaps import idle_gaps
from sidelight.analysis.idle.launches import launches_of
from sidelight.analysis.idle.stretches import Stretches
from sidelight.analysis.idle.waiting import waiting_stretches
from sidelight.analysis.source_lines import Place, SourceLines
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import shown_name

MOST_STRETCHES: Final = 100
"""Stretches that are told one by one."""


def idle_time(profile: Profile) -> IdleTime | None:
    """Say when the device had nothing to do in the recorded steps, and why.

    Args:
        profile: An attributed profile.

    Returns:
        None where no device time is known.
    """
    manifest = profile.manifest
    if not len(profile.events):
        return None
    gaps = idle_gaps(profile.events, profile.steps)
    busy_ns = gaps.busy.total_ns
    if not busy_ns:
        return None
    launches = launches_of(profile, gaps)
    stretches = classify(profile, gaps, launches)
    evidence = Evidence(profile, gaps, launches, stretches)
    lines = SourceLines(profile)
    waiting = waiting_stretches(profile, gaps.busy)
    idle_ns = int(stretches.duration_ns.sum())
    return IdleTime(
        steps=len(profile.steps),
        time_kind=manifest.time_kind,
        attribution="exact",
        span_ns=gaps.span_ns,
        device_busy_ns=busy_ns,
        idle_ns=idle_ns,
        between_steps_ns=gaps.span_ns - busy_ns - idle_ns,
        gaps=int(np.count_nonzero(gaps.duration_ns)),
        causes=_by_cause(stretches, lines, evidence.of),
        waiting_ns=int(waiting.duration_ns.sum()),
        waiting=_by_cause(waiting, lines, lambda one: _sentence(profile, waiting, one)),
        longest=_longest(stretches, lines, evidence),
    )


def _by_cause(
    stretches: Stretches, lines: SourceLines, evidence: Callable[[int], str]
) -> list[CauseTime]:
    line = lines.innermost(stretches.stack)
    groups = Groups([line, stretches.cause])
    duration_ns = groups.sum(stretches.duration_ns)
    count = groups.sum(np.ones(len(stretches), np.int64))
    longest = _longest_of_groups(stretches, line)
    places: list[Place | None] = [*lines.numbers, None]
    found: dict[int, list[CauseOfLine]] = {}
    sums: list[tuple[int, int, int, int]] = list(
        zip(*(column.tolist() for column in (*groups.keys, duration_ns, count)), strict=True)
    )
    for number, cause, time_ns, times in sums:
        file, line_number = places[number] or (None, None)
        words = evidence(longest[number, cause])
        of_line = CauseOfLine(file, line_number, time_ns, times, words)
        found.setdefault(cause, []).append(of_line)
    causes = [
        CauseTime(
            CAUSES[cause],
            MEANINGS[CAUSES[cause]],
            sum(each.duration_ns for each in of_lines),
            sum(each.count for each in of_lines),
            sorted(of_lines, key=lambda each: (-each.duration_ns, each.file or "", each.line or 0)),
        )
        for cause, of_lines in found.items()
    ]
    return sorted(causes, key=lambda each: (-each.duration_ns, each.cause))


def _longest_of_groups(
    stretches: Stretches, line: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> dict[tuple[int, int], int]:
    """The first of the longest stretches of each line and cause."""
    order = np.lexsort((-stretches.duration_ns, stretches.cause, line))
    of_line, of_cause = line[order], stretches.cause[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (of_line[1:] != of_line[:-1]) | (of_cause[1:] != of_cause[:-1])
    keys = zip(of_line[is_first].tolist(), of_cause[is_first].tolist(), strict=True)
    return dict(zip(keys, order[is_first].tolist(), strict=True))


def _longest(stretches: Stretches, lines: SourceLines, evidence: Evidence) -> list[LongStretch]:
    places: list[Place | None] = [*lines.numbers, None]
    line = lines.innermost(stretches.stack)
    longest = np.argsort(-stretches.duration_ns, kind="stable")[:MOST_STRETCHES]
    found: list[LongStretch] = []
    for one in longest.tolist():
        file, line_number = places[int(line[one])] or (None, None)
        found.append(
            LongStretch(
                start_ns=int(stretches.start_ns[one]),
                duration_ns=int(stretches.duration_ns[one]),
                cause=CAUSES[int(stretches.cause[one])],
                file=file,
                line=line_number,
                before=evidence.before(one),
                evidence=evidence.of(one),
            )
        )
    return found


def _sentence(profile: Profile, waiting: Stretches, one: int) -> str:
    witness = int(waiting.witness[one])
    name = shown_name(profile.strings[int(profile.events["name"][witness])])
    return f"Nothing computed while `{name}` was under way."
