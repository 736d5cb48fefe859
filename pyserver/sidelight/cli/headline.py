"""The sentences above the figures: how much device time, and what to know about it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from sidelight.analysis.headline import headline
from sidelight.analysis.kernel_text import pricing_text
from sidelight.analysis.pricing_notes import PARTLY_PRICED
from sidelight.analysis.report import LineReport
from sidelight.analysis.step_spread import StepSpread
from sidelight.cli.columns import mean_duration
from sidelight.cli.notes import print_notes
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.profile import units
from sidelight.profile.manifest import FitError, TimeKind
from sidelight.profile.quality import QualityNote

_ENDINGS = {
    "interrupt": "The script was interrupted; this is what was recorded until then.",
    "terminate": "The script was told to terminate; this is what was recorded until then.",
    "killed": "The script was killed; this is what was recorded until then.",
    "disk_full": "The disk was full; this is what was recorded until then.",
}
_MOST_FITTED = 6


def print_headline(console: Console, report: LineReport) -> None:
    """Print the one sentence that matters most."""
    print_paragraph(console, printable(headline(report)), "bold")


def print_circumstances(
    console: Console, report: LineReport, told: Sequence[QualityNote] = ()
) -> None:
    """Print how much is attributed, what was recorded, and what is worth knowing about it.

    Args:
        console: Where to.
        report: The numbers.
        told: The notes that stand above already.
    """
    attributed = ""
    if report.device_time_ns:
        on_lines = _part(report.attributed_ns, report.device_time_ns)
        split = ", apportioned where one execution spans several lines"
        attributed = f"{on_lines} of it is on lines of yours"
        is_exact = report.attribution == "exact" or not report.attributed_ns
        attributed += ". " if is_exact else f"{split}. "
    print_paragraph(console, attributed + _recorded(report))
    if report.steps > 1 and report.device_time_ns:
        print_paragraph(console, _pace(report))
        if spread := _spread(report):
            print_paragraph(console, spread)
    for sentence in _predicted(report):
        print_paragraph(console, sentence)
    if report.stopped_by == "captured":
        print_paragraph(console, "The script was stopped once all steps were recorded, as asked.")
    ending = _ENDINGS.get(report.stopped_by or "")
    if report.script_exit and not ending:
        ending = f"The script ended with status {report.script_exit}."
    if ending:
        print_paragraph(console, ending, "bold", mark="!")
    print_notes(console, report.quality, told)


def _recorded(report: LineReport) -> str:
    steps = "1 step" if report.steps == 1 else f"{report.steps:,} steps"
    warm_up = f", after {report.warmup} of warm-up" if report.warmup else ""
    means = "; times and counts are means per step" if report.steps > 1 else ""
    return f"Recorded: {steps}{warm_up}{means}."


def _pace(report: LineReport) -> str:
    """How long a step takes, and how much of that the device has work: host-bound, or not."""
    took = mean_duration(report.recorded_ns, report)
    busy = units.share(report.device_busy_ns, report.recorded_ns)
    return f"A step takes {took}; the device is busy {busy} of that."


def _spread(report: LineReport) -> str:
    """How steps differ, where that is by so much that their means mislead; else nothing."""
    parts: list[str] = []
    device_time, length = report.step_device_time, report.step_length
    if device_time and device_time.is_wide:
        parts.append(f"have {spread_text(device_time, report.time_kind)} of device time")
    if length and length.is_wide:
        parts.append(f"take {spread_text(length, report.time_kind)}")
    return f"Steps differ, so that means say little: they {' and '.join(parts)}." if parts else ""


def spread_text(spread: StepSpread, kind: TimeKind) -> str:
    """The least, the most and the median of a time of steps."""
    least, most, median = (
        units.duration(time_ns, predicted=kind != "measured")
        for time_ns in (spread.least_ns, spread.most_ns, spread.median_ns)
    )
    return f"{least} to {most} (median {median})"


def _predicted(report: LineReport) -> list[str]:
    """What was predicted, for what, and what it holds in memory."""
    sentences: list[str] = []
    pricing = report.pricing
    if pricing and report.time_kind != "measured":
        sentences.append(f"Predicted for {printable(pricing_text(pricing))}.")
    elif pricing and report.predicted_ns is not None and report.events:
        time = mean_duration(report.predicted_ns, report, "predicted")
        whole = "What has a price of it" if _is_partly_priced(report) else "It"
        words = printable(pricing_text(pricing))
        sentences.append(
            f"{whole} would take {time} of device time a step on {words}."
            if time
            else f"Nothing of it that has a price takes any device time on {words}."
        )
    if pricing and pricing.errors:
        name = printable(pricing.calibration or "")
        sentences.append(f"The fit {name}: {_fit_quality(pricing.errors)}.")
    if (memory := report.memory) and memory.peak_bytes:
        of = f" of {units.size(pricing.hbm_bytes)}" if pricing else ""
        sentences.append(
            f"Memory at its peak: ≈{units.size(memory.peak_bytes)}{of}: weights "
            f"{units.size(memory.weights_bytes)}, gradients {units.size(memory.gradients_bytes)}, "
            f"optimizer state {units.size(memory.optimizer_bytes)}, activations and the rest "
            f"{units.size(memory.activations_bytes)}."
        )
    return sentences


def _is_partly_priced(report: LineReport) -> bool:
    return any(note.code in PARTLY_PRICED for note in report.quality)


def _fit_quality(errors: Sequence[FitError]) -> str:
    """How far the fit is from the measured times, for the operators with most of them."""
    told = [
        f"{printable(error.operator)} {units.ratio(error.median_ratio)}× (p90 off by "
        f"{100 * error.p90_error:.0f}%)"
        for error in errors[:_MOST_FITTED]
    ]
    more = f", and {len(errors) - _MOST_FITTED} more" if len(errors) > _MOST_FITTED else ""
    return f"predicted over measured, in the median: {', '.join(told)}{more}"


def _part(part: int, whole: int) -> str:
    if part == 0:
        return "None"
    return "All" if part == whole else units.share(part, whole)
