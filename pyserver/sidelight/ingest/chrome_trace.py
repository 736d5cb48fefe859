"""Reads Chrome traces, one or several of one run, into columns in the order of the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.bounds import LONGEST_LABEL, check_tracks, shortened
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.categories import meaning_of
from sidelight.ingest.event_kinds import (
    COMPLETE,
    END,
    FLOW_FINISH,
    FLOW_START,
    INSTANT,
    METADATA,
    NO_PHASE,
    PHASES,
    EventKinds,
)
from sidelight.ingest.json_windows import NoArrayError
from sidelight.ingest.memory_rows import MEMORY_COLUMNS, MEMORY_NAME, memory_instants
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.settling import settle
from sidelight.ingest.time_faults import TimeFaults
from sidelight.ingest.time_policy import good_times
from sidelight.ingest.trace_columns import FLOW_COLUMNS, ROW_COLUMNS, joined
from sidelight.ingest.trace_documents import EVENTS_KEY, TraceDocuments
from sidelight.ingest.trace_events import (
    MISSING_NS,
    Arguments,
    Event,
    Id,
    Int64s,
    integers,
    signature_texts,
)
from sidelight.ingest.trace_header import Header
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.tables import Column, Table

AUTOGRAD_FLOW: Final = "fwdbwd"
SUPPORTED: Final = (
    "Open a torch.profiler trace (.json, .json.gz), a profile of Neuron's tools (JSON, Parquet, "
    ".ntff beside its .neff, .pftrace), a benchmark's report, or a directory that Sidelight "
    "recorded."
)

ID_LIMIT: Final = 1 << 62
"""From here on ids are left out, so that those of several traces can be kept apart in 64 bits."""


@dataclass
class ChromeTraces:
    """What the traces of one run hold. Codes are shared by all of them.

    Attributes:
        names: Names of rows.
        categories: The ``cat`` of rows.
        lanes: (pid, tid) of rows.
        signatures: What ``signature_texts`` gives for operators; code 0 is none.
        lane_names: What the traces call a lane.
        process_names: What they call a process.
        process_labels: What they call the device that rows of a process ran on.
        headers: What each trace says about itself.
        extents_ns: First start and last end of each trace that has rows, since 1970.
        times: What was wrong with the rows' times.
        bad_ids: Ids that are no numbers, or too large ones, read as none.
        findings: What was repaired, and what else was left out.
    """

    names: Vocabulary[str] = field(default_factory=Vocabulary[str])
    categories: Vocabulary[str] = field(default_factory=Vocabulary[str])
    lanes: Vocabulary[tuple[Id, Id]] = field(default_factory=Vocabulary[tuple[Id, Id]])
    signatures: Vocabulary[bytes] = field(default_factory=lambda: Vocabulary([b""]))
    lane_names: dict[tuple[Id, Id], str] = field(default_factory=dict[tuple[Id, Id], str])
    process_names: dict[Id, str] = field(default_factory=dict[Id, str])
    process_labels: dict[Id, str] = field(default_factory=dict[Id, str])
    headers: list[Header] = field(default_factory=list[Header])
    extents_ns: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    times: TimeFaults = field(default_factory=TimeFaults)
    bad_ids: int = 0
    findings: Findings = field(default_factory=Findings)
    _kinds: EventKinds = field(init=False)
    _windows: list[dict[str, Column]] = field(default_factory=list[dict[str, Column]])
    _flows: list[dict[str, Column]] = field(default_factory=list[dict[str, Column]])
    _memory: list[dict[str, Column]] = field(default_factory=list[dict[str, Column]])
    _next_id: int = 0

    def __post_init__(self) -> None:
        self._kinds = EventKinds(self.names, self.lanes, self.categories, self.findings)

    def add(self, path: Path, progress: Progress | None = None) -> None:
        """Add the rows of a trace.

        Args:
            path: A trace, plain or gzipped.
            progress: Told how much of it has been read.

        Raises:
            UnreadableInputError: The file is missing, or no trace.
        """
        first = len(self.headers)
        windows: dict[int, list[dict[str, Column]]] = {}
        flows: dict[int, list[dict[str, Column]]] = {}
        memory: dict[int, list[dict[str, Column]]] = {}
        with open_bytes(path, progress, self.findings) as source:
            try:
                documents = TraceDocuments(source, self.findings)
            except NoArrayError as error:
                raise UnreadableInputError(
                    "unknown_format", f'{path} has no "{EVENTS_KEY}" list. {SUPPORTED}'
                ) from error
            for number, (events, starts_ns, durations_ns) in documents.windows():
                shared = self._kinds.columns(events)
                check_tracks(len(self.lanes), str(path))
                phase = shared["phase"]
                self._tell_phase(phase, starts_ns, durations_ns)
                rows = self._rows(events, shared, starts_ns, durations_ns)
                windows.setdefault(number, []).append(rows)
                ends = self._flow_ends(events, shared, starts_ns, first + number)
                flows.setdefault(number, []).append(ends)
                instants = self._memory_instants(events, shared, starts_ns)
                memory.setdefault(number, []).append(instants)
                for index in map(int, np.flatnonzero(phase == METADATA)):
                    self._note_names(events[index])
        for number, header in enumerate(documents.headers):
            parts = (each.get(number, []) for each in (windows, flows, memory))
            self._add_trace(header, *parts)

    def _add_trace(
        self,
        header: Header,
        windows: list[dict[str, Column]],
        flows: list[dict[str, Column]],
        memory: list[dict[str, Column]],
    ) -> None:
        is_device = np.array(
            [meaning_of(text).on_device for text in self.categories.values()], np.bool_
        )
        instants = [*flows, *memory]
        settle(windows, instants, lambda part: is_device[part["category"]], self.times)
        # What the times count from may be written after the events, so it is added at the end.
        for window in windows:
            window["start_ns"] += header.base_ns
        for part in instants:
            part["at_ns"] += header.base_ns
        self._keep_ids_apart(windows)
        starts_ns = [int(window["start_ns"].min()) for window in windows if len(window["lane"])]
        ends_ns = [
            int((window["start_ns"] + window["duration_ns"]).max())
            for window in windows
            if len(window["lane"])
        ]
        if starts_ns:
            self.extents_ns.append((min(starts_ns), max(ends_ns)))
        self.headers.append(header)
        self._windows.extend(windows)
        self._flows.extend(flows)
        self._memory.extend(memory)

    def take_rows(self) -> Table:
        """All rows in the order of the files, columns as in ``ROW_COLUMNS``.

        They are handed over: a second call finds none.
        """
        windows, self._windows = self._windows, []
        return joined(ROW_COLUMNS, windows)

    def take_flows(self) -> Table:
        """The ends of autograd's arrows, columns as in ``FLOW_COLUMNS``; handed over likewise."""
        flows, self._flows = self._flows, []
        return joined(FLOW_COLUMNS, flows)

    def take_memory(self) -> Table:
        """What was said of memory, columns as in ``MEMORY_COLUMNS``; handed over likewise."""
        memory, self._memory = self._memory, []
        return joined(MEMORY_COLUMNS, memory)

    def _tell_phase(
        self, phase: npt.NDArray[np.int32], starts_ns: Int64s, durations_ns: Int64s
    ) -> None:
        """Take what has no phase and takes time for complete, in place."""
        without = phase == NO_PHASE
        is_complete = without & (durations_ns >= 0) & (starts_ns != MISSING_NS)
        is_none = (without & ~is_complete) | (phase >= len(PHASES))
        self.findings.add(Finding.PHASE, int(is_complete.sum()))
        self.findings.add(Finding.NO_EVENTS, int(is_none.sum()))
        phase[is_complete] = COMPLETE

    def _rows(
        self,
        events: Sequence[Event],
        shared: Mapping[str, npt.NDArray[np.int32]],
        starts_ns: Int64s,
        durations_ns: Int64s,
    ) -> dict[str, Column]:
        """The rows among a window's events, as ``ROW_COLUMNS``."""
        phase = shared["phase"]
        arguments = list(map(attrgetter("args"), events))
        external_id = self._ids("external_id", arguments)
        if (external_id == -1).all():
            external_id = self._ids("old_external_id", arguments)
        columns: dict[str, Column] = {
            **shared,
            "start_ns": starts_ns,
            "duration_ns": np.where(phase == COMPLETE, durations_ns, 0),
            "external_id": external_id,
            "correlation_id": self._ids("correlation", arguments),
            "sequence_nr": self._ids("sequence_nr", arguments),
            "forward_thread": self._ids("forward_thread", arguments),
            "signature": self._signature_codes(arguments),
        }
        is_row = phase <= END
        has_time = good_times(starts_ns, columns["duration_ns"])
        is_bad = is_row & (~has_time | (starts_ns == MISSING_NS))
        self.times.left_out += int(is_bad.sum())
        kept = np.flatnonzero(is_row & ~is_bad)
        return {
            name: columns[name][kept].astype(dtype, copy=False)
            for name, dtype in ROW_COLUMNS.items()
        }

    def _flow_ends(
        self,
        events: Sequence[Event],
        shared: Mapping[str, npt.NDArray[np.int32]],
        starts_ns: Int64s,
        trace: int,
    ) -> dict[str, Column]:
        """The ends of autograd's arrows among a window's events, as ``FLOW_COLUMNS``."""
        leaves = shared["phase"] == FLOW_START
        is_end = leaves | (shared["phase"] == FLOW_FINISH)
        ends = np.flatnonzero(is_end & (shared["category"] == self.categories.code(AUTOGRAD_FLOW)))
        arrows = [events[index].id for index in map(int, ends)]
        arrow, bad = integers(lambda: arrows, len(arrows))
        self.bad_ids += bad
        return {
            "arrow": arrow + (trace << 48),  # each trace numbers its own
            "leaves": leaves[ends],
            "lane": shared["lane"][ends],
            "at_ns": starts_ns[ends],
        }

    def _memory_instants(
        self,
        events: Sequence[Event],
        shared: Mapping[str, npt.NDArray[np.int32]],
        starts_ns: Int64s,
    ) -> dict[str, Column]:
        """What a window's events say of memory, as ``MEMORY_COLUMNS``."""
        has_time = good_times(starts_ns, np.zeros_like(starts_ns)) & (starts_ns != MISSING_NS)
        instants: list[int] = np.flatnonzero((shared["phase"] == INSTANT) & has_time).tolist()
        chosen = [index for index in instants if events[index].name == MEMORY_NAME]
        return memory_instants(events, chosen, starts_ns)

    def _signature_codes(self, arguments: Sequence[Arguments]) -> npt.NDArray[np.int32]:
        texts = signature_texts(arguments)
        signature = np.zeros(len(arguments), np.int32)
        rows = np.fromiter(texts, np.int64, len(texts))
        signature[rows] = self.signatures.codes(texts.values(), len(texts))
        return signature

    def _ids(self, field_name: str, arguments: Sequence[Arguments]) -> Int64s:
        getter = attrgetter(field_name)
        ids, bad = integers(lambda: map(getter, arguments), len(arguments))
        self.bad_ids += bad
        return ids

    def _note_names(self, event: Event) -> None:
        """Take the names that a metadata event gives to a process or a thread."""
        name, labels = event.args.name, event.args.labels
        if event.name == "thread_name" and isinstance(name, str):
            self.lane_names[event.pid, event.tid] = shortened(name.strip(), LONGEST_LABEL)
        elif event.name == "process_name" and isinstance(name, str):
            self.process_names[event.pid] = shortened(name.strip(), LONGEST_LABEL)
        elif event.name == "process_labels" and isinstance(labels, str):
            self.process_labels[event.pid] = shortened(labels.strip(), LONGEST_LABEL)

    def _keep_ids_apart(self, windows: Sequence[Mapping[str, Column]]) -> None:
        """Move a trace's ids behind those of the traces before it: each counts from one."""
        offset = self._next_id
        for name in ("external_id", "correlation_id"):
            for window in windows:
                ids = window[name]
                too_large = ids >= ID_LIMIT
                self.bad_ids += int(too_large.sum())
                ids[too_large] = -1
                ids[ids >= 0] += offset
                self._next_id = max(self._next_id, int(ids.max(initial=-1)) + 1)
        self._next_id = min(self._next_id, ID_LIMIT)
