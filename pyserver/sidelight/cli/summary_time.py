"""What steps' time went to, what holds them up, and why the device was idle, in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console

from sidelight.analysis.idle.causes import CauseTime, IdleCause
from sidelight.analysis.step_time.named_parts import named_parts
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.places import short_places
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest

CAUSE_LABELS: Final[dict[IdleCause, str]] = {
    "host_late": "the host launched late",
    "synchronize": "the host had waited for it",
    "data_loader": "the host fetched a batch",
    "compilation": "the host compiled",
    "dma_wait": "data was being moved",
    "collective_wait": "a collective was under way",
    "between_operators": "the program itself",
    "unknown": "not known",
}


def render_time(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print what a step's time went to, and why the device had nothing to do.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    time, idle = summary.step_time, summary.idle
    is_predicted, is_cpu = manifest.time_kind == "predicted", manifest.device == "cpu"
    if time is not None and manifest.device_time_ns:
        whole_ns = time.mean.duration_ns
        rows = [
            (
                name,
                _share(mean_ns, whole_ns, is_predicted=is_predicted),
                units.duration(mean_ns, predicted=is_predicted),
            )
            for name, mean_ns in named_parts(time.mean, manifest.device).items()
        ]
        whole = units.duration(whole_ns, predicted=is_predicted)
        mean = "The step takes" if len(time.steps) == 1 else "A mean step takes"
        print_group(console, f"{mean} {whole}, of that", rows)
        if summary.headline is not None:
            print_paragraph(console, summary.headline.verdict, mark=" ")
    if idle is not None and idle.idle_ns:
        mean = units.duration(idle.idle_ns / max(idle.steps, 1), predicted=is_predicted)
        title = (
            f"What ran between operators, for {mean} a step"
            if is_cpu
            else f"Why the device was idle for {mean} a step, between its work"
        )
        print_group(console, title, _causes(idle.causes, idle.idle_ns, is_predicted=is_predicted))
    if idle is not None and idle.waiting_ns:
        mean = units.duration(idle.waiting_ns / max(idle.steps, 1), predicted=is_predicted)
        title = f"Why the device was busy for {mean} a step, and nothing computed"
        print_group(
            console, title, _causes(idle.waiting, idle.waiting_ns, is_predicted=is_predicted)
        )


def _causes(causes: Sequence[CauseTime], whole_ns: int, *, is_predicted: bool) -> list[Row]:
    return [
        (
            CAUSE_LABELS[each.cause],
            _share(each.duration_ns, whole_ns, is_predicted=is_predicted),
            _most_at(each, is_predicted=is_predicted),
        )
        for each in causes
        if each.duration_ns
    ]


def _most_at(cause: CauseTime, *, is_predicted: bool) -> str:
    """The line with most of a cause's time."""
    line = cause.lines[0]
    if line.file is None or line.line is None:
        return ""
    (place,) = short_places([(line.file, line.line)])
    share = _share(line.duration_ns, cause.duration_ns, is_predicted=is_predicted)
    return f"{share} of it at {place}"


def _share(part_ns: float, whole_ns: float, *, is_predicted: bool) -> str:
    return ("≈" if is_predicted else "") + (units.share(part_ns, whole_ns) or "0%")
