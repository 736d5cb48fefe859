"""The data-quality report as a person sees it: each sentence with its code, and once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console

from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.printable import printable
from sidelight.profile.quality import QualityNote, Severity

_STYLES: Final[dict[Severity, str]] = {"error": "bold red", "warning": "yellow", "info": "dim"}
"""By how much a note matters, what matters most first."""


def print_notes(
    console: Console, notes: Iterable[QualityNote], told: Iterable[QualityNote] = ()
) -> None:
    """Print notes; those that stand above already by their codes alone.

    Args:
        console: Where to; its width is respected.
        notes: What is to be known.
        told: What was printed before.
    """
    known = {(note.code, note.message) for note in told}
    again: list[QualityNote] = []
    for note in notes:
        if (note.code, note.message) in known:
            again.append(note)
        else:
            _print(console, f"{note.message} [{note.code}]", note.severity)
    print_codes(console, "As above", again)


def print_codes(console: Console, label: str, notes: Iterable[QualityNote]) -> None:
    """Print the codes of notes that are told in full elsewhere, one row for each severity.

    Args:
        console: Where to.
        label: Where that is, or whose they are.
        notes: The notes.
    """
    codes: dict[Severity, list[str]] = {severity: [] for severity in _STYLES}
    for note in notes:
        codes[note.severity].append(note.code)
    for severity, found in codes.items():
        if found:
            _print(console, f"{label}: {', '.join(dict.fromkeys(found))}", severity)


def _print(console: Console, text: str, severity: Severity) -> None:
    mark = "·" if severity == "info" else "!"
    print_paragraph(console, printable(text), _STYLES[severity], mark=mark)
