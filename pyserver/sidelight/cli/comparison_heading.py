"""The sentences above a comparison: how much faster, and what to know before believing it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from sidelight.analysis.comparison import (
    ComparedProfile,
    Comparison,
    Difference,
    compared_times,
)
from sidelight.analysis.headline import provenance
from sidelight.cli.headline import spread_text
from sidelight.cli.notes import print_codes, print_notes
from sidelight.cli.paragraphs import print_facts, print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.text import display_path
from sidelight.profile import units
from sidelight.profile.quality import QualityNote


def print_heading(console: Console, comparison: Comparison) -> None:
    """Print what differs on the whole, what the two profiles are, and the notes on them."""
    print_paragraph(console, printable(_headline(comparison)), "bold")
    if prediction := _prediction(comparison):
        print_paragraph(console, prediction)
    for sentence in (_step_time(comparison), _bytes(comparison)):
        if sentence:
            print_paragraph(console, sentence)
    base, new = comparison.base, comparison.new
    sides = (("Base", base), ("New", new))
    print_facts(console, [(which, printable(_circumstances(side))) for which, side in sides])
    print_notes(console, comparison.quality)
    for label, notes in _notes_of_sides(comparison):
        print_codes(console, label, notes)
    if base.quality or new.quality:
        print_paragraph(
            console, "What the notes of a profile say: `sidelight summary PROFILE`.", "dim"
        )


def _headline(comparison: Comparison) -> str:
    base, new = comparison.base, comparison.new
    names = f"{_name(new)} against {_name(base)}"
    if not base.device_time_ns and not new.device_time_ns:
        return f"{names}: no device time in the recorded steps of either"
    times = compared_times(base, new)
    if times == "none":
        return f"{names}: one is measured, the other predicted, so that no difference is shown"
    if times == "predicted":
        return f"{names}: {_predicted_times(comparison, of=' of predicted device time')}"
    predicted = base.time_kind != "measured"
    how_much = _how_much(comparison.change.device_time_ns, predicted=predicted)
    return f"{names}: {_time(new)} of device time a step instead of {_time(base)}{how_much}"


def _prediction(comparison: Comparison) -> str:
    """The same of times that are predicted beside measured ones; empty where none are."""
    base, new = comparison.base, comparison.new
    measured = base.time_kind == new.time_kind == "measured"
    if not measured or comparison.change.predicted_ns is None:
        return ""
    return f"Predicted: {_predicted_times(comparison)}."


def _predicted_times(comparison: Comparison, of: str = "") -> str:
    """What is predicted for both sides, which must be known, and how much that changed."""
    base, new, change = comparison.base, comparison.new, comparison.change.predicted_ns
    was, now = (
        units.duration((side.predicted_ns or 0) / max(side.steps, 1), predicted=True)
        for side in (base, new)
    )
    how_much = _how_much(change, predicted=True) if change else ""
    return f"{now}{of} a step instead of {was}{how_much}"


def _step_time(comparison: Comparison) -> str:
    """How long a step takes; nothing where that is not known of both, in one kind of time."""
    base, new = comparison.base, comparison.new
    if base.time_kind != new.time_kind or not (base.recorded_ns and new.recorded_ns):
        return ""
    predicted = base.time_kind != "measured"
    was, now = (
        units.duration(side.recorded_ns / max(side.steps, 1), predicted=predicted)
        for side in (base, new)
    )
    how_much = _how_much(comparison.change.recorded_ns, predicted=predicted)
    return f"A step takes {now} instead of {was}{how_much}."


def _bytes(comparison: Comparison) -> str:
    """What the device moves and holds; nothing where that is not known of both."""
    base, new = comparison.base, comparison.new
    parts: list[str] = []
    if base.hbm_bytes is not None and new.hbm_bytes is not None:
        was, now = (
            units.size(round((side.hbm_bytes or 0) / max(side.steps, 1))) for side in (base, new)
        )
        parts.append(f"A step moves ≈{now} between HBM and the core instead of ≈{was}.")
    if base.memory is not None and new.memory is not None:
        was, now = (units.size(memory.peak_bytes) for memory in (base.memory, new.memory))
        parts.append(f"Memory at its peak: ≈{now} instead of ≈{was}.")
    return " ".join(parts)


def _how_much(change: Difference, *, predicted: bool) -> str:
    """By how much and how many times a time changed, to end a sentence with."""
    if not change.difference:
        return ""
    size = units.duration(abs(change.difference), predicted=predicted)
    words = f", {size} {'less' if change.difference < 0 else 'more'}"
    return (
        f"{words} (ratio {units.ratio(change.ratio, predicted=predicted)})"
        if change.ratio
        else words
    )


def _name(side: ComparedProfile) -> str:
    ranked = side.world_size is not None and side.world_size > 1
    return f"{side.name}#{side.rank}" if ranked else side.name


def _time(side: ComparedProfile) -> str:
    predicted = side.time_kind != "measured"
    return units.duration(side.device_time_ns / max(side.steps, 1), predicted=predicted)


def _circumstances(side: ComparedProfile) -> str:
    steps = "1 step" if side.steps == 1 else f"{side.steps:,} steps"
    known = provenance(side.device, side.time_kind)
    priced = f", priced for {side.pricing.label}" if side.pricing else ""
    spread = side.step_device_time
    differ = f" of {spread_text(spread, side.time_kind)}" if spread and spread.is_wide else ""
    return f"{_time(side)} a step, {steps}{differ}, {known}{priced}: {display_path(side.profile)}"


def _notes_of_sides(comparison: Comparison) -> Iterator[tuple[str, list[QualityNote]]]:
    """What the profiles' own reports say, by the side that says it; what both say is once."""
    base, new = comparison.base.quality, comparison.new.quality
    of_base, of_new = ({(note.code, note.severity) for note in notes} for notes in (base, new))
    both = of_base & of_new
    yield "Both", [note for note in base if (note.code, note.severity) in both]
    for label, notes in (("Base", base), ("New", new)):
        yield label, [note for note in notes if (note.code, note.severity) not in both]
