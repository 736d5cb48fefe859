"""The format of Perfetto's traces (``.pftrace``), and the profile that becomes of one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.binaries.wire import WireError
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.categories import device_of
from sidelight.ingest.executions import EXECUTION, Executions
from sidelight.ingest.formats import Format
from sidelight.ingest.notes import CPU_IS_DEVICE
from sidelight.ingest.perfetto.counters import add_counters
from sidelight.ingest.perfetto.descriptors import Lane
from sidelight.ingest.perfetto.detection import HEAD_BYTES, begins_with_packets
from sidelight.ingest.perfetto.execution_rows import add_executions
from sidelight.ingest.perfetto.notes import (
    NO_DEVICE_ROWS,
    NO_STACKS,
    notes_of_executions,
    notes_of_reading,
)
from sidelight.ingest.perfetto.packets import Packets, TooLargeError
from sidelight.ingest.perfetto.slice_rows import add_slices
from sidelight.ingest.perfetto.slices import Integers, Slices, join_slices
from sidelight.ingest.perfetto.track_events import TIME_LIMIT_NS, TrackEvents
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.steps import set_profiler_steps
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import DEVICE_TIME_LEVELS, Category

_SUFFIXES: Final = (".pftrace", ".perfetto-trace")
_YEAR_2001_NS: Final = 10**18
"""Times since 1970 are beyond this, times since a machine was started below."""


def detect(path: Path) -> bool:
    """Whether a file is a trace: by its name, or by its first packets."""
    if not os.path.isfile(path):
        return False
    if path.name.casefold().removesuffix(".gz").endswith(_SUFFIXES):
        return True
    try:
        with open_bytes(path) as source:
            return begins_with_packets(source.read(HEAD_BYTES))
    except UnreadableInputError:  # of what it is, whoever reads it tells
        return False


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a trace.

    Args:
        path: Plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, too large, or holds no slices.
    """
    events, findings = TrackEvents(), Findings()
    with open_bytes(path, progress, findings) as source:
        packets = Packets(source, findings)
        try:
            for packet in packets:
                try:
                    events.add(packet)
                except WireError:
                    findings.add(Finding.DAMAGED_EVENTS)
        except TooLargeError as error:
            raise UnreadableInputError(
                "too_large",
                f"{path} holds more than Sidelight has room for. Record a shorter part of the run.",
            ) from error
    return _profile(path, events, packets, findings)


def _profile(path: Path, events: TrackEvents, packets: Packets, findings: Findings) -> Profile:
    offset_ns, unix_offset_ns, unrelated_clocks = _offsets(events)
    slices = join_slices(events, offset_ns)
    process_names = events.descriptors.process_names()
    lanes = [events.descriptors.lane(uuid, process_names) for uuid in events.tracks.values()]
    is_execution = np.array([name == EXECUTION for name in events.names.values()], np.bool_)
    executing = is_execution[np.array(events.name, np.int64)[slices.event]]

    builder = ProfileBuilder()
    categories, has_lines = add_slices(builder, events, slices, np.flatnonzero(~executing), lanes)
    merged = _add_executions(builder, events, slices, np.flatnonzero(executing), lanes)
    bad_values = add_counters(builder, events, lanes, offset_ns)
    builder.times.left_out += events.untimed + slices.bad_times
    builder.times.unmatched += slices.unmatched

    manifest = new_manifest(_name(path), FORMAT.name, [str(path)])
    manifest.line_level = "function" if has_lines else "none"
    manifest.device = _device(events, categories, merged, lanes)
    manifest.quality = [
        *findings.notes(),
        *notes_of_reading(events, packets, bad_values, unrelated_clocks),
        *notes_of_executions(merged),
        *_missing(manifest.device, has_lines),
    ]
    manifest.start_unix_ns = unix_offset_ns or 0
    profile = builder.build(manifest, str(path))
    if unix_offset_ns is None and manifest.start_unix_ns < _YEAR_2001_NS:
        manifest.start_unix_ns = 0
    if (categories == Category.STEP).any():
        end_ns = int(profile.steps["end_ns"][-1])
        set_profiler_steps(profile, [(0, end_ns)])
    return profile


def _name(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return next((name.removesuffix(each) for each in _SUFFIXES if name.endswith(each)), name)


def _offsets(events: TrackEvents) -> tuple[Integers, int | None, int]:
    """What to add to each clock's readings, to those for Unix time, and how many do not relate."""
    used = sorted(
        {*events.clock, *(code for each in events.values.values() for code in each.clock)}
    )
    if not used:
        return np.zeros(len(events.clocks), np.int64), None, 0
    found, unix_offset_ns = events.clocks.offsets_ns(used)
    offset_ns = np.zeros(len(events.clocks), np.int64)
    unrelated = 0
    for code in used:
        offset = found.get(code)
        if offset is None or abs(offset) >= TIME_LIMIT_NS:
            unrelated += 1
        else:
            offset_ns[code] = offset
    if unix_offset_ns is not None and abs(unix_offset_ns) >= TIME_LIMIT_NS:
        unix_offset_ns = None
    return offset_ns, unix_offset_ns, unrelated


def _add_executions(
    builder: ProfileBuilder, events: TrackEvents, slices: Slices, rows: Integers, lanes: list[Lane]
) -> Executions:
    event = [*map(int, slices.event[rows])]
    return add_executions(
        builder,
        slices.start_ns[rows],
        slices.duration_ns[rows],
        [lanes[events.track[each]] for each in event],
        [events.executions.get(each, {}) for each in event],
    )


def _device(
    events: TrackEvents, categories: npt.NDArray[np.int8], merged: Executions, lanes: list[Lane]
) -> str:
    if len(merged):
        return "neuron"
    if np.isin(categories, DEVICE_TIME_LEVELS).any():
        owners = " ".join(lane.owner for lane in lanes).casefold()
        return device_of(set(events.categories.values()), rocm=False, neuron="neuron" in owners)
    return "cpu" if (categories == Category.OPERATOR).any() else "unknown"


def _missing(device: str, has_lines: bool) -> list[QualityNote]:
    notes: list[QualityNote] = []
    if device == "unknown":
        notes.append(NO_DEVICE_ROWS)
    if device == "cpu":
        notes.append(CPU_IS_DEVICE)
    if not has_lines:
        notes.append(NO_STACKS)
    return notes


FORMAT: Final = Format("perfetto_trace", detect, read)
