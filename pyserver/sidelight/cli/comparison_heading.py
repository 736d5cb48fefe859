"""The sentences above a comparison: how much faster, and what to know before believing it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rich.console import Console

from sidelight.analysis.comparison import ComparedProfile, Comparison
from sidelight.analysis.headline import provenance
from sidelight.cli.headline import print_note
from sidelight.cli.paragraphs import print_facts, print_paragraph
from sidelight.cli.printable import printable
from sidelight.cli.text import display_path
from sidelight.profile import units
from sidelight.profile.quality import QualityNote


def print_heading(console: Console, comparison: Comparison) -> None:
    """Print what differs on the whole, what the two profiles are, and the notes on them."""
    print_paragraph(console, printable(_headline(comparison)), "bold")
    sides = (("Base", comparison.base), ("New", comparison.new))
    print_facts(console, [(which, printable(_circumstances(side))) for which, side in sides])
    for note in comparison.quality:
        print_note(console, note)
    for note in _notes_of_sides(comparison):
        print_note(console, note)


def _headline(comparison: Comparison) -> str:
    base, new, change = comparison.base, comparison.new, comparison.change.device_time_ns
    names = f"{_name(new)} against {_name(base)}"
    if not base.device_time_ns and not new.device_time_ns:
        return f"{names}: no device time in the recorded steps of either"
    sentence = f"{names}: {_time(new)} of device time a step instead of {_time(base)}"
    if not change.difference:
        return sentence
    predicted = base.time_kind != "measured" or new.time_kind != "measured"
    size = units.duration(abs(change.difference), predicted=predicted)
    sentence += f", {size} {'less' if change.difference < 0 else 'more'}"
    if not change.ratio:
        return sentence
    return f"{sentence} (ratio {units.ratio(change.ratio, predicted=predicted)})"


def _name(side: ComparedProfile) -> str:
    ranked = side.world_size is not None and side.world_size > 1
    return f"{side.name}#{side.rank}" if ranked else side.name


def _time(side: ComparedProfile) -> str:
    predicted = side.time_kind != "measured"
    return units.duration(side.device_time_ns / max(side.steps, 1), predicted=predicted)


def _circumstances(side: ComparedProfile) -> str:
    steps = "1 step" if side.steps == 1 else f"{side.steps:,} steps"
    known = provenance(side.device, side.time_kind)
    return f"{_time(side)} a step, {steps}, {known}: {display_path(side.profile)}"


def _notes_of_sides(comparison: Comparison) -> Iterator[QualityNote]:
    """What the profiles' own reports say; what both say once."""
    base, new = comparison.base.quality, comparison.new.quality
    for note in base:
        yield _labelled(note, "Both" if note in new else "Base")
    for note in new:
        if note not in base:
            yield _labelled(note, "New")


def _labelled(note: QualityNote, label: str) -> QualityNote:
    return msgspec.structs.replace(note, message=f"{label}: {note.message}")
