"""The tracks of a trace: processes with their threads, devices with their streams, quantities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sidelight.export.counters import counter_name
from sidelight.export.lanes import Lanes
from sidelight.export.perfetto.packets import (
    counter_packet,
    process_packet,
    thread_packet,
    track_packet,
)
from sidelight.export.processes import Processes
from sidelight.profile.model import Profile

_LONGEST_ID = 1 << 31


@dataclass
class Tracks:
    """The numbers by which packets name tracks.

    Attributes:
        steps: That of the recorded steps.
        of_lane: Those of the lanes, by lane.
        of_series: Those of the quantities, by series.
        packets: The packets that describe them.
    """

    steps: int = 1
    of_lane: list[int] = field(default_factory=list[int])
    of_series: list[int] = field(default_factory=list[int])
    packets: list[bytes] = field(default_factory=list[bytes])


def tracks_of(profile: Profile, lanes: Lanes) -> Tracks:
    """Describe all tracks of a profile."""
    tracks = Tracks()
    tracks.packets.append(track_packet(tracks.steps, "Recorded steps"))
    uuids = iter(range(tracks.steps + 1, _LONGEST_ID))
    processes = Processes(profile)
    of_process = _add_processes(profile, processes, tracks, uuids)
    names = lanes.names(profile)
    for lane, (track, name) in enumerate(zip(lanes.track, names, strict=True)):
        uuid, process = next(uuids), processes.of_track[track]
        is_first = lane == 0 or lanes.track[lane - 1] != track
        if profile.tracks[track].kind == "host" and is_first:
            packet = thread_packet(uuid, of_process[process], process, lane + 1, name)
        else:
            packet = track_packet(uuid, name, of_process[process])
        tracks.packets.append(packet)
        tracks.of_lane.append(uuid)
    for series in profile.manifest.series:
        uuid = next(uuids)
        unit = "bytes/s" if series.unit == "bytes_per_s" else series.unit
        tracks.packets.append(counter_packet(uuid, counter_name(series), unit, tracks.steps))
        tracks.of_series.append(uuid)
    return tracks


def _add_processes(
    profile: Profile, processes: Processes, tracks: Tracks, uuids: Iterator[int]
) -> dict[int, int]:
    """The numbers of the tracks of processes and devices, by their numbers among those."""
    kinds = {
        number: track.kind for number, track in zip(processes.of_track, profile.tracks, strict=True)
    }
    of_process: dict[int, int] = {}
    for number, name in enumerate(processes.names, 1):
        uuid = of_process[number] = next(uuids)
        is_host = kinds[number] == "host"
        packet = process_packet(uuid, number, name) if is_host else track_packet(uuid, name)
        tracks.packets.append(packet)
    return of_process
