"""The rows of Neuron Explorer's table of system events, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.time_policy import good_times
from sidelight.ingest.vocabulary import Vocabulary

EVENTS_TABLE: Final = "SystemProfileEvents"

_COLUMNS: Final = (
    *("id", "name", "start_ts", "end_ts", "duration_ns", "trace_event_source", "instance_id"),
    *("process_id", "thread_id", "nc_idx", "pcore_idx", "flow_id", "framework_stream_id"),
    *("extra_attributes_json", "model_id"),
)


class Extra(msgspec.Struct):
    """What matters of the attributes that have no column of their own (yet)."""

    model_id: Any = None
    device_core_idx: Any = None
    nrt_sequence_id: Any = None
    cat: Any = None
    category: Any = None
    external_id: Any = msgspec.field(name="External id", default=None)


NO_EXTRA: Final = Extra()
_decode_extra = msgspec.json.Decoder(Extra).decode


@dataclass(frozen=True)
class Process:
    """A process that a profile holds.

    Attributes:
        instance: The machine that it ran on.
        number: Its id there.
    """

    instance: str
    number: int

    @property
    def label(self) -> str:
        """As Neuron's own folders call it."""
        return f"{self.instance}_pid_{self.number}"


@dataclass(frozen=True)
class SystemEvents:
    """Rows of one process, or of all. Every column is of one length.

    Attributes:
        name: Index into ``names``.
        names: The distinct names.
        start_ns: Since 1970.
        duration_ns: How long each took.
        source: Index into ``sources``, -1 for none.
        sources: ``framework``, ``neuron_rt``, ``neuron_hw``, and what else there is.
        process: Index into ``processes``.
        processes: The processes.
        thread: Thread ids.
        core: Logical core, -1 for none.
        physical_core: Physical core, -1 for none.
        flow: Index into ``flows``.
        flows: Distinct sets of flow ids; the first is none.
        stream: Index into ``streams``, -1 for none.
        streams: The framework's streams.
        extra: What else a row has, as JSON; index into ``extras``, -1 for none.
        extras: The distinct texts.
        model: The models' ids where they have a column of their own, else -1.
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    name: npt.NDArray[np.int32]
    names: list[str]
    start_ns: Integers
    duration_ns: Integers
    source: npt.NDArray[np.int32]
    sources: list[str]
    process: npt.NDArray[np.int32]
    processes: list[Process]
    thread: Integers
    core: Integers
    physical_core: Integers
    flow: npt.NDArray[np.int32]
    flows: list[tuple[str, ...]]
    stream: npt.NDArray[np.int32]
    streams: list[str]
    extra: npt.NDArray[np.int32]
    extras: list[str]
    model: Integers
    bad_times: int

    def __len__(self) -> int:
        return len(self.start_ns)

    def names_of(self, rows: Integers) -> list[str]:
        """The rows' names."""
        return [self.names[code] for code in map(int, self.name[rows])]

    def flows_of(self, rows: Integers) -> list[tuple[str, ...]]:
        """The rows' flow ids."""
        return [self.flows[code] for code in map(int, self.flow[rows])]

    def rows_from(self, source: str) -> Integers:
        """The rows that a source wrote."""
        codes = [code for code, text in enumerate(self.sources) if text == source]
        return np.flatnonzero(np.isin(self.source, codes))

    def extra_of(self, rows: Integers) -> list[Extra]:
        """What else the rows have; nothing where that is no JSON."""
        decoded: dict[int, Extra] = {-1: NO_EXTRA}
        for code in map(int, np.unique(self.extra[rows])):
            if code >= 0:
                decoded[code] = _extra(self.extras[code])
        return [decoded[code] for code in map(int, self.extra[rows])]


def read_events(tables: Tables, process: Process | None = None) -> SystemEvents:
    """Read the table.

    Args:
        tables: The profile's tables.
        process: Whose rows are wanted; None for all.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    batch = tables.read(EVENTS_TABLE, _COLUMNS)
    process_index, processes = _processes(batch)
    start_ns, duration_ns = batch.times("start_ts"), batch.times("duration_ns")
    end_ns = batch.times("end_ts")
    has_end = (duration_ns == NO_TIME) & (end_ns != NO_TIME) & (start_ns != NO_TIME)
    duration_ns = np.where(has_end, end_ns - np.where(has_end, start_ns, 0), duration_ns)
    is_bad = ~good_times(start_ns, duration_ns)
    wanted = np.ones(len(batch), np.bool_)
    if process is not None:
        wanted = process_index == processes.index(process) if process in processes else ~wanted
    kept = np.flatnonzero(wanted & ~is_bad)
    name, names = batch.distinct("name")
    source, sources = batch.distinct("trace_event_source")
    flow, flows = batch.distinct("flow_id")
    stream, streams = batch.distinct("framework_stream_id")
    extra, extras = batch.distinct("extra_attributes_json")
    return SystemEvents(
        name=np.where(name < 0, len(names), name).astype(np.int32)[kept],
        names=[*names, "unnamed"],
        start_ns=start_ns[kept],
        duration_ns=duration_ns[kept],
        source=source[kept],
        sources=sources,
        process=process_index[kept],
        processes=processes,
        thread=batch.integers("thread_id")[kept],
        core=batch.integers("nc_idx")[kept],
        physical_core=batch.integers("pcore_idx")[kept],
        flow=(flow[kept] + 1).astype(np.int32),
        flows=[(), *map(flow_ids, flows)],
        stream=stream[kept],
        streams=streams,
        extra=extra[kept],
        extras=extras,
        model=batch.integers("model_id")[kept],
        bad_times=int((wanted & is_bad).sum()),
    )


def processes_of(tables: Tables) -> list[Process]:
    """The processes whose rows are in the table, by machine and number."""
    found: set[Process] = set()
    for batch in tables.batches(EVENTS_TABLE, ("instance_id", "process_id")):
        found.update(_processes(batch)[1])
    return sorted(found, key=lambda process: (process.instance, process.number))


def flow_ids(text: str) -> tuple[str, ...]:
    """The ids of a row's flows: a list of numbers or texts, or a single one."""
    if not text.startswith("["):
        return (text,) if text else ()
    try:
        values: list[Any] = msgspec.json.decode(text, type=list[Any])
    except (msgspec.DecodeError, RecursionError):
        return ()
    return tuple(str(value) for value in values if isinstance(value, (int, str)) and value != "")


def whole(value: Any) -> int | None:
    """A number that may be written as a text; None for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def id_of(value: Any) -> int:
    """An id that may be written as a text; -1 for what is none, or beyond what traces hold."""
    number = whole(value)
    return number if number is not None and 0 <= number < 1 << 62 else -1


def as_int64(number: int) -> int | None:
    """An unsigned 64-bit number by its bits; None beyond."""
    if not -(1 << 63) <= number < 1 << 64:
        return None
    return number if number < 1 << 63 else number - (1 << 64)


def _processes(batch: Batch) -> tuple[npt.NDArray[np.int32], list[Process]]:
    instance, instances = batch.distinct("instance_id")
    number = batch.integers("process_id")
    names = [*instances, ""]  # the last is that of -1
    # A row's machine and number as one number: there are fewer machines than rows.
    numbers, number_code = np.unique(number, return_inverse=True)
    both, index = np.unique(
        number_code * np.int64(len(names)) + instance % len(names), return_inverse=True
    )
    found: Vocabulary[Process] = Vocabulary()
    codes = [
        found.code(Process(names[code % len(names)], int(numbers[code // len(names)])))
        for code in map(int, both)
    ]
    return np.array(codes, np.int32)[index], found.values()


def _extra(text: str) -> Extra:
    try:
        return _decode_extra(text)
    except (msgspec.DecodeError, RecursionError):
        return NO_EXTRA
