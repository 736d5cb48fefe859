"""Makes samples over time of a trace's counters."""

from __future__ import annotations

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.perfetto.descriptors import UNIT_BYTES, Lane
from sidelight.ingest.perfetto.slices import Integers
from sidelight.ingest.perfetto.track_events import TIME_LIMIT_NS, TrackEvents
from sidelight.profile.manifest import Series


def add_counters(
    builder: ProfileBuilder, events: TrackEvents, lanes: list[Lane], offset_ns: Integers
) -> int:
    """Add counters to a profile.

    Args:
        builder: What they are added to.
        events: What was read.
        lanes: The tracks, by code.
        offset_ns: What to add to the reading of each clock, by its code.

    Returns:
        How many values are left out, because they or their times are none.
    """
    uuids = events.tracks.values()
    left_out = 0
    for track, values in events.values.items():
        lane, counter = lanes[track], events.descriptors.counter(uuids[track])
        at_ns = np.array(values.at_ns, np.int64) + offset_ns[np.array(values.clock, np.int64)]
        value = np.array(values.value, np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            if counter.is_incremental:
                value = np.cumsum(value)
            value = value * counter.multiplier
        sound = np.isfinite(value) & (np.abs(at_ns) < TIME_LIMIT_NS)
        left_out += int(np.count_nonzero(~sound))
        if sound.any():
            unit = "bytes" if counter.unit == UNIT_BYTES else ""
            series = Series(lane.name, unit, lane.owner or lane.pid)
            builder.add_samples(series, at_ns[sound], value[sound])
    return left_out
