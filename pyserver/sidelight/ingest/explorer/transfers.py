"""What DMA queues moved: packets, or the transfers that these are parts of.

A queue is busy while a packet of it is under way, as the tool's own active time has it; a transfer
spans its packets and the gaps between them. So packets count, and their transfer tells what they
were of; only where a profile has no packets, the transfers stand for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.lookup import looked_up, where_known
from sidelight.ingest.explorer.tables import Tables
from sidelight.profile.tables import Category

PACKETS: Final = "DmaPacket"
TRANSFERS: Final = "DmaPacketAggregated"

_COLUMNS: Final = (
    *("id", "start_ts", "end_ts", "duration_ns", "pcore_idx", "transfer_bytes"),
    *("variable", "op", "queue_type", "queue_name", "queue_idx", "source", "dest"),
)
_UNKNOWN: Final = frozenset({"", "unknown"})


class _Described(NamedTuple):
    """What transfers were of.

    Attributes:
        ids: Sorted.
        name: String ids of what each moved, -1 where it is not known.
        route: String ids of from where to where.
    """

    ids: Integers
    name: Integers
    route: Integers


def add_transfers(tables: Tables, core: CoreRows) -> int:
    """Add the packets; where there is none, the transfers.

    Args:
        tables: The profile's tables.
        core: Where the rows go.

    Returns:
        How many do not say what they moved.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    unnamed = _add_packets(tables, core)
    if unnamed is not None:
        return unnamed
    return sum(
        _add(
            batch,
            core,
            _names(batch, core),
            _routes(batch, core),
            {TRANSFERS: batch.integers("id", NO_TIME)},
        )
        for batch in tables.batches(TRANSFERS, _COLUMNS)
    )


def _add_packets(tables: Tables, core: CoreRows) -> int | None:
    """Add the packets; None if there is none, else how many do not say what they moved."""
    if PACKETS not in tables:
        return None
    transfers, unnamed = _describe(tables, core), None
    for batch in tables.batches(PACKETS, (*_COLUMNS, "packet_aggregation_id")):
        transfer = batch.integers("packet_aggregation_id", NO_TIME)
        name = looked_up(transfers.ids, transfers.name, transfer)
        route = looked_up(transfers.ids, transfers.route, transfer)
        unnamed = (unnamed or 0) + _add(
            batch,
            core,
            where_known(_names(batch, core), name),
            where_known(_routes(batch, core), route),
            {PACKETS: batch.integers("id", NO_TIME), TRANSFERS: transfer},
        )
    return unnamed


def _describe(tables: Tables, core: CoreRows) -> _Described:
    parts = [_Described(*(np.empty(0, np.int64) for _ in range(3)))]
    for batch in tables.batches(TRANSFERS, _COLUMNS):
        ids = batch.integers("id", NO_TIME)
        parts.append(_Described(ids, _names(batch, core), _routes(batch, core)))
    ids, name, route = map(np.concatenate, zip(*parts, strict=True))
    ids, first = np.unique(ids, return_index=True)
    return _Described(ids, name[first], route[first])


def _add(
    batch: Batch, core: CoreRows, name: Integers, route: Integers, ids: Mapping[str, Integers]
) -> int:
    core.add(
        core.spans_of(batch),
        Category.ENGINE_WORK,
        track=_tracks(batch, core),
        name=where_known(name, _kinds(batch, core)),
        unnamed="DMA",
        work={
            "operands": route,
            "moved_bytes": np.maximum(batch.integers("transfer_bytes"), -1),
        },
        ids=ids,
    )
    return int(np.count_nonzero(name < 0))


def _tracks(batch: Batch, core: CoreRows) -> Integers:
    """The rows' tracks: queues by name, else by number."""
    by_name, names = batch.distinct("queue_name")
    by_number, numbers = batch.distinct("queue_idx")
    queues = [*names, *(f"queue {number}" for number in numbers)]
    number = np.where(by_number >= 0, by_number + len(names), -1)
    return core.lanes.of_keys(batch, where_known(by_name, number), queues, core.lanes.queue)


def _names(batch: Batch, core: CoreRows) -> Integers:
    """What was moved, else what was done; -1 where neither is known."""
    name = np.full(len(batch), -1, np.int64)
    for column in ("variable", "op"):
        index, texts = batch.distinct(column)
        known = ["" if text in _UNKNOWN else text for text in texts]
        name = where_known(name, core.names.of(index, known))
    return name


def _kinds(batch: Batch, core: CoreRows) -> Integers:
    """The kind of queue; -1 where it is not known."""
    index, kinds = batch.distinct("queue_type")
    labels = ["" if kind in _UNKNOWN else f"{kind} DMA".replace("_", " ") for kind in kinds]
    return core.names.of(index, labels)


def _routes(batch: Batch, core: CoreRows) -> Integers:
    """From where to where, as a text; -1 where neither is known."""
    source, sources = batch.distinct("source")
    target, targets = batch.distinct("dest")
    width = len(targets) + 1
    pairs, index = np.unique((source + 1) * np.int64(width) + target + 1, return_inverse=True)
    named = (["", *sources], ["", *targets])
    routes = [_route(named[0][pair // width], named[1][pair % width]) for pair in map(int, pairs)]
    return core.operands.of(index, routes)


def _route(source: str, target: str) -> str:
    if source in _UNKNOWN and target in _UNKNOWN:
        return ""
    return f"from {source or 'unknown'} to {target or 'unknown'}"
