"""The executions in a trace that Neuron's tools wrote: one row for all cores of a logical one."""

from __future__ import annotations

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.executions import EXECUTION, NONE, Executions, merge_executions
from sidelight.ingest.perfetto.annotations import (
    FLOW,
    LOGICAL_CORE,
    MODEL,
    PHYSICAL_CORE,
    Annotations,
    told,
)
from sidelight.ingest.perfetto.descriptors import Lane
from sidelight.ingest.perfetto.slices import Integers
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.manifest import Track
from sidelight.profile.tables import Category


def add_executions(
    builder: ProfileBuilder,
    start_ns: Integers,
    duration_ns: Integers,
    lanes: list[Lane],
    annotations: list[Annotations],
) -> Executions:
    """Add executions to a profile, merged over the physical cores of a logical one.

    Args:
        builder: What they are added to.
        start_ns: When each row starts.
        duration_ns: How long it takes.
        lanes: The track of each row.
        annotations: What each row is annotated with.
    """
    models: Vocabulary[str] = Vocabulary()
    flows: Vocabulary[tuple[str, str]] = Vocabulary()
    model = [models.code(told(each, MODEL)) for each in annotations]
    # Each process numbers its own flows.
    flow = [
        flows.code((lane.pid, number)) if (number := told(each, FLOW)) else NONE
        for lane, each in zip(lanes, annotations, strict=True)
    ]
    core = [_number(told(each, PHYSICAL_CORE)) for each in annotations]
    merged = merge_executions(
        np.array(model, np.int64),
        np.array(flow, np.int64),
        np.array(core, np.int64),
        start_ns,
        start_ns + duration_ns,
    )
    tracks = [
        builder.tracks.code(_track(lanes[row], annotations[row]))
        for row in map(int, merged.first_row)
    ]
    builder.add_rows(
        {
            "track": tracks,
            "category": np.full(len(merged), Category.DEVICE, np.int8),
            "name": np.full(len(merged), builder.strings.code(EXECUTION), np.int32),
            "start_ns": merged.start_ns,
            "duration_ns": merged.end_ns - merged.start_ns,
        }
    )
    return merged


def _track(lane: Lane, annotations: Annotations) -> Track:
    logical = told(annotations, LOGICAL_CORE)
    name = f"NeuronCore {logical}" if logical else lane.name
    return Track("device", name, name, lane.pid)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else NONE
