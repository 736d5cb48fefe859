"""The executions of a system profile: merged over physical cores, and tied to their operators."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.executions import (
    EXECUTION,
    EXECUTIONS_LANE,
    Executions,
    merge_executions,
)
from sidelight.ingest.explorer.columns import LONGEST_TEXT_BYTES, Integers
from sidelight.ingest.explorer.framework_part import FrameworkPart
from sidelight.ingest.explorer.launches import NONE, RuntimeCalls, submissions
from sidelight.ingest.explorer.system_events import SystemEvents, id_of
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.manifest import Track
from sidelight.profile.tables import Category

HARDWARE: Final = "neuron_hw"
RUNTIME: Final = "neuron_rt"


class ExecutionPart:
    """The executions.

    Args:
        events: All rows.
        framework: The framework's among them.

    Attributes:
        rows: Those of the rows that executions were made of.
        merged: The executions.
        unlaunched: How many no operator could be found for.
    """

    def __init__(self, events: SystemEvents, framework: FrameworkPart) -> None:
        names_execution = np.array([name == EXECUTION for name in events.names], np.bool_)
        hardware = events.rows_from(HARDWARE)
        self.rows = hardware[names_execution[events.name[hardware]]]
        self._events = events
        self.merged = self._merge()
        self._launch(framework)

    def add_to(self, builder: ProfileBuilder) -> None:
        """Add the executions, each on the lane of its logical core."""
        merged = self.merged
        if not len(merged):
            return
        core = np.full(len(merged), np.iinfo(np.int64).max)
        np.minimum.at(core, merged.of_row, self._events.core[self.rows])
        builder.add_rows(
            {
                "track": [
                    builder.tracks.code(Track("device", name, name, EXECUTIONS_LANE))
                    for name in map(core_name, map(int, core))
                ],
                "category": np.full(len(merged), Category.DEVICE, np.int8),
                "name": np.full(len(merged), builder.strings.code(EXECUTION), np.int32),
                "start_ns": merged.start_ns,
                "duration_ns": merged.end_ns - merged.start_ns,
                "external_id": self._external_id,
                "correlation_id": self._sequence_id,
            },
            work={"program": [*map(builder.text, self._programs)]},
        )

    def _merge(self) -> Executions:
        events, rows = self._events, self.rows
        extra = events.extra_of(rows)
        models: Vocabulary[str] = Vocabulary()
        names = [
            str(column) if column != NONE else _name_of(each.model_id)
            for column, each in zip(map(int, events.model[rows]), extra, strict=True)
        ]
        model = [*map(models.code, names)]
        physical_core = [
            column if column != NONE else id_of(each.device_core_idx)
            for column, each in zip(map(int, events.physical_core[rows]), extra, strict=True)
        ]
        # A process numbers its own flows.
        flow = events.flow[rows].astype(np.int64) * len(events.processes) + events.process[rows]
        merged = merge_executions(
            np.array(model, np.int64),
            np.where(events.flow[rows] > 0, flow, NONE),
            np.array(physical_core, np.int64),
            events.start_ns[rows],
            events.start_ns[rows] + events.duration_ns[rows],
        )
        self._programs = [names[row] for row in map(int, merged.first_row)]
        return merged

    def _launch(self, framework: FrameworkPart) -> None:
        events = self._events
        calls = events.rows_from(RUNTIME)
        calls = calls[events.flow[calls] > 0]
        submitted = submissions(
            events.flows_of(self.rows[self.merged.first_row]),
            self.merged.start_ns,
            RuntimeCalls(events.start_ns[calls], events.flows_of(calls)),
            framework.work_flows,
            framework.operator_flows,
        )
        self._sequence_id = submitted.sequence_id
        self._external_id: list[int] = []
        for work, operator in zip(submitted.dispatched, submitted.operator, strict=True):
            of_work = framework.launch_id_of_work(work)
            own = of_work if of_work != NONE else framework.launch_id(operator)
            self._external_id.append(own)
        self.unlaunched = self._external_id.count(NONE)


def other_hardware_rows(events: SystemEvents, executions: ExecutionPart) -> Integers:
    """The rows of the hardware that are no executions."""
    return np.setdiff1d(events.rows_from(HARDWARE), executions.rows)


def _name_of(model: Any) -> str:
    """A model's id or name; empty where it is not known."""
    return "" if model is None else str(model)[:LONGEST_TEXT_BYTES]


def core_name(number: int) -> str:
    """What people call a logical core; -1 is one without a number."""
    return f"NeuronCore {number}" if number >= 0 else "NeuronCore"
