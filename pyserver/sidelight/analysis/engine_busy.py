"""How long engines, DMA queues and collectives worked for each line, as it was measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from sidelight.analysis.grouping import Groups, IntKey, grouped_sums
from sidelight.analysis.nesting import IntColumn
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

ORIGINS_AT_ONCE: Final = 1 << 20
"""Calling contexts of events that are gone through at a time."""


def busy_by_engine(profile: Profile) -> dict[LineKey, dict[str, int]]:
    """Busy nanoseconds of the recorded steps by line and engine.

    A row counts whole, whatever runs beside it; one of several lines in equal parts, of which the
    first are longer where that leaves a rest.

    Args:
        profile: An attributed profile.

    Returns:
        The lines that rows of engines name; nothing where there are no such rows.
    """
    (engine, line, file), (sums_ns,) = grouped_sums(
        _busy_parts(profile, first, stop) for first, stop in _slices(profile.origins["event"])
    )
    names = list(ENGINE_NAMES.values())
    found: defaultdict[LineKey, dict[str, int]] = defaultdict(dict)
    for number, line_number, file_number, busy_ns in zip(
        *(column.tolist() for column in (engine, line, file, sums_ns)), strict=True
    ):
        if number >= 0:
            found[file_number, line_number][names[number]] = busy_ns
    return dict(found)


def _busy_parts(profile: Profile, first: int, stop: int) -> tuple[list[IntKey], list[IntColumn]]:
    """Engine, line and file of what some origins' events give lines, and how long it is."""
    events, frames = profile.events, profile.frames
    event = profile.origins["event"][first:stop].astype(np.int64)
    is_engine = (events["category"][event] == Category.ENGINE_WORK) & (events["step"][event] >= 0)
    frame = profile.stacks["frame"][profile.origins["stack"][first:stop]][is_engine]
    # Each line of a row once, however many of its contexts the row names.
    event, file, line = Groups(
        [frames["line"][frame], frames["file"][frame], event[is_engine]]
    ).keys[::-1]
    first_of_row = np.flatnonzero(np.diff(event, prepend=-1))
    lines = np.diff(first_of_row, append=len(event))
    lines_of_row = np.repeat(lines, lines)
    rank = np.arange(len(event)) - np.repeat(first_of_row, lines)
    whole_ns, rest_ns = np.divmod(events["duration_ns"][event], np.maximum(lines_of_row, 1))
    numbers = np.array(
        [list(ENGINE_NAMES).index(track.engine) if track.engine else -1 for track in profile.tracks]
    )
    engine = numbers[events["track"][event]] if len(event) else event
    return [engine, line, file], [whole_ns + (rank < rest_ns)]


def _slices(event: IntColumn) -> Iterator[tuple[int, int]]:
    """Parts of an ascending column, each with all that is of the same event; at least one."""
    first = 0
    while True:
        stop = min(first + ORIGINS_AT_ONCE, len(event))
        if stop:
            stop = int(np.searchsorted(event, int(event[stop - 1]), side="right"))
        yield first, stop
        if stop == len(event):
            return
        first = stop
