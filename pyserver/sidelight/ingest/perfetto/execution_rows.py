"""The executions in a trace that Neuron's tools wrote: one row for all cores of a logical one."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.executions import EXECUTION, NONE, Executions, merge_executions
from sidelight.ingest.perfetto.descriptors import Lane
from sidelight.ingest.perfetto.slices import Integers
from sidelight.ingest.perfetto.track_events import Annotations
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.manifest import Track
from sidelight.profile.tables import Category

# What Neuron's system profiles call it, in the order of preference.
_MODEL: Final = ("model_id", "model_name")
_FLOW: Final = ("flow_id", "exec_id")
_PHYSICAL_CORE: Final = ("device_core_idx", "nc_idx")
_LOGICAL_CORE: Final = ("worker_gid", "lnc_idx")


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
    model = [models.code(_told(each, _MODEL)) for each in annotations]
    # Each process numbers its own flows.
    flow = [
        flows.code((lane.pid, told)) if (told := _told(each, _FLOW)) else NONE
        for lane, each in zip(lanes, annotations, strict=True)
    ]
    core = [_number(_told(each, _PHYSICAL_CORE)) for each in annotations]
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
    logical = _told(annotations, _LOGICAL_CORE)
    name = f"NeuronCore {logical}" if logical else lane.name
    return Track("device", name, name, lane.pid)


def _told(annotations: Annotations, keys: tuple[str, ...]) -> str:
    return next((str(annotations[key]) for key in keys if key in annotations), "")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else NONE
