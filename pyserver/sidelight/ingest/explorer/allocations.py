"""What of the State Buffer is occupied over time, from the stretches in which parts of it are."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Batch, Integers
from sidelight.ingest.explorer.counters import MOST_SERIES, owner_named
from sidelight.ingest.explorer.spans import spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.manifest import Series

_COLUMNS: Final = ("start_ts", "end_ts", "start_address", "end_address", "partition", "pcore_idx")
_LARGEST_BYTES: Final = 1 << 40
"""No State Buffer is this large, so that an address beyond is none."""


def add_allocations(tables: Tables, builder: ProfileBuilder, core: str, offset_ns: int) -> None:
    """Add a series for each partition that the table tells apart: every 32nd stands for its group.

    Occupied ranges of addresses do not overlap while they are occupied, so that their sizes add up.

    Args:
        tables: The profile's tables.
        builder: Where the samples go.
        core: The logical core's name.
        offset_ns: What is added to the file's times.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    batch = tables.read("SbufAllocation", _COLUMNS)
    spans = spans_of(batch)
    size_bytes = _sizes_bytes(batch)[spans.rows]
    core_of, partition_of = (
        batch.integers(name)[spans.rows] for name in ("pcore_idx", "partition")
    )
    is_real = size_bytes > 0
    found = set(zip(core_of[is_real].tolist(), partition_of[is_real].tolist(), strict=True))
    for physical_core, partition in sorted(found)[:MOST_SERIES]:
        chosen = is_real & (core_of == physical_core) & (partition_of == partition)
        start_ns, duration_ns = spans.start_ns[chosen], spans.duration_ns[chosen]
        at_ns, occupied_bytes = _over_time(start_ns, start_ns + duration_ns, size_bytes[chosen])
        name = f"SBUF occupied, partition {partition}" if partition >= 0 else "SBUF occupied"
        builder.add_samples(
            Series(name, "bytes", owner_named(core, physical_core)),
            at_ns + offset_ns,
            occupied_bytes,
        )


def _sizes_bytes(batch: Batch) -> Integers:
    """How large the rows' ranges of addresses are, both ends included; 0 where that cannot be."""
    first, last = batch.integers("start_address"), batch.integers("end_address")
    can_be = (first >= 0) & (first <= last) & (last < _LARGEST_BYTES)
    return np.where(can_be, np.where(can_be, last, 0) - np.where(can_be, first, 0) + 1, 0)


def _over_time(
    start_ns: Integers, end_ns: Integers, size_bytes: Integers
) -> tuple[Integers, npt.NDArray[np.int64]]:
    """When what is occupied changes, and what is occupied from then on."""
    at_ns, index = np.unique(np.concatenate((start_ns, end_ns)), return_inverse=True)
    change_bytes = np.zeros(len(at_ns), np.int64)
    np.add.at(change_bytes, index, np.concatenate((size_bytes, -size_bytes)))
    return at_ns, np.cumsum(change_bytes)
