"""The JSON that Neuron's older profiler makes of a system profile."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.explorer.system_events import Process
from sidelight.ingest.explorer.system_profile import add_events, settle_device
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.json_members import JsonMembers, explained
from sidelight.ingest.json_windows import TruncatedError
from sidelight.ingest.neuron_json.detection import Contents, contents_of
from sidelight.ingest.neuron_json.notes import file_notes, note_unknown
from sidelight.ingest.neuron_json.system_events import Processes, SystemRows
from sidelight.ingest.neuron_json.system_samples import CPU_LIST, MEMORY_LIST, SystemSamples
from sidelight.ingest.notes import samples_left_out, unverified_format
from sidelight.ingest.recordings import Recording
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.profile.model import Profile

EVENT_LISTS: Final = ("trace_event", "trace_events")
"""Readers know the first, the documentation speaks of the second."""

_UNVERIFIED: Final = unverified_format("Neuron's documentation", "system profile as JSON")


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a system profile; of several processes, the first.

    A process numbers its own cores, so that those of several cannot share a timeline.

    Args:
        path: The file, plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, broken, or holds no event.
    """
    return recordings(path)[0].read(progress)[0]


def recordings(path: Path) -> Sequence[Recording]:
    """What is in the file: one profile, or one for each of several processes with devices.

    Raises:
        UnreadableInputError: The file is missing, or broken.
    """
    processes = Processes()
    with _members(path, Findings()) as members:
        try:
            for piece in members.pieces(lambda name: name in EVENT_LISTS):
                if piece.text:
                    processes.add(piece.text)
        except TruncatedError:
            pass  # told when it is read
    apart = processes.apart()
    if not apart:
        return [Recording(path, lambda progress: [_read(path, None, progress)])]
    return [Recording(path, partial(_read_of, path, each), each.label) for each in apart]


@contextmanager
def _members(
    path: Path, findings: Findings, progress: Progress | None = None
) -> Generator[JsonMembers]:
    with open_bytes(path, progress, findings) as source, explained(path, "a Neuron system profile"):
        yield JsonMembers(source)


def _read_of(path: Path, process: Process, progress: Progress | None) -> list[Profile]:
    return [_read(path, process, progress)]


def _read(path: Path, process: Process | None, progress: Progress | None) -> Profile:
    findings = Findings()
    rows, samples = SystemRows(findings), SystemSamples(findings)
    unknown: set[str] = set()
    with _members(path, findings, progress) as members:
        try:
            for piece in members.pieces(lambda name: name in _LISTS):
                if piece.name in EVENT_LISTS:
                    rows.add(piece.text)
                elif piece.name in _LISTS:
                    samples.add(piece.name, piece.text)
                else:
                    note_unknown(piece.name, unknown)
        except TruncatedError:
            findings.once(Finding.CUT_OFF)
    name = path.name.removesuffix(".gz").removesuffix(".json")
    manifest = new_manifest(name, FORMAT.name, [str(path)])
    manifest.device = "neuron"
    builder = ProfileBuilder()
    # Where the recording was written, or where its reader works, its program often is.
    places = SourceLines(directories=(str(path.parent.absolute()), os.getcwd()))
    add_events(rows.events(process), builder, manifest, source=places)
    samples.add_to(builder, process.instance if process else None)
    profile = builder.build(manifest, str(path))
    settle_device(profile)
    left_out = samples_left_out(samples.windows.left_out)
    for note in (
        _UNVERIFIED,
        *([left_out] if left_out.count else []),
        *findings.notes(),
        *file_notes(is_followed=members.is_followed, unknown=unknown),
    ):
        profile.note(note)
    return profile


def detect(path: Path) -> bool:
    """Whether a file is an object of the lists of a system profile."""
    return contents_of(path) is Contents.SYSTEM


_LISTS: Final = frozenset({*EVENT_LISTS, CPU_LIST, MEMORY_LIST})

FORMAT: Final = Format("neuron_system_json", detect, read, recordings)
