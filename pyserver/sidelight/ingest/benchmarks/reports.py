"""What readers of benchmarks' reports share: their JSON, their numbers, and the profile made."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from sidelight.ingest.building import new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.notes import figures_alone
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Kpi
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import STEP_COLUMNS, Table

Fields = Mapping[str, msgspec.Raw]
"""What a JSON object holds, by name. Long lists in it stay text."""

_HEAD_BYTES: Final = 64 << 10
_LIMIT_BYTES: Final = 256 << 20
"""A report with every request's text in it is a few megabytes; it is held in memory."""

_LARGEST: Final = 1e15
"""No count, rate or time of a benchmark is larger: as milliseconds it is 30,000 years."""

_STRING_OR_NOT_FINITE: Final = re.compile(
    rb'"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity|nan|inf)\b', re.DOTALL
)

_decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def head_of(path: Path) -> bytes:
    """The beginning of a JSON object, or nothing where a file does not begin like one."""
    if not os.path.isfile(path):
        return b""
    try:
        with open_bytes(path) as source:
            head = source.read(_HEAD_BYTES).lstrip()
    except UnreadableInputError:  # whoever reads it says what is wrong with it
        return b""
    return head if head.startswith(b"{") else b""


def has_keys(head: bytes, *keys: str) -> bool:
    """Whether objects in a JSON text have members of all these names."""
    # Inside a string the quotes would be escaped, so this finds the keys themselves.
    return all(re.search(rb'"%b"\s*:' % re.escape(key.encode()), head) for key in keys)


def documents_in(path: Path, progress: Progress | None = None) -> list[Fields]:
    """The objects in a file: one, or one a line.

    Args:
        path: Plain or gzipped.
        progress: Told how much has been read.

    Raises:
        UnreadableInputError: What ``open_bytes`` raises; ``too_large``, or ``broken_json``.
    """
    with open_bytes(path, progress) as source:
        text = source.read(_LIMIT_BYTES + 1)
    if len(text) > _LIMIT_BYTES:
        raise UnreadableInputError(
            "too_large",
            f"{path} is larger than {_LIMIT_BYTES >> 20} MB, which no benchmark's report is. "
            "Write it again without the requests' texts.",
        )
    try:
        return [_object(text)]
    except msgspec.DecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if lines:
                return [_object(line) for line in lines]
        except msgspec.DecodeError:
            pass
        raise UnreadableInputError(
            "broken_json",
            f"{path} is no whole JSON document ({error}). Copy it again, or repeat the benchmark.",
        ) from error


def _object(text: bytes) -> Fields:
    try:
        try:
            return _decode_fields(text)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            # Python writes what is no finite number in words that JSON does not have.
            return _decode_fields(_STRING_OR_NOT_FINITE.sub(_finite, text))
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None


def _finite(found: re.Match[bytes]) -> bytes:
    return found[0] if found[0].startswith(b'"') else b'"not finite"'


def fields_of(value: msgspec.Raw) -> Fields | None:
    """The members of a JSON value; None where it is no object."""
    try:
        return _decode_fields(value)
    except (msgspec.DecodeError, RecursionError):
        return None


class Figures:
    """Gathers a report's figures.

    Attributes:
        kpis: Those that were found, in the order in which they were asked for.
        unreadable: How many were there that are no number from 0 to 1e15.
    """

    def __init__(self) -> None:
        self.kpis: list[Kpi] = []
        self.unreadable = 0
        self._taken: set[tuple[str, str]] = set()

    def take(
        self, name: str, fields: Fields, key: str, *, part: str = "", scale: float = 1.0
    ) -> float | None:
        """Take a figure; one that the report does not have is left out.

        Args:
            name: What to call it.
            fields: Where it is.
            key: The report's name of it.
            part: The part of the model it is of.
            scale: What to multiply it with, to come to the name's unit.

        Returns:
            Its value, None where it has none.
        """
        if key not in fields or (name, part) in self._taken:
            return None
        value = number(fields[key])
        if value is None:
            self.unreadable += 1
        else:
            value *= scale
        self._taken.add((name, part))
        self.kpis.append(Kpi(name, part, value))
        return value


def number(text: msgspec.Raw) -> float | None:
    """A number from 0 to 1e15, also one that is written as a string; None for anything else."""
    try:
        value: Any = msgspec.json.decode(text)
        if isinstance(value, bool):
            return None
        converted = float(value)
    except (msgspec.DecodeError, RecursionError, TypeError, ValueError, OverflowError):
        return None
    return converted if 0 <= converted <= _LARGEST else None


def profile_of(
    path: Path, format_name: str, device: str, figures: Figures, notes: Sequence[QualityNote]
) -> Profile:
    """A profile of figures alone.

    Args:
        path: The report.
        format_name: As :class:`sidelight.ingest.formats.Format` has it.
        device: What was measured; ``unknown`` where the report does not say.
        figures: What it holds.
        notes: What is to be said of it beside what is true of any report.

    Raises:
        UnreadableInputError: ``no_figures``: it holds none.
    """
    if not any(kpi.value is not None for kpi in figures.kpis):
        raise UnreadableInputError(
            "no_figures",
            f"{path} is a benchmark's report without a single figure. Check that the benchmark "
            "ran to its end, and repeat it.",
        )
    name = path.name.removesuffix(".gz").removesuffix(".json")
    manifest = new_manifest(name, format_name, [str(path)])
    manifest.device = device
    manifest.kpis = figures.kpis
    manifest.quality = [_FIGURES_ALONE, *notes]
    if figures.unreadable:
        manifest.quality.append(
            QualityNote(
                "figure_unreadable",
                "warning",
                "Figures of the report that are no number of at least 0, or larger than any "
                "benchmark measures (1e15), are shown as unknown. Repeat the benchmark if they "
                "matter.",
                figures.unreadable,
            )
        )
    return Profile(manifest, steps=Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [0]}))


_FIGURES_ALONE: Final = figures_alone(
    "A benchmark's report", "Open a profile of the same program to see where its time goes."
)
