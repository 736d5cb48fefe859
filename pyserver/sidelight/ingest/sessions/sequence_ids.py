"""Tells the operator of each ``nrt_sequence_id``: from a trace, or the framework's own file.

TorchNeuron writes the id beside the work that it submitted, which the reader of traces has no use
for: only what Neuron's tools say of the device has it, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from sidelight.ingest.byte_source import open_bytes
from sidelight.ingest.explorer.launches import Dispatched, HostOperators, dispatching_operators
from sidelight.ingest.explorer.system_events import as_int64, id_of, whole
from sidelight.ingest.json_windows import ArrayWindows
from sidelight.ingest.sessions.launchers import MappedOperator
from sidelight.ingest.trace_documents import EVENTS_KEY
from sidelight.ingest.trace_events import TIME_LIMIT_NS, exact_nanoseconds
from sidelight.ingest.trace_header import decode_header
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

_KEY: Final = b'"nrt_sequence_id"'
_FAULTS: Final = (msgspec.MsgspecError, ValueError, RecursionError, UnreadableInputError)
_LARGEST_MAPPING_BYTES: Final = 256 << 20


class _Arguments(msgspec.Struct, rename={"external_id": "External id"}):
    nrt_sequence_id: Any = None
    external_id: Any = None


class _Event(msgspec.Struct):
    name: str = ""
    ts: Decimal = Decimal(0)
    args: _Arguments = msgspec.field(default_factory=_Arguments)


_decode_events = msgspec.json.Decoder(list[_Event]).decode
_check_syntax = msgspec.json.Decoder(list[msgspec.Raw]).decode


def operators_by_sequence_id(path: Path, trace: Profile) -> dict[int, int]:
    """External ids of operators by the bits of the sequence id of what they submitted.

    Where the trace does not name the operator beside the work, the work's name and time tell it.

    Args:
        path: The trace.
        trace: What its reader made of it.

    Returns:
        Nothing for a trace without such ids; of one that is damaged, what comes before.
    """
    found, base_ns = _submitted(path)
    ids: dict[int, int] = {}
    unnamed: list[tuple[int, _Event]] = []
    for event in found:
        number = whole(event.args.nrt_sequence_id)
        bits = as_int64(number) if number is not None else None
        if bits is None:
            continue
        own = id_of(event.args.external_id)
        if own > 0:
            ids[bits] = own
        else:
            unnamed.append((bits, event))
    if unnamed:
        ids.update(_told_by_name(unnamed, base_ns, trace))
    return ids


def _submitted(path: Path) -> tuple[list[_Event], int]:
    """The events of a trace that have a sequence id, and what their times count from."""
    found: list[_Event] = []

    def decode(text: bytes) -> Sequence[_Event]:
        if _KEY in text:
            return _decode_events(text)
        _check_syntax(text)  # a window that was cut in the middle must be refused
        return ()

    try:
        with open_bytes(path) as source:
            array = ArrayWindows(source, EVENTS_KEY)
            for window in array.decoded(decode):
                found += [each for each in window if each.args.nrt_sequence_id is not None]
            return found, decode_header(array.envelope).base_ns
    except _FAULTS:  # the trace's reader tells of it
        return found, 0


def _told_by_name(
    unnamed: Sequence[tuple[int, _Event]], base_ns: int, trace: Profile
) -> dict[int, int]:
    zero_ns = trace.manifest.start_unix_ns
    timed = [
        (exact_nanoseconds(event.ts) + base_ns - zero_ns, event.name, bits)
        for bits, event in unnamed
        if event.ts.is_finite()
    ]
    timed = [each for each in sorted(timed, key=itemgetter(0)) if abs(each[0]) < TIME_LIMIT_NS]
    events = trace.events
    rows = np.flatnonzero((events["category"] == Category.OPERATOR) & (events["external_id"] > 0))
    rows = rows[np.argsort(events["start_ns"][rows], kind="stable")]
    operators = HostOperators(
        [trace.strings[code] for code in map(int, events["name"][rows])],
        events["start_ns"][rows],
        [*map(int, events["external_id"][rows])],
        [()] * len(rows),
    )
    work = Dispatched(
        [name for _, name, _ in timed],
        np.array([start_ns for start_ns, _, _ in timed], np.int64),
        [-1] * len(timed),
        [()] * len(timed),
    )
    found = dispatching_operators(work, operators).index
    return {
        bits: operators.external_ids[operator]
        for (_, _, bits), operator in zip(timed, found, strict=True)
        if operator >= 0
    }


class _MappedId(msgspec.Struct):
    seq_nr: Any = None
    th_id: Any = None


class _MappedSequence(msgspec.Struct):
    nrta_seq_id: Any = None
    framework_op_exec_ids: list[_MappedId] = []


class _Mapping(msgspec.Struct):
    data: list[_MappedSequence]


def read_framework_mappings(paths: Sequence[Path]) -> Mapping[int, list[MappedOperator]]:
    """Operators by the bits of sequence ids, as ``framework_mapping_*.json`` files have them.

    Args:
        paths: The files. One that is no such file, or too large, says nothing.
    """
    found: dict[int, list[MappedOperator]] = {}
    for path in paths:
        for entry in _mapped_sequences(path):
            number = whole(entry.nrta_seq_id)
            bits = as_int64(number) if number is not None else None
            if bits is None:
                continue
            for operator in entry.framework_op_exec_ids:
                sequence_nr = id_of(operator.seq_nr)
                if sequence_nr >= 0:
                    thread = id_of(operator.th_id)
                    found.setdefault(bits, []).append(MappedOperator(sequence_nr, thread))
    return found


def _mapped_sequences(path: Path) -> list[_MappedSequence]:
    try:
        with open_bytes(path) as source:
            text = source.read(_LARGEST_MAPPING_BYTES)
        return msgspec.json.decode(text, type=_Mapping).data
    except _FAULTS:
        return []
