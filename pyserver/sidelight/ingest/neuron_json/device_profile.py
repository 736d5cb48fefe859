"""The JSON that ``neuron-profile view --output-format json`` makes of a device profile."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.engines import ENGINE_LABELS
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.json_members import JsonMembers, Piece, explained
from sidelight.ingest.json_windows import TooLongError, TruncatedError
from sidelight.ingest.neuron_json.compiled_operators import CompiledOperators
from sidelight.ingest.neuron_json.cores import Cores
from sidelight.ingest.neuron_json.counters import COUNTERS, Counters
from sidelight.ingest.neuron_json.detection import Contents, contents_of
from sidelight.ingest.neuron_json.instructions import Instructions
from sidelight.ingest.neuron_json.notes import device_notes, file_notes, note_unknown
from sidelight.ingest.neuron_json.program_tensors import PROGRAM_LIST, add_tensors
from sidelight.ingest.neuron_json.transfers import Transfers
from sidelight.ingest.neuron_json.values import decoded, objects_of
from sidelight.ingest.neuron_json.vendor_figures import MEMORY_LIST, describe_device
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.profile.manifest import Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

FACTS: Final = frozenset(
    {
        *("summary", "metadata", "neff_header", "profile_info", "warnings"),
        *("model_info", "dma_queues_info", "layer_summary", PROGRAM_LIST, MEMORY_LIST),
    }
)
"""The short lists."""

_ENGINE_ORDER: Final[Mapping[str | None, int]] = {
    engine: place for place, engine in enumerate((None, *ENGINE_LABELS))
}
_MOST_FACT_BYTES: Final = 64 << 20
"""How long they may be together."""

PASSED_OVER: Final = frozenset(
    {
        # Explains the names, and groups them: nothing of this profile.
        *("terminology", "summary_groups", "summary_group_order"),
        # The same as the rows of instructions, merged.
        "active_time",
        # Nothing here shows it.
        "semaphore_update",
    }
)
"""Lists that are known and not read."""


class DeviceContents:
    """What a device profile holds, as it is read.

    Args:
        source: Where files may be that it names by relative paths.
    """

    def __init__(self, source: SourceLines) -> None:
        self.findings = Findings()
        self.builder = ProfileBuilder()
        self.instructions = Instructions(self.builder, source, self.findings)
        self.transfers = Transfers(self.builder, self.findings)
        self.counters = Counters(self.findings)
        self.facts: dict[str, list[dict[str, Any]]] = {}
        self.unknown: set[str] = set()
        self._fact_bytes = 0
        self.is_followed = False

    def add(self, piece: Piece) -> None:
        """Add a list of the file, or a part of one."""
        if piece.name == "instruction":
            self.instructions.add(piece.text)
        elif piece.name == "dma":
            self.transfers.add(piece.text)
        elif piece.name in COUNTERS:
            self.counters.add(piece.name, piece.text)
        elif piece.name in FACTS:
            self._fact_bytes += len(piece.text)
            if self._fact_bytes > _MOST_FACT_BYTES:
                raise TooLongError("what it says beside its rows")
            rows = self.facts.setdefault(piece.name, [])
            rows += objects_of(decoded(piece.text, self.findings))
        elif piece.name not in PASSED_OVER:
            note_unknown(piece.name, self.unknown)


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a device profile.

    Args:
        path: The file, plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, broken, or holds no instruction or transfer.
    """
    # Where the recording was written, or where its reader works, its program often is.
    contents = DeviceContents(SourceLines(directories=(str(path.parent.absolute()), os.getcwd())))
    with (
        open_bytes(path, progress, contents.findings) as source,
        explained(path, "a Neuron device profile"),
    ):
        members = JsonMembers(source)
        try:
            for piece in members.pieces(_is_read):
                contents.add(piece)
        except TruncatedError:
            contents.findings.once(Finding.CUT_OFF)
        contents.is_followed = members.is_followed
    return _profile(contents, path)


def _is_read(name: str) -> bool:
    return name in FACTS or name in COUNTERS or name in ("instruction", "dma")


def _profile(contents: DeviceContents, path: Path) -> Profile:
    cores = Cores(contents.facts)
    operators = CompiledOperators(contents.instructions.operators.values(), contents.facts)
    _order_tracks(contents, cores, operators)
    _add_instructions(contents, cores, operators)
    _add_transfers(contents, cores)
    contents.counters.add_to(contents.builder, cores.label)
    add_tensors(contents.facts, contents.builder)
    contents.builder.times.left_out += (
        contents.instructions.windows.bad_times + contents.transfers.windows.bad_times
    )
    name = path.name.removesuffix(".gz").removesuffix(".json")
    manifest = new_manifest(name, FORMAT.name, [str(path)])
    manifest.device = "neuron"
    describe_device(manifest, contents.facts, cores.physical_in_logical)
    profile = contents.builder.build(manifest, str(path))
    for note in (
        *device_notes(profile, cores, contents.instructions, contents.transfers, contents.counters),
        *contents.findings.notes(),
        *file_notes(is_followed=contents.is_followed, unknown=contents.unknown),
    ):
        profile.note(note)
    return profile


def _order_tracks(contents: DeviceContents, cores: Cores, operators: CompiledOperators) -> None:
    """Give the tracks their order: core by core, as the rows have none."""
    tracks: defaultdict[str, list[Track]] = defaultdict(list)
    for subgraph in operators.subgraphs:
        tracks[subgraph].append(cores.operators(subgraph))
    for subgraph, engine in contents.instructions.lanes.values():
        tracks[subgraph].append(cores.engine(subgraph, engine))
    for subgraph, queue in contents.transfers.lanes.values():
        tracks[subgraph].append(cores.queue(subgraph, queue))
    for subgraph in cores.in_order(tracks):
        for track in sorted(tracks[subgraph], key=_place):
            contents.builder.tracks.code(track)


def _place(track: Track) -> tuple[int, str]:
    """Where a track is among those of its core: operators, engines, and what is left by name."""
    return _ENGINE_ORDER.get(track.engine, len(_ENGINE_ORDER)), track.name


def _add_instructions(contents: DeviceContents, cores: Cores, operators: CompiledOperators) -> None:
    builder, instructions = contents.builder, contents.instructions
    rows = instructions.columns()
    tracks = np.array(
        [builder.tracks.code(cores.engine(*lane)) for lane in instructions.lanes.values()], np.int32
    )
    is_work = ~rows["is_wait"]
    category = np.where(is_work, Category.ENGINE_WORK, Category.OTHER)
    columns = {
        "track": tracks[rows["lane"]] if len(tracks) else rows["lane"],
        "category": category,
        "name": rows["name"],
        "start_ns": rows["start_ns"],
        "duration_ns": rows["duration_ns"],
        "external_id": rows["operator"],
    }
    work_columns = (
        "operands",
        "wait_ns",
        "flops",
        "transpose_flops",
        "hbm_read_bytes",
        "hbm_write_bytes",
    )
    nodes = instructions.places.all_nodes()
    builder.add_rows(
        {name: column[is_work] for name, column in columns.items()},
        work={name: rows[name][is_work] for name in work_columns},
        origins=[nodes[code] for code in map(int, rows["places"][is_work])],
    )
    waits = {name: column[~is_work] for name, column in columns.items()}
    builder.add_rows({**waits, "external_id": np.full(len(waits["track"]), -1)})
    operators.add_to(builder, rows, cores)


def _add_transfers(contents: DeviceContents, cores: Cores) -> None:
    builder, transfers = contents.builder, contents.transfers
    rows = transfers.columns()
    tracks = np.array(
        [builder.tracks.code(cores.queue(*lane)) for lane in transfers.lanes.values()], np.int32
    )
    builder.add_rows(
        {
            "track": tracks[rows["lane"]] if len(tracks) else rows["lane"],
            "category": np.full(len(rows["lane"]), Category.ENGINE_WORK),
            "name": rows["name"],
            "start_ns": rows["start_ns"],
            "duration_ns": rows["duration_ns"],
        },
        work={"operands": rows["operands"], "moved_bytes": rows["moved_bytes"]},
    )


def detect(path: Path) -> bool:
    """Whether a file is an object of the lists of a device profile."""
    return contents_of(path) is Contents.DEVICE


FORMAT: Final = Format("neuron_profile_json", detect, read)
