"""Makes rows of a profile of a trace's slices, by what their categories say they are."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.categories import meaning_of
from sidelight.ingest.perfetto.annotations import ID_NAMES
from sidelight.ingest.perfetto.descriptors import Lane
from sidelight.ingest.perfetto.slices import Integers, Slices
from sidelight.ingest.perfetto.track_events import TrackEvents
from sidelight.ingest.steps import tell_steps
from sidelight.ingest.stream_waits import tell_waits
from sidelight.ingest.user_code import function_place, is_user_code
from sidelight.profile.manifest import Track
from sidelight.profile.tables import Category

Codes = npt.NDArray[np.int32]

_ID_COLUMNS: Final = dict(
    zip(ID_NAMES, ("external_id", "correlation_id", "sequence_nr"), strict=True)
)


def add_slices(
    builder: ProfileBuilder, events: TrackEvents, slices: Slices, rows: Integers, lanes: list[Lane]
) -> tuple[npt.NDArray[np.int8], bool]:
    """Add slices to a profile.

    Args:
        builder: What they are added to.
        events: What was read.
        slices: All slices.
        rows: Which of them to add.
        lanes: The tracks, by code.

    Returns:
        The categories of the rows that were added, and whether any of them tells a place in the
        user's code.
    """
    event = slices.event[rows]
    meanings = [meaning_of(text) for text in events.categories.values()]
    code = np.array(events.category, np.int64)[event]
    category = np.array([meaning.category for meaning in meanings], np.int8)[code]
    on_device = np.array([meaning.on_device for meaning in meanings], np.bool_)[code]
    name = np.array(events.name, np.int32)[event]
    category = tell_steps(category, on_device, name, events.names)
    category = tell_waits(category, code, name, events.categories, events.names)
    strings = [builder.strings.code(text) for text in events.names.values()]
    frame = _frames(builder, events.names.values(), name, category == Category.FUNCTION)
    builder.add_rows(
        {
            "track": _tracks(builder, lanes, np.array(events.track, np.int64)[event], on_device),
            "category": category,
            "name": np.array(strings, np.int32)[name],
            "start_ns": slices.start_ns[rows],
            "duration_ns": slices.duration_ns[rows],
            "frame": frame,
            "entry": (frame >= 0).astype(np.int8),
            **_ids(events, event),
        }
    )
    return category, bool((frame >= 0).any())


def _tracks(
    builder: ProfileBuilder, lanes: list[Lane], track: Integers, on_device: npt.NDArray[np.bool_]
) -> Codes:
    """The rows' tracks: one that has rows of a device and of the host becomes two."""
    kinds, kind = np.unique(track * 2 + on_device, return_inverse=True)
    codes: list[int] = []
    for each in map(int, kinds):
        lane = lanes[each // 2]
        shown = f"{lane.owner}: {lane.name}" if lane.owner else lane.name
        place = "device" if each % 2 else "host"
        codes.append(builder.tracks.code(Track(place, shown, lane.pid, lane.tid)))
    return np.array(codes, np.int32)[kind]


def _frames(
    builder: ProfileBuilder, texts: list[str], name: Codes, is_function: npt.NDArray[np.bool_]
) -> Codes:
    """The places of functions, which their names tell."""
    frame_of = np.full(len(texts), -1, np.int32)
    for code in map(int, np.unique(name[is_function])):
        place = function_place(texts[code])
        if place is not None and is_user_code(place.path):
            frame_of[code] = builder.frame(place.path, place.line, place.function)
    return np.where(is_function, frame_of[name], -1)


def _ids(events: TrackEvents, event: Integers) -> dict[str, Integers]:
    """The rows' ids, by column."""
    columns: dict[str, Integers] = {}
    with_id = np.array(events.id_event, np.int64)
    which = np.array(events.id_name, np.int8)
    value = np.array(events.id_value, np.int64)
    for number, name in enumerate(ID_NAMES):
        of_event = np.full(len(events.kind), -1, np.int64)
        of_event[with_id[which == number]] = value[which == number]
        columns[_ID_COLUMNS[name]] = of_event[event]
    return columns
