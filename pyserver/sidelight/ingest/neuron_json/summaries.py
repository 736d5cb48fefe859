"""What ``summary-json`` and ``summary-text`` of Neuron's profilers hold: figures, and no event.

A file has blocks: ``n_`` and a hash for each device profile, ``s_`` and a hash for the system's.
Other writers leave the block's name away, or put the figures into a list ``summary``. Each device's
block is a profile of its own; the system's figures stand with those of the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sidelight.ingest.building import new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.formats import Format
from sidelight.ingest.json_members import JsonMembers, Piece, explained
from sidelight.ingest.json_windows import TruncatedError
from sidelight.ingest.neuron_json.detection import SUMMARY_LISTS, Contents, contents_of
from sidelight.ingest.neuron_json.notes import file_notes
from sidelight.ingest.neuron_json.summary_text import text_blocks
from sidelight.ingest.neuron_json.values import decoded, objects_of, real_number
from sidelight.ingest.neuron_json.vendor_figures import describe_summary
from sidelight.ingest.notes import figures_alone
from sidelight.ingest.recordings import Recording
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.time_policy import LONGEST_NS
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import CoreFigures
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import STEP_COLUMNS, Table

_SYSTEM_BLOCK: Final = re.compile(r"s_[0-9a-f]+")
_LIMIT_BYTES: Final = 64 << 20
_MOST_BLOCKS: Final = 256
_SHOWN_HASH: Final = 10

_FIGURES_ALONE: Final = figures_alone("A summary", "Open the profile that it is of to have these.")


@dataclass
class _Summary:
    """What a file holds.

    Attributes:
        blocks: Its blocks' figures by their names, in the order of the file.
        findings: What was repaired or is missing.
        is_followed: Whether anything follows its end.
    """

    blocks: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    findings: Findings = field(default_factory=Findings)
    is_followed: bool = False

    def of_profiles(self) -> list[tuple[str, dict[str, Any]]]:
        """The blocks that become profiles, the system's figures with those of the first device."""
        blocks = [block for block in self.blocks.items() if block[1]]
        devices = [block for block in blocks if not _is_system(block[0])][:_MOST_BLOCKS]
        systems = [block for block in blocks if _is_system(block[0])]
        if not devices:
            return systems[:_MOST_BLOCKS]
        first_name, first = devices[0]
        for _, figures in systems:
            first = {**figures, **first}
        return [(first_name, first), *devices[1:]]


def _is_system(block: str) -> bool:
    return _SYSTEM_BLOCK.fullmatch(block) is not None


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a summary; of several devices', the first.

    Args:
        path: The file, plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, broken, or holds no figure.
    """
    profiles = _read_all(path, progress)
    if len(profiles) > 1:
        profiles[0].note(
            QualityNote(
                "summaries_left_out",
                "info",
                "The file has the summaries of more devices than the one that is shown. Open it "
                "with sidelight open to have a profile of each.",
                len(profiles) - 1,
            )
        )
    return profiles[0]


def recordings(path: Path) -> Sequence[Recording]:
    """What is in the file: every device's summary becomes a profile."""
    return [Recording(path, lambda progress: _read_all(path, progress))]


def _read_all(path: Path, progress: Progress | None) -> list[Profile]:
    is_text = contents_of(path) is Contents.SUMMARY_TEXT
    summary = _of_text(path, progress) if is_text else _of_json(path, progress)
    blocks = summary.of_profiles()
    profiles = [
        _profile(path, f" {name[2 : 2 + _SHOWN_HASH]}" if len(blocks) > 1 else "", figures)
        for name, figures in blocks
    ]
    profiles = [profile for profile in profiles if profile.manifest.vendor_metrics]
    if not profiles:
        raise UnreadableInputError(
            "no_figures",
            f"{path} is a summary without a single figure. Have the profiler write it again.",
        )
    for profile in profiles:
        profile.manifest.quality += summary.findings.notes()
        profile.manifest.quality += file_notes(is_followed=summary.is_followed, unknown=())
    return profiles


def _of_json(path: Path, progress: Progress | None) -> _Summary:
    summary = _Summary()
    with (
        open_bytes(path, progress, summary.findings) as source,
        explained(path, "a summary of Neuron's profilers"),
    ):
        members = JsonMembers(source, limit_bytes=_LIMIT_BYTES)
        try:
            read_bytes = 0
            for piece in members.pieces(lambda _: True):
                read_bytes += len(piece.name) + len(piece.text)
                if read_bytes > _LIMIT_BYTES:
                    raise _too_large(path)
                _take(piece, summary)
        except TruncatedError:
            summary.findings.once(Finding.CUT_OFF)
        summary.is_followed = members.is_followed
    return summary


def _take(piece: Piece, summary: _Summary) -> None:
    blocks = summary.blocks
    value = decoded(piece.text, summary.findings)
    if piece.name in SUMMARY_LISTS or piece.opening == b"{":
        named = piece.name not in SUMMARY_LISTS
        for number, figures in enumerate(objects_of(value)):
            name = piece.name if named else f"n_{number}"
            blocks.setdefault(name, {}).update(_flat(figures))
    elif piece.opening != b"[":
        blocks.setdefault("", {})[piece.name] = value


def _flat(figures: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Figures by their names; those of a group with the group's name and a dot before."""
    flat: dict[str, Any] = {}
    waiting = [(path, figures)]
    while waiting:
        prefix, group = waiting.pop()
        for name, value in group.items():
            if isinstance(value, dict):
                waiting += [(f"{prefix}{name}.", inner) for inner in objects_of(value)]
            else:
                flat[f"{prefix}{name}"] = value
    return flat


def _of_text(path: Path, progress: Progress | None) -> _Summary:
    findings = Findings()
    with open_bytes(path, progress, findings) as source:
        text = source.read(_LIMIT_BYTES + 1)
    if len(text) > _LIMIT_BYTES:
        raise _too_large(path)
    return _Summary(text_blocks(text.decode("utf-8", "replace")), findings)


def _too_large(path: Path) -> UnreadableInputError:
    return UnreadableInputError(
        "too_large",
        f"{path} is larger than {_LIMIT_BYTES >> 20} MiB, which no summary is. Have the profiler "
        "write it again.",
    )


def _profile(path: Path, suffix: str, figures: Mapping[str, Any]) -> Profile:
    name = path.name.removesuffix(".gz").removesuffix(".json").removesuffix(".txt")
    manifest = new_manifest(name + suffix, FORMAT.name, [str(path)])
    manifest.device = "neuron"
    possible = {name: value for name, value in figures.items() if not _is_absurd(name, value)}
    describe_summary(manifest, possible)
    instance_type = figures.get("instance_type")
    if isinstance(instance_type, str) and instance_type:
        manifest.core = CoreFigures(instance_type=instance_type[:100])
    manifest.quality.append(_FIGURES_ALONE)
    if absurd := len(figures) - len(possible):
        manifest.quality.append(
            QualityNote(
                "absurd_figure",
                "warning",
                "Times in the summary that are longer than ten years are left out: the profiler "
                "wrote a date in their place. Open the profile itself to have them from its rows.",
                absurd,
            )
        )
    return Profile(manifest, steps=Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [0]}))


def _is_absurd(name: str, value: Any) -> bool:
    number = real_number(value)
    return number is not None and name.endswith("_ns") and abs(number) > LONGEST_NS


def detect(path: Path) -> bool:
    """Whether a file is a summary, as JSON in any of its shapes or as text."""
    return contents_of(path) in (Contents.SUMMARY_JSON, Contents.SUMMARY_TEXT)


FORMAT: Final = Format("neuron_summary", detect, read, recordings)
