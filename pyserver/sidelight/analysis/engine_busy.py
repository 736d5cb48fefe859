"""How long engines, DMA queues and collectives worked for each line, as it was measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import numpy as np

from sidelight.analysis.grouping import Groups
from sidelight.analysis.predictions import LineKey
from sidelight.hardware.work import Engine
from sidelight.profile.manifest import TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

ENGINE_NAMES: Final[Mapping[TrackEngine, str]] = {
    "tensor": Engine.TENSOR.value,
    "vector": Engine.VECTOR.value,
    "scalar": Engine.SCALAR.value,
    "gpsimd": Engine.GPSIMD.value,
    "sync": "Sync",
    "dma": Engine.DMA.value,
    "collective": Engine.COLLECTIVE.value,
}
"""What people call what tracks are of; predictions have those that they know of, too."""


def busy_by_engine(profile: Profile) -> dict[LineKey, dict[str, int]]:
    """Busy nanoseconds of the recorded steps by line and engine.

    A row counts whole, whatever runs beside it; one of several lines in equal parts, of which the
    first are longer where that leaves a rest.

    Args:
        profile: An attributed profile.

    Returns:
        The lines that rows of engines name; nothing where there are no such rows.
    """
    events, origins, frames = profile.events, profile.origins, profile.frames
    event = origins["event"].astype(np.int64)
    is_engine = (events["category"] == Category.ENGINE_WORK) & (events["step"] >= 0)
    frame = profile.stacks["frame"][origins["stack"]]
    named = is_engine[event]
    # Each line of a row once, however many of its contexts the row names.
    event, file, line = Groups(
        [frames["line"][frame[named]], frames["file"][frame[named]], event[named]]
    ).keys[::-1]
    first = np.flatnonzero(np.diff(event, prepend=-1))
    lines = np.diff(first, append=len(event))
    lines_of_row = np.repeat(lines, lines)
    rank = np.arange(len(event)) - np.repeat(first, lines)
    whole_ns, rest_ns = np.divmod(events["duration_ns"][event], np.maximum(lines_of_row, 1))
    numbers = np.array(
        [list(ENGINE_NAMES).index(track.engine) if track.engine else -1 for track in profile.tracks]
    )
    engine = numbers[events["track"][event]] if len(event) else event
    groups = Groups([engine, line, file])
    sums_ns = groups.sum(whole_ns + (rank < rest_ns))
    names = list(ENGINE_NAMES.values())
    found: defaultdict[LineKey, dict[str, int]] = defaultdict(dict)
    for index, (number, line_number, file_number) in enumerate(
        zip(*(key.tolist() for key in groups.keys), strict=True)
    ):
        if number >= 0:
            found[file_number, line_number][names[number]] = int(sums_ns[index])
    return dict(found)
