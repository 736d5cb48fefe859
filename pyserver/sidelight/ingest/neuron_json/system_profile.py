"""The JSON that Neuron's older profiler makes of a system profile."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.explorer.system_profile import add_events
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.json_members import JsonMembers, explained
from sidelight.ingest.json_windows import TruncatedError
from sidelight.ingest.neuron_json.detection import Contents, contents_of
from sidelight.ingest.neuron_json.notes import (
    file_notes,
    note_unknown,
    samples_left_out,
    wrong_types,
)
from sidelight.ingest.neuron_json.system_events import SystemRows
from sidelight.ingest.neuron_json.system_samples import CPU_LIST, MEMORY_LIST, SystemSamples
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

EVENT_LISTS: Final = ("trace_event", "trace_events")
"""Readers know the first, the documentation speaks of the second."""

UNVERIFIED: Final = QualityNote(
    "unverified_format",
    "info",
    "This reader was written from Neuron's documentation; no system profile that the tool itself "
    "wrote as JSON could be read so far. Compare a few figures with Neuron's own viewer, and "
    "report what differs.",
)


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a system profile.

    Args:
        path: The file, plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, broken, or holds no event.
    """
    rows, samples = SystemRows(), SystemSamples()
    unknown: set[str] = set()
    is_cut_off = False
    with open_bytes(path, progress) as source, explained(path, "a Neuron system profile"):
        members = JsonMembers(source)
        try:
            for piece in members.pieces(lambda name: name in _LISTS):
                if piece.name in EVENT_LISTS:
                    rows.add(piece.text)
                elif piece.name in _LISTS:
                    samples.add(piece.name, piece.text)
                else:
                    note_unknown(piece.name, unknown)
        except TruncatedError:
            is_cut_off = True
    name = path.name.removesuffix(".gz").removesuffix(".json")
    manifest = new_manifest(name, FORMAT.name, [str(path)])
    manifest.device = "neuron"
    builder = ProfileBuilder()
    # Where the recording was written, or where its reader works, its program often is.
    places = SourceLines(directories=(str(path.parent.absolute()), os.getcwd()))
    add_events(rows.events(), builder, manifest, source=places)
    samples.add_to(builder, None)
    profile = builder.build(manifest, str(path))
    counted = (
        wrong_types(rows.decoder.faults + samples.decoder.faults),
        samples_left_out(samples.bad_times),
    )
    for note in (
        UNVERIFIED,
        *(note for note in counted if note.count),
        *file_notes(is_cut_off=is_cut_off, is_followed=members.is_followed, unknown=unknown),
    ):
        profile.note(note)
    return profile


def detect(path: Path) -> bool:
    """Whether a file is an object of the lists of a system profile."""
    return contents_of(path) is Contents.SYSTEM


_LISTS: Final = frozenset({*EVENT_LISTS, CPU_LIST, MEMORY_LIST})

FORMAT: Final = Format("neuron_system_json", detect, read)
