"""The ``trace_event`` list of a system profile: the rows of framework, runtime and cores.

The list has what Neuron Explorer's table of system events has, under older names. What they do not
say is told so: rows of the groups ``framework-…`` and of type 99999 are the framework's, rows that
have a core of the device (``device_core_idx``) the hardware's, and the rest the runtime's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final

import msgspec
import numpy as np

from sidelight.ingest.executions import EXECUTION
from sidelight.ingest.explorer.execution_part import HARDWARE, RUNTIME
from sidelight.ingest.explorer.framework_part import FRAMEWORK
from sidelight.ingest.explorer.system_events import Process, SystemEvents, flow_ids
from sidelight.ingest.neuron_json.row_windows import RowWindows
from sidelight.ingest.neuron_json.values import (
    LONGEST_TEXT,
    NO_TIME,
    Number,
    RowDecoder,
    numbers_of,
    whole_number,
)
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.trace_events import Int64s
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.tables import Column

_HARDWARE_ROWS: Final = frozenset({EXECUTION, "cc_running"})
_FRAMEWORK_TYPE: Final = 99999
_FRAMEWORK_GROUP: Final = "framework"
_NANOSECONDS: Final = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


class _Owner(msgspec.Struct, gc=False):
    """What tells the process that a row is of."""

    name: str = ""
    instance_id: str = ""
    process_id: Number = -1


class _Event(_Owner, gc=False):
    """A row of the list. ``exec_id`` numbers the executions of a core."""

    timestamp: Number = NO_TIME
    duration: Number = -1
    timestamp_unit: str = "ns"
    group: str = ""
    type: Number = -1
    thread_id: Number = -1
    lnc_idx: Number = -1
    nc_idx: Number = -1
    device_core_idx: Number = -1
    exec_id: Number = -1
    model_id: Any = None
    model_name: Any = None
    flow_id: Any = None
    trace_event_source: str = ""
    framework_stream_id: Any = None
    nrt_sequence_id: Any = None
    cat: Any = None


class Processes:
    """Tells which processes the rows of a list are of, and which of them used a device."""

    def __init__(self) -> None:
        self._decoder = RowDecoder(_Owner, Findings())
        self._found: set[Process] = set()
        self._executing: set[Process] = set()

    def add(self, text: bytes) -> None:
        """Look at some of the rows.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows = self._decoder.rows(text)
        self._found.update(map(process_of, rows))
        self._executing.update(process_of(row) for row in rows if row.name == EXECUTION)

    def apart(self) -> list[Process]:
        """The processes whose rows are recordings of their own, by machine and number.

        None unless several of them used devices: in a container the framework knows its process by
        another number than the runtime, so that of a single one there may be two.
        """
        if len(self._executing) < 2:
            return []
        return sorted(self._found, key=lambda each: (each.instance, each.number))


class SystemRows:
    """Gathers the rows, window by window.

    Args:
        findings: Told what was repaired.
    """

    def __init__(self, findings: Findings) -> None:
        self._decoder = RowDecoder(_Event, findings)
        self._names: Vocabulary[str] = Vocabulary()
        self._sources: Vocabulary[str] = Vocabulary()
        self._processes: Vocabulary[Process] = Vocabulary()
        self._flows: Vocabulary[tuple[str, ...]] = Vocabulary([()])
        self._streams: Vocabulary[str] = Vocabulary()
        self._extras: Vocabulary[str] = Vocabulary()
        self._windows = RowWindows()

    def add(self, text: bytes) -> None:
        """Add some of the rows.

        Raises:
            msgspec.DecodeError: The text is no JSON.
        """
        rows: list[_Event] = self._decoder.rows(text)
        cores = numbers_of(rows, "lnc_idx")
        columns: dict[str, Column] = {
            "name": self._names.codes(
                (row.name[:LONGEST_TEXT] or "unnamed" for row in rows), len(rows)
            ),
            "start_ns": _times(rows, "timestamp", NO_TIME),
            "duration_ns": _times(rows, "duration", -1),
            "source": self._sources.codes(map(_source, rows), len(rows)),
            "process": self._processes.codes(map(process_of, rows), len(rows)),
            "thread": numbers_of(rows, "thread_id"),
            "core": np.where(cores >= 0, cores, numbers_of(rows, "nc_idx")),
            "physical_core": numbers_of(rows, "device_core_idx"),
            "flow": self._flows.codes(map(_flows, rows), len(rows)),
            "stream": _codes(self._streams, [_text(row.framework_stream_id) for row in rows]),
            "extra": _codes(self._extras, [*map(_extra, rows)]),
        }
        self._windows.add(columns)

    def events(self, process: Process | None = None) -> SystemEvents:
        """The rows, in the order of the file.

        Args:
            process: Whose rows are wanted; None for all.
        """
        if not self._windows:
            self.add(b"[]")
        rows = self._windows.joined()
        if process is not None:
            own = rows["process"] == self._processes.code(process)
            rows = {name: column[own] for name, column in rows.items()}
        return SystemEvents(
            **rows,
            names=self._names.values(),
            sources=self._sources.values(),
            processes=self._processes.values(),
            flows=self._flows.values(),
            streams=self._streams.values(),
            extras=self._extras.values(),
            model=np.full(len(rows["start_ns"]), -1),
            bad_times=self._windows.bad_times,
        )


def _times(rows: Sequence[_Event], name: str, absent: int) -> Int64s:
    """Times in whole nanoseconds, whatever unit the rows have them in."""
    if all(row.timestamp_unit == "ns" for row in rows):
        return numbers_of(rows, name, absent)
    read: Callable[[_Event], Any] = attrgetter(name)
    times = (_nanoseconds(read(row), row.timestamp_unit) for row in rows)
    return np.array([absent if time is None else time for time in times], np.int64)


def _nanoseconds(value: Any, unit: str) -> int | None:
    factor = _NANOSECONDS.get(unit.lower())
    if factor is None or value in (NO_TIME, -1):
        return None
    try:
        time = Decimal(str(value)) * factor
        return whole_number(round(time)) if abs(time) < 1 << 63 else None
    except (ArithmeticError, ValueError):
        return None


def _source(row: _Event) -> str:
    if row.trace_event_source:
        return row.trace_event_source
    if row.name in _HARDWARE_ROWS or row.device_core_idx != -1:
        return HARDWARE
    is_framework = row.group.startswith(_FRAMEWORK_GROUP) or row.type == _FRAMEWORK_TYPE
    return FRAMEWORK if is_framework else RUNTIME


def process_of(row: _Owner) -> Process:
    """The process that a row is of; its number is -1 where the row does not tell."""
    number = whole_number(row.process_id)
    return Process(row.instance_id, -1 if number is None else number)


def _flows(row: _Event) -> tuple[str, ...]:
    """The flows of a row. An execution's number counts the logical core's: it is one of them."""
    ids = row.flow_id
    flows = flow_ids(ids if isinstance(ids, str) else msgspec.json.encode(ids).decode())
    if row.flow_id is None:
        flows = ()
    if row.exec_id in (-1, ""):
        return flows
    core = row.lnc_idx if row.lnc_idx != -1 else row.nc_idx
    return (*flows, f"execution {row.exec_id} of core {core}")


def _extra(row: _Event) -> str:
    """What else matters, as JSON; empty where nothing does."""
    model = row.model_name if row.model_id is None else row.model_id
    extra = {"model_id": model, "nrt_sequence_id": row.nrt_sequence_id, "cat": row.cat}
    known = {name: value for name, value in extra.items() if value is not None}
    return msgspec.json.encode(known).decode() if known else ""


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _codes(vocabulary: Vocabulary[str], texts: Sequence[str]) -> Column:
    """The texts' codes, -1 for an empty one."""
    return np.array([vocabulary.code(text) if text else -1 for text in texts], np.int32)
