"""A Perfetto trace (``.pftrace``), for ui.perfetto.dev and Perfetto's own tools."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import IO

import numpy as np

from sidelight.export.arrows import arrows_of
from sidelight.export.counters import exported_samples
from sidelight.export.lanes import lanes_of
from sidelight.export.not_carried import not_in_perfetto_trace
from sidelight.export.perfetto.packets import (
    begin_packet,
    clocks_packet,
    end_packet,
    ending,
    named_beginning,
    value_packet,
)
from sidelight.export.perfetto.slices import SlicePackets
from sidelight.export.perfetto.tracks import Tracks, tracks_of
from sidelight.export.source import Progress, Source, Written, pieces


def write_perfetto_trace(file: IO[bytes], source: Source, progress: Progress) -> Written:
    """Write a profile as a Perfetto trace.

    Args:
        file: Where to.
        source: What.
        progress: Told the part done.

    Raises:
        OSError: It cannot be written.
    """
    profile = source.profile
    lanes = lanes_of(profile)
    tracks = tracks_of(profile, lanes)
    slices = SlicePackets(source, lanes, tracks.of_lane, arrows_of(source))
    rows = np.flatnonzero(source.in_time)
    file.write(clocks_packet(profile.manifest.start_unix_ns))
    file.write(b"".join(tracks.packets))
    for part in slices.all(rows, progress):
        file.write(part)
    for part in chain(_steps(source, tracks), _values(source, tracks)):
        file.write(part)
    return Written(len(rows), not_in_perfetto_trace())


def _steps(source: Source, tracks: Tracks) -> Iterator[bytes]:
    for number, start_ns, end_ns in source.steps():
        yield begin_packet(start_ns, named_beginning(tracks.steps, f"step {number}"))
        yield end_packet(end_ns, ending(tracks.steps))


def _values(source: Source, tracks: Tracks) -> Iterator[bytes]:
    samples = source.profile.samples
    for some in pieces(exported_samples(source), lambda part: None):
        series: list[int] = samples["series"][some].tolist()
        at_ns: list[int] = samples["at_ns"][some].tolist()
        of_series = [tracks.of_series[each] for each in series]
        yield b"".join(map(value_packet, at_ns, of_series, samples["value"][some].tolist()))
