"""What torch.profiler writes of memory where it is asked to (``profile_memory=True``).

Each allocation and each release is an instant named ``[memory]``, whose arguments hold what the
allocator of its device has given out, and what it has taken from the device, from then on. The
allocator of the CPU keeps no such sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from sidelight.ingest.trace_events import Event, Int64s, integers
from sidelight.profile.manifest import Series
from sidelight.profile.model import Profile
from sidelight.profile.tables import SAMPLE_COLUMNS, Column, Table

MEMORY_NAME: Final = "[memory]"

MEMORY_COLUMNS: Final[Mapping[str, type]] = {
    "at_ns": np.int64,  # since 1970
    "device_type": np.int64,  # torch's number of a kind of device, -1 = unknown
    "device": np.int64,  # which one of the kind, -1 = unknown
    "allocated_bytes": np.int64,  # -1 = unknown
    "reserved_bytes": np.int64,
}

_CPU: Final = 0
_MOST_DEVICES: Final = 64
_LARGEST_BYTES: Final = 1 << 50

_QUANTITIES: Final = {
    "allocated_bytes": "Device memory, allocated",
    "reserved_bytes": "Device memory, reserved",
}


def memory_instants(
    events: Sequence[Event], chosen: Sequence[int], starts_ns: Int64s
) -> dict[str, Column]:
    """What a window's instants say of memory, as ``MEMORY_COLUMNS``.

    Args:
        events: The window's events.
        chosen: Which of them are such instants.
        starts_ns: When each event is.
    """
    arguments = [events[index].args for index in chosen]
    numbers = {
        "device_type": [each.device_type for each in arguments],
        "device": [each.device_id for each in arguments],
        "allocated_bytes": [each.total_allocated for each in arguments],
        "reserved_bytes": [each.total_reserved for each in arguments],
    }
    columns: dict[str, Column] = {
        name: integers(values.copy, len(values))[0] for name, values in numbers.items()
    }
    return {"at_ns": starts_ns[list(chosen)], **columns}


def add_memory(profile: Profile, instants: Table) -> None:
    """Add memory in use over time to a profile, a series a device and quantity.

    Args:
        profile: Its zero is known.
        instants: Columns as in ``MEMORY_COLUMNS``.
    """
    kept = instants["device_type"] != _CPU
    devices = np.unique(instants["device"][kept])[:_MOST_DEVICES].tolist()
    series = list(profile.manifest.series)
    parts: list[dict[str, Column]] = []
    for device in devices:
        owner = f"device {device}" if device >= 0 else "a device"
        for column, name in _QUANTITIES.items():
            value = instants[column]
            can_be = (value >= 0) & (value < _LARGEST_BYTES)
            rows = np.flatnonzero(kept & (instants["device"] == device) & can_be)
            if not len(rows):
                continue
            rows = rows[np.argsort(instants["at_ns"][rows], kind="stable")]
            parts.append(
                {
                    "series": np.full(len(rows), len(series)),
                    "at_ns": instants["at_ns"][rows] - profile.manifest.start_unix_ns,
                    "value": value[rows],
                }
            )
            series.append(Series(name, "bytes", owner))
    if parts:
        profile.manifest.series = series
        joined = {name: np.concatenate([part[name] for part in parts]) for name in SAMPLE_COLUMNS}
        profile.samples = Table.of(SAMPLE_COLUMNS, joined)
