"""The format of the Chrome traces that Sidelight itself exports: read back exactly."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath
from typing import Final

import msgspec
import numpy as np

from sidelight.ingest.bounds import LONGEST_LABEL, shortened
from sidelight.ingest.building import new_manifest
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.exported_rows import ExportedRows, rows_of
from sidelight.ingest.exported_tables import (
    BrokenExportError,
    check_header,
    check_indexes,
    price_table,
)
from sidelight.ingest.formats import Format
from sidelight.ingest.json_windows import (
    ArrayWindows,
    NoArrayError,
    SeveralArraysError,
    TooLongError,
    TruncatedError,
)
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.row_order import row_order
from sidelight.ingest.settling import settle
from sidelight.ingest.time_faults import TimeFaults
from sidelight.ingest.trace_documents import EVENTS_KEY
from sidelight.ingest.trace_events import NO_TEXT
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.exported_trace import ExportedTrace
from sidelight.profile.manifest import Manifest, SourceFile, is_profile_name
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import CATEGORY_NAMES
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    ORIGIN_COLUMNS,
    PREDICTION_COLUMNS,
    SAMPLE_COLUMNS,
    STACK_COLUMNS,
    STEP_COLUMNS,
    Category,
    Column,
    Schema,
    Table,
)

_CATEGORIES: Final = {name: category for category, name in CATEGORY_NAMES.items()}

_DAMAGE: Final = (
    msgspec.MsgspecError,
    UnicodeDecodeError,
    RecursionError,
    NoArrayError,
    TruncatedError,
    SeveralArraysError,
    TooLongError,
    OverflowError,
    BrokenExportError,
)


class _Beginning(msgspec.Struct):
    """What tells such a trace from others."""

    sidelight: msgspec.Raw = NO_TEXT


class _Document(msgspec.Struct):
    sidelight: ExportedTrace


def detect(path: Path) -> bool:
    """Whether a file is a Chrome trace with what Sidelight writes beside the events."""
    if os.path.isdir(path):
        return False
    with open_bytes(path, findings=Findings()) as source:
        try:
            array = ArrayWindows(source, EVENTS_KEY)
            return msgspec.json.decode(array.head + b"]}", type=_Beginning).sidelight is not NO_TEXT
        except (NoArrayError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a trace that was exported.

    Args:
        path: The trace, plain or gzipped.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: ``no_events``, or ``broken_json``: it is not as it was written.
            Nothing is repaired: it can be exported again, and what is lost may be what tells
            predicted times from measured ones.
    """
    try:
        with open_bytes(path, progress) as source:
            array = ArrayWindows(source, EVENTS_KEY)
            rows = rows_of(array)
            header = msgspec.json.decode(array.envelope, type=_Document).sidelight
        check_header(header)
        return _profile(path, header, rows)
    except _DAMAGE as error:
        raise UnreadableInputError(
            "broken_json",
            f"{path} is not as `sidelight export` wrote it: it is damaged, cut off, or of another "
            "version. Export it again.",
        ) from error


def _profile(path: Path, header: ExportedTrace, rows: ExportedRows) -> Profile:
    names = Vocabulary[str]()
    columns = _columns(header, rows, names)
    samples = rows.samples(len(header.series))
    is_device = np.array([track.kind == "device" for track in header.tracks], np.bool_)
    faults = TimeFaults()
    settle([columns], [samples], lambda part: is_device[part["track"]], faults)
    start_ns = columns["start_ns"]
    if not len(start_ns):
        raise UnreadableInputError(
            "no_events", f"{path} holds no events. Export a longer part of the profile."
        )
    zero_ns = int(start_ns.min())
    start_ns -= zero_ns
    samples["at_ns"] -= zero_ns
    order = row_order(columns["track"], start_ns, columns["duration_ns"])
    schema: Schema = {**EVENT_COLUMNS, **(PREDICTION_COLUMNS if header.pricing else {})}
    return Profile(
        _manifest(path, header, zero_ns, faults),
        prices=price_table(header, names, columns),
        frames=_table(
            FRAME_COLUMNS,
            [(file, line, names.code(function)) for file, line, function in header.frames],
        ),
        strings=names.values(),
        tracks=[
            msgspec.structs.replace(track, name=shortened(track.name, LONGEST_LABEL))
            for track in header.tracks
        ],
        files=[SourceFile(file) for file in header.files],
        events=Table.of(schema, {name: columns[name][order] for name in schema}),
        stacks=_table(STACK_COLUMNS, header.stacks),
        steps=_table(
            STEP_COLUMNS, [(start - zero_ns, end - zero_ns) for start, end in header.steps]
        ),
        origins=_origins(rows, columns["row"][order]),
        samples=Table.of(SAMPLE_COLUMNS, samples),
    )


def _columns(
    header: ExportedTrace, rows: ExportedRows, names: Vocabulary[str]
) -> dict[str, Column]:
    """The events' columns, in the order of the file; ``row`` numbers them."""
    columns = rows.columns()
    kinds = [_CATEGORIES.get(kind) for kind in rows.kinds.values()]
    if None in kinds:
        raise BrokenExportError("an unknown kind of event")
    category = np.array(kinds, np.int8)[columns.pop("kind")]
    lane, frame = columns.pop("lane"), columns["frame"]
    check_indexes(lane, len(header.lanes))
    check_indexes(frame, len(header.frames))
    check_indexes(columns["forward_thread"] - 1, len(header.tracks))
    check_indexes(rows.contexts()[1], len(header.stacks))
    if int(lane.min(initial=0)) < 0:
        raise BrokenExportError("an event on no lane")
    lines = np.flatnonzero(category == Category.LINE)
    if int(frame[lines].min(initial=0)) < 0:
        raise BrokenExportError("a line's event that is of no line")
    string_of_name = np.array(
        [names.code(shortened(name)) for name in rows.names.values()], np.int32
    )
    name = string_of_name[columns["name"]]
    # A line's event is called by its function, as others know it.
    line_names = np.array(
        [
            names.code(f"{PureWindowsPath(header.files[file]).name}:{line}")
            for file, line, _ in header.frames
        ],
        np.int32,
    )
    name[lines] = line_names[frame[lines]]
    signatures = [-1, *map(names.code, rows.signatures.values()[1:])]
    return {
        **columns,
        "name": name,
        "category": category,
        "track": np.array(header.lanes, np.int32)[lane],
        "signature": np.array(signatures, np.int32)[columns["signature"]],
        "row": np.arange(len(lane)),
    }


def _origins(rows: ExportedRows, row_of_event: Column) -> Table:
    """The calling contexts that events name, by event."""
    row, stack = rows.contexts()
    event_of_row = np.full(int(row_of_event.max(initial=0)) + 1, -1, np.int64)
    event_of_row[row_of_event] = np.arange(len(row_of_event))
    kept = row < len(event_of_row)
    event, stack = event_of_row[row[kept]], stack[kept]
    order = np.argsort(event, kind="stable")
    order = order[np.searchsorted(event[order], 0) :]
    return Table.of(ORIGIN_COLUMNS, {"event": event[order], "stack": stack[order]})


def _manifest(path: Path, header: ExportedTrace, zero_ns: int, faults: TimeFaults) -> Manifest:
    # Of several recordings each numbers its operators by itself, which attribution must know.
    inputs = [str(path), *(header.inputs if len(header.inputs) > 1 else [])]
    manifest = new_manifest(header.name, FORMAT.name, inputs)
    if not is_profile_name(manifest.name):
        manifest.name = path.name
    manifest.target = header.target
    manifest.device = header.device
    manifest.time_kind = header.time_kind
    manifest.attribution = header.attribution
    manifest.line_level = header.line_level
    manifest.steps_from = header.steps_from
    manifest.warmup = header.warmup
    if header.step_before_ns is not None:
        manifest.step_before_ns = header.step_before_ns - zero_ns
    manifest.rank, manifest.world_size = header.rank, header.world_size
    manifest.start_unix_ns = header.start_unix_ns + zero_ns
    manifest.series = header.series
    manifest.pricing = header.pricing
    manifest.memory = header.memory
    manifest.quality = [*header.quality, *faults.notes()]
    return manifest


def _table(schema: Schema, rows: Sequence[tuple[int, ...]]) -> Table:
    if not rows:
        return Table.empty(schema)
    return Table.of(schema, dict(zip(schema, zip(*rows, strict=True), strict=True)))


FORMAT: Final = Format("sidelight_trace", detect, read)
