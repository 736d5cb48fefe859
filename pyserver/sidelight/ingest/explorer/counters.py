"""Quantities over time that a device profile has: throughput, memory in use, limits."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.spans import can_be
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.time_policy import LONGEST_NS
from sidelight.profile.manifest import Series


class _Counter(NamedTuple):
    table: str
    column: str
    name: str
    unit: Literal["bytes", "bytes_per_s", "fraction", ""]


_COUNTERS: Final = (
    _Counter("DmaUsage", "current_throughput", "DMA throughput", "bytes_per_s"),
    _Counter("HbmUsage", "current_throughput", "HBM throughput", "bytes_per_s"),
    _Counter("SbufUsage", "avg_util_percent", "SBUF in use", "fraction"),
    _Counter("PsumUsage", "avg_util_percent", "PSUM in use", "fraction"),
    _Counter("PendingDma", "value", "pending DMA", ""),
)

MOST_SERIES: Final = 64
"""Physical cores, or kinds of limits, of one counter that are shown."""

_MOST_FRACTION: Final = 1.5
"""A share beyond this is of hundred: the schema's percent is up to 1 in some tables, not in all."""


def add_counters(tables: Tables, builder: ProfileBuilder, core: str, offset_ns: int) -> None:
    """Add the samples of all counters, a series for each physical core.

    Args:
        tables: The profile's tables.
        builder: Where they go.
        core: The logical core's name.
        offset_ns: What is added to the file's times.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    for counter in _COUNTERS:
        batch = tables.read(counter.table, ("timestamp", counter.column, "pcore_idx"))
        value = batch.numbers(counter.column)
        if counter.unit == "fraction" and np.nanmax(value, initial=0.0) > _MOST_FRACTION:
            value = value / 100
        at_ns = batch.times("timestamp")
        known = np.flatnonzero(can_be(at_ns) & np.isfinite(value))
        physical_core = batch.integers("pcore_idx")[known]
        for number in np.unique(physical_core)[:MOST_SERIES].tolist():
            chosen = known[physical_core == number]
            builder.add_samples(
                Series(counter.name, counter.unit, owner_named(core, number)),
                at_ns[chosen] + offset_ns,
                value[chosen],
            )
    _add_limits(tables, builder, core, offset_ns)


def _add_limits(tables: Tables, builder: ProfileBuilder, core: str, offset_ns: int) -> None:
    """How much of a core's throughput heat or power allowed: k of n while an event lasts."""
    batch = tables.read("Throttle", ("timestamp", "duration", "k", "n", "type", "pcore_idx"))
    start, duration = batch.times("timestamp"), batch.times("duration")
    with np.errstate(divide="ignore", invalid="ignore"):
        limit = batch.numbers("k") / batch.numbers("n")
    is_known = can_be(start) & (duration >= 0) & (duration <= LONGEST_NS) & np.isfinite(limit)
    physical_core = batch.integers("pcore_idx")
    kind, kinds = batch.distinct("type")
    found = set(zip(kind[is_known].tolist(), physical_core[is_known].tolist(), strict=True))
    for of_kind, number in sorted(found)[:MOST_SERIES]:
        rows = np.flatnonzero(is_known & (kind == of_kind) & (physical_core == number))
        rows = rows[np.argsort(start[rows], kind="stable")]
        end = start[rows] + duration[rows]
        # An event that another follows before it ends lifts no limit.
        following = np.append(start[rows][1:], np.iinfo(np.int64).max)
        lifted = end < following
        name = f"utilisation limit, {kinds[of_kind]}" if of_kind >= 0 else "utilisation limit"
        builder.add_samples(
            Series(name, "fraction", owner_named(core, number)),
            np.concatenate((start[rows], end[lifted])) + offset_ns,
            np.concatenate((limit[rows], np.ones(int(lifted.sum())))),
        )


def owner_named(core: str, physical_core: int) -> str:
    """What a quantity is of: a physical core, or the logical one where that is not told."""
    return f"{core}, core {physical_core}" if physical_core >= 0 else core
