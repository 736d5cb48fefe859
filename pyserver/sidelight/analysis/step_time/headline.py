"""What matters most about a profile: how much, what holds it up, and where."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from sidelight.analysis.headline import headline
from sidelight.analysis.idle.causes import IdleCause, IdleTime
from sidelight.analysis.report import LineReport
from sidelight.analysis.step_time.breakdown import StepTime, TimeParts
from sidelight.profile import units
from sidelight.profile.manifest import Attribution, TimeKind

DEVICE_BOUND_FROM: Final = 0.9
"""The part of a step from which on a busy device is what it waits for: nine tenths, an assumption.
No more than the rest could be won by anything but faster work on the device."""

RULE: Final = (
    "A step is device-bound where the device is busy for at least "
    f"{DEVICE_BOUND_FROM:.0%} of it, else host-bound where most of what is left is time in which "
    "the host worked, or waited, before it launched the next work."
)

_MOST_LINES: Final = 3

Bound = Literal["device", "host"]


class HeadlineLine(msgspec.Struct, frozen=True):
    """One of the lines with most device time.

    Attributes:
        file: As in the per-line report.
        line: 1-based.
        self_ns: Device time with the line innermost, summed over the steps.
        share: What part that is of all device time, from 0 to 1.
        time_kind: Whether it is measured.
        attribution: Whether it was apportioned.
    """

    file: str
    line: int
    self_ns: int
    share: float
    time_kind: TimeKind
    attribution: Attribution


class QualityCount(msgspec.Struct, frozen=True):
    """How many entries the data-quality report has, by severity."""

    error: int
    warning: int
    info: int


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """What matters most about a profile.

    Attributes:
        sentence: How much device time a step takes, and on what.
        device_time_ns: Device time, summed over the steps.
        steps: How many these are.
        time_kind: Whether it is measured.
        bound: What holds a step up; None where that cannot be told.
        verdict: The same as a sentence, with the figures behind it.
        rule: How it is told, as a sentence.
        busy_share: What part of the steps the device is busy for, from 0 to 1; None where they
            took no time.
        lines: The lines with most device time, most first.
        quality: What the data-quality report has.
    """

    sentence: str
    device_time_ns: int
    steps: int
    time_kind: TimeKind
    bound: Bound | None
    verdict: str
    rule: str
    busy_share: float | None
    lines: list[HeadlineLine]
    quality: QualityCount


def headline_of(report: LineReport, time: StepTime | None, idle: IdleTime | None) -> Headline:
    """Say what matters most.

    Args:
        report: The profile's lines.
        time: What its steps' time went to.
        idle: Why its device was idle.
    """
    bound, verdict = _verdict(report, time, idle)
    total = time.total if time else None
    severities = [note.severity for note in report.quality]
    return Headline(
        sentence=headline(report),
        device_time_ns=report.device_time_ns,
        steps=report.steps,
        time_kind=report.time_kind,
        bound=bound,
        verdict=verdict,
        rule=RULE,
        busy_share=_busy_ns(report, total) / total.duration_ns if total else None,
        lines=[
            HeadlineLine(
                stats.file,
                stats.line,
                stats.self_ns,
                stats.self_ns / report.device_time_ns,
                stats.time_kind,
                stats.attribution,
            )
            for stats in report.lines[:_MOST_LINES]
            if stats.self_ns
        ],
        quality=QualityCount(
            error=severities.count("error"),
            warning=severities.count("warning"),
            info=severities.count("info"),
        ),
    )


def _busy_ns(report: LineReport, total: TimeParts) -> int:
    """How long the device did anything; where that is the CPU, its operators alone are that."""
    return total.compute_ns if report.device == "cpu" else total.device_ns


def _verdict(
    report: LineReport, time: StepTime | None, idle: IdleTime | None
) -> tuple[Bound | None, str]:
    if report.device == "cpu":
        return None, "The CPU is the device here, so that nothing is told of what holds it up."
    if time is None or idle is None:
        return None, "Nothing is recorded that tells what holds a step up."
    total, is_predicted = time.total, report.time_kind == "predicted"
    busy = ("≈" if is_predicted else "") + units.share(total.device_ns, total.duration_ns)
    if total.device_ns >= DEVICE_BOUND_FROM * total.duration_ns:
        return "device", f"Device-bound: the device is busy for {busy} of a step."
    left_ns = total.duration_ns - total.device_ns
    of_host = {
        _BECAUSE[each.cause]: each.duration_ns for each in idle.causes if each.cause in _BECAUSE
    }
    if total.host_ns:
        # Before the first work of the steps and behind the last the device is idle in no gap.
        of_host[_AT_ENDS] = max(left_ns - idle.idle_ns, 0)
    if 2 * sum(of_host.values()) <= left_ns:
        return None, f"The device is busy for {busy} of a step; what it waits for is not known."
    why = max(of_host, key=lambda reason: of_host[reason])
    how = "mostly" if 2 * of_host[why] > left_ns else "above all"
    return "host", f"Host-bound: the device is busy for {busy} of a step, {how} because {why}."


_AT_ENDS: Final = "the host works before it launches anything, or after the last work is done"

_BECAUSE: Final[dict[IdleCause, str]] = {
    "host_late": "the host launches its work too late",
    "synchronize": "the host waits for it before it launches more",
    "data_loader": "the host fetches batches meanwhile",
    "compilation": "the host compiles meanwhile",
}
