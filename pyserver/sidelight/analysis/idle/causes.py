"""Why the device may have had nothing to do, and the numbers that say how much of it was why."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from sidelight.profile.manifest import Attribution, TimeKind

IdleCause = Literal[
    "host_late",
    "synchronize",
    "data_loader",
    "compilation",
    "dma_wait",
    "collective_wait",
    "between_operators",
    "unknown",
]
"""In short: the host launched too late; it had waited for the device, with nothing more launched;
it fetched the next batch; it compiled; data was not there yet; other ranks were not; where host and
device are one, it ran the program between two operators; not known."""

CAUSES: Final[tuple[IdleCause, ...]] = get_args(IdleCause)
"""By their numbers in tables."""

MEANINGS: Final[dict[IdleCause, str]] = {
    "host_late": "The host launched the next work after the device had run out of it.",
    "synchronize": "The host waited for the device, so that nothing more was launched when it was "
    "done.",
    "data_loader": "The host fetched the next batch before it launched the next work.",
    "compilation": "The host compiled before it launched the next work.",
    "dma_wait": "Data had to be moved before anything could compute.",
    "collective_wait": "A collective had to end before anything could compute.",
    "between_operators": "The CPU ran the program itself, between one operator and the next.",
    "unknown": "Nothing that is recorded tells why.",
}


class CauseOfLine(msgspec.Struct, frozen=True):
    """What one line has of the time of a cause.

    Attributes:
        file: As in the per-line report; None where no line is known.
        line: 1-based; None likewise.
        duration_ns: How long the device had nothing to do for it.
        count: In how many stretches.
        evidence: What tells so, for the longest of them, as a sentence.
    """

    file: str | None
    line: int | None
    duration_ns: int
    count: int
    evidence: str


class CauseTime(msgspec.Struct, frozen=True):
    """The time of one cause.

    Attributes:
        cause: The cause.
        meaning: What it is, as a sentence.
        duration_ns: Its stretches, summed.
        count: How many there are.
        lines: Whose they are, longest first; their times add up to ``duration_ns``.
    """

    cause: IdleCause
    meaning: str
    duration_ns: int
    count: int
    lines: list[CauseOfLine]


class LongStretch(msgspec.Struct, frozen=True):
    """A stretch of idle time.

    Attributes:
        start_ns: When it began, from the profile's start.
        duration_ns: How long it was.
        cause: Why.
        file: The line behind it; None where none is known.
        line: 1-based; None likewise.
        before: The name of the work that ended the gap that it is of.
        evidence: What tells so, as a sentence.
    """

    start_ns: int
    duration_ns: int
    cause: IdleCause
    file: str | None
    line: int | None
    before: str
    evidence: str


class IdleTime(msgspec.Struct, frozen=True, kw_only=True):
    """When the device had nothing to do in the recorded steps, and why.

    All times are whole nanoseconds, summed over the steps. ``idle_ns + between_steps_ns`` is
    ``span_ns - device_busy_ns``, and the times of ``causes`` add up to ``idle_ns``, exactly.

    Attributes:
        steps: How many steps are summed.
        time_kind: Whether the device's times are measured.
        attribution: How time is given to lines: each stretch is one line's, whole.
        span_ns: From the first start to the last end of device time.
        device_busy_ns: The time of it in which any row of device time ran.
        idle_ns: That in which none did, within the steps.
        between_steps_ns: That in which none did, between steps that do not follow one another.
        gaps: How many gaps ``idle_ns`` is made of; one may have several causes.
        causes: Those that took any time, longest first.
        waiting_ns: The part of ``device_busy_ns`` in which only data was moved or exchanged, and
            nothing computed.
        waiting: By cause: ``collective_wait`` and ``dma_wait``; their times add up to
            ``waiting_ns``.
        longest: The longest stretches of ``causes``.
    """

    steps: int
    time_kind: TimeKind
    attribution: Attribution
    span_ns: int
    device_busy_ns: int
    idle_ns: int
    between_steps_ns: int
    gaps: int
    causes: list[CauseTime]
    waiting_ns: int
    waiting: list[CauseTime]
    longest: list[LongStretch]
