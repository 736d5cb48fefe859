"""What DMA queues moved: packets, or the transfers that these are parts of.

A queue is busy while a packet of it is under way, as the tool's own active time has it; a transfer
spans its packets and the gaps between them. So packets count, and their transfer tells what they
were of; only where a profile has no packets, the transfers stand for them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.lookup import looked_up, where_known
from sidelight.ingest.explorer.spans import spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts
from sidelight.profile.tables import Category

PACKETS: Final = "DmaPacket"
TRANSFERS: Final = "DmaPacketAggregated"

_COLUMNS: Final = (
    *("start_ts", "end_ts", "duration_ns", "pcore_idx", "transfer_bytes"),
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


class Transfers:
    """Adds the rows of DMA queues.

    Args:
        builder: Where they go.
        lanes: The tracks.
        texts: The string table.
        offset_ns: What is added to the file's times.

    Attributes:
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    def __init__(self, builder: ProfileBuilder, lanes: Lanes, texts: Texts, offset_ns: int) -> None:
        self.bad_times = 0
        self._builder = builder
        self._lanes = lanes
        self._texts = texts
        self._offset_ns = offset_ns

    def add(self, tables: Tables) -> None:
        """Add the packets; where there is none, the transfers.

        Raises:
            UnreadableInputError: There are more rows than can be held.
        """
        if self._add_packets(tables):
            return
        for batch in tables.batches(TRANSFERS, _COLUMNS):
            self._add(batch, self._names(batch), self._routes(batch))

    def _add_packets(self, tables: Tables) -> bool:
        if PACKETS not in tables:
            return False
        transfers, found = self._describe(tables), False
        for batch in tables.batches(PACKETS, (*_COLUMNS, "packet_aggregation_id")):
            found = True
            transfer = batch.integers("packet_aggregation_id", NO_TIME)
            self._add(
                batch,
                where_known(self._names(batch), looked_up(transfers.ids, transfers.name, transfer)),
                where_known(
                    self._routes(batch), looked_up(transfers.ids, transfers.route, transfer)
                ),
            )
        return found

    def _describe(self, tables: Tables) -> _Described:
        parts = [_Described(*(np.empty(0, np.int64) for _ in range(3)))]
        for batch in tables.batches(TRANSFERS, (*_COLUMNS, "id")):
            ids = batch.integers("id", NO_TIME)
            parts.append(_Described(ids, self._names(batch), self._routes(batch)))
        ids, name, route = map(np.concatenate, zip(*parts, strict=True))
        ids, first = np.unique(ids, return_index=True)
        return _Described(ids, name[first], route[first])

    def _add(self, batch: Batch, name: Integers, route: Integers) -> None:
        spans = spans_of(batch)
        self.bad_times += spans.bad
        rows = spans.rows
        self._builder.add_rows(
            {
                "track": self._tracks(batch)[rows],
                "category": np.full(len(rows), Category.ENGINE_WORK, np.int8),
                "name": where_known(name, self._kinds(batch))[rows],
                "start_ns": spans.start_ns + self._offset_ns,
                "duration_ns": spans.duration_ns,
            },
            work={
                "operands": route[rows],
                "moved_bytes": np.maximum(batch.integers("transfer_bytes"), -1)[rows],
            },
        )

    def _tracks(self, batch: Batch) -> npt.NDArray[np.int32]:
        """The rows' tracks: queues by name, else by number."""
        by_name, names = batch.distinct("queue_name")
        by_number, numbers = batch.distinct("queue_idx")
        queues = [*names, *(f"queue {number}" for number in numbers)]
        number = np.where(by_number >= 0, by_number + len(names), -1)
        return self._lanes.of_keys(batch, where_known(by_name, number), queues, self._lanes.queue)

    def _names(self, batch: Batch) -> Integers:
        """What was moved, else what was done; -1 where neither is known."""
        name = np.full(len(batch), -1, np.int64)
        for column in ("variable", "op"):
            index, texts = batch.distinct(column)
            known = self._texts.of(index, ["" if text in _UNKNOWN else text for text in texts])
            name = where_known(name, known)
        return name

    def _kinds(self, batch: Batch) -> Integers:
        """The kind of queue."""
        index, kinds = batch.distinct("queue_type")
        labels = ["" if kind in _UNKNOWN else f"{kind} " for kind in kinds]
        labels = [f"{label}DMA".replace("_", " ") for label in labels]
        return self._texts.of(np.where(index >= 0, index, len(labels)), [*labels, "DMA"])

    def _routes(self, batch: Batch) -> Integers:
        """From where to where, as a text; -1 where neither is known."""
        source, sources = batch.distinct("source")
        target, targets = batch.distinct("dest")
        width = len(targets) + 1
        pairs, index = np.unique((source + 1) * np.int64(width) + target + 1, return_inverse=True)
        named = (["", *sources], ["", *targets])
        routes = [
            _route(named[0][pair // width], named[1][pair % width]) for pair in map(int, pairs)
        ]
        return self._texts.of(index, routes)


def _route(source: str, target: str) -> str:
    if source in _UNKNOWN and target in _UNKNOWN:
        return ""
    return f"from {source or 'unknown'} to {target or 'unknown'}"
