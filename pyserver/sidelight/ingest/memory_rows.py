"""What torch.profiler writes of memory where it is asked to (``profile_memory=True``).

Each allocation and each release is an instant named ``[memory]``, whose arguments hold what the
allocator of its device has given out, and what it has taken from the device, from then on. The
allocator of the CPU keeps no such sums. How much memory a device has, torch writes into the trace's
``deviceProperties`` (``totalGlobalMem``), of CUDA's and ROCm's devices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import msgspec
import numpy as np

from sidelight.ingest.trace_events import Event, Int64s, integers
from sidelight.ingest.trace_header import Header
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
_WITH_PROPERTIES: Final = (1, 6)
"""torch's numbers of CUDA and HIP."""
_MOST_DEVICES: Final = 64
_LARGEST_BYTES: Final = 1 << 50

_QUANTITIES: Final = {
    "allocated_bytes": "Device memory, allocated",
    "reserved_bytes": "Device memory, reserved",
}


class _Device(msgspec.Struct):
    number: int = msgspec.field(name="id")
    total_bytes: int = msgspec.field(name="totalGlobalMem")


def device_capacities(headers: Sequence[Header]) -> dict[int, int]:
    """How much memory each device has, in bytes by its number.

    Args:
        headers: What a recording's traces say about themselves. Devices of which they disagree, or
            say what cannot be, are left out.
    """
    found: dict[int, set[int]] = {}
    for header in headers:
        properties = header.deviceProperties
        for entry in cast("list[Any]", properties) if isinstance(properties, list) else []:
            try:
                device = msgspec.convert(entry, _Device)
            except msgspec.ValidationError:
                continue
            found.setdefault(device.number, set()).add(device.total_bytes)
    return {
        number: next(iter(sizes))
        for number, sizes in found.items()
        if len(sizes) == 1 and all(0 < size < _LARGEST_BYTES for size in sizes)
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


def add_memory(profile: Profile, instants: Table, capacities: Mapping[int, int]) -> None:
    """Add memory in use over time to a profile, a series a device and quantity.

    Args:
        profile: Its zero is known.
        instants: Columns as in ``MEMORY_COLUMNS``.
        capacities: How much memory each device has, in bytes by its number, as far as is known.
    """
    kept = instants["device_type"] != _CPU
    devices = np.unique(instants["device"][kept])[:_MOST_DEVICES].tolist()
    series = list(profile.manifest.series)
    parts: list[dict[str, Column]] = []
    for device in devices:
        owner = f"device {device}" if device >= 0 else "a device"
        kinds = instants["device_type"][kept & (instants["device"] == device)]
        has_properties = bool(np.isin(kinds, _WITH_PROPERTIES).all())
        capacity_bytes = capacities.get(device) if has_properties else None
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
            series.append(Series(name, "bytes", owner, capacity_bytes))
    if parts:
        profile.manifest.series = series
        joined = {name: np.concatenate([part[name] for part in parts]) for name in SAMPLE_COLUMNS}
        profile.samples = Table.of(SAMPLE_COLUMNS, joined)
