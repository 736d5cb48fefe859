"""The tables of operators: the framework's, those of HLO, and the modules they are in."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import LONGEST_TEXT_BYTES, NO_TIME, Batch, Integers
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.spans import Spans, spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts
from sidelight.profile.tables import Category

_TIMES: Final = ("start_ts", "end_ts", "duration_ns")
_INTERVAL: Final = re.compile(r"\[\s*(-?\d{1,19})\s*,\s*(-?\d{1,19})\s*\]")
_MOST_INTERVALS: Final = 1 << 20
"""Stretches of all operators together; what is beyond is shown from its start to its end."""

Known = tuple[Integers, Integers]
"""Ids that a table has, sorted, and the ``external_id`` of each."""


class OperatorRows:
    """Adds the rows of tables of operators.

    Args:
        tables: The profile's tables.
        builder: Where the rows go.
        lanes: The tracks.
        texts: The string table.
        offset_ns: What is added to the file's times.
        first_id: The first operator's ``external_id``.

    Attributes:
        next_id: The first ``external_id`` that is free.
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    def __init__(
        self,
        tables: Tables,
        builder: ProfileBuilder,
        lanes: Lanes,
        texts: Texts,
        offset_ns: int,
        *,
        first_id: int,
    ) -> None:
        self.next_id = first_id
        self.bad_times = 0
        self._tables = tables
        self._builder = builder
        self._lanes = lanes
        self._texts = texts
        self._offset_ns = offset_ns
        self._stretches_left = _MOST_INTERVALS

    def add(self, table: str, id_column: str, name_column: str, track: str) -> Known:
        """Add a table of operators; rows without a name or an id are no operators.

        Args:
            table: Its name.
            id_column: What instructions refer to.
            name_column: What people call the operator.
            track: What the track is called.

        Returns:
            The operators' ids. Rows of one id are calls of one operator.
        """
        batch = self._tables.read(table, (*_TIMES, id_column, name_column, "time_intervals"))
        spans = spans_of(batch)
        self.bad_times += spans.bad
        ids = batch.integers(id_column, NO_TIME)[spans.rows]
        name = self._texts.codes(batch, name_column)[spans.rows]
        kept = np.flatnonzero((name >= 0) & (ids != NO_TIME))
        known_ids, index = np.unique(ids[kept], return_inverse=True)
        external_ids = self.next_id + np.arange(len(known_ids))
        self.next_id += len(known_ids)
        rows, start_ns, duration_ns = self._stretches(batch, spans, kept)
        add_operator_rows(
            self._builder,
            self._lanes,
            track,
            name=name[kept][rows],
            start_ns=start_ns + self._offset_ns,
            duration_ns=duration_ns,
            external_id=external_ids[index][rows],
        )
        return known_ids, external_ids

    def add_modules(self) -> None:
        """Add the modules that the framework's operators are in, which instructions do not name."""
        batch = self._tables.read("FrameworkNode", (*_TIMES, "node_name", "time_intervals"))
        spans = spans_of(batch)
        self.bad_times += spans.bad
        name = self._texts.codes(batch, "node_name")[spans.rows]
        kept = np.flatnonzero(name >= 0)
        rows, start_ns, duration_ns = self._stretches(batch, spans, kept)
        add_operator_rows(
            self._builder,
            self._lanes,
            "framework modules",
            name=name[kept][rows],
            start_ns=start_ns + self._offset_ns,
            duration_ns=duration_ns,
            external_id=np.full(len(rows), -1),
        )

    def _stretches(
        self, batch: Batch, spans: Spans, kept: npt.NDArray[np.intp]
    ) -> tuple[Integers, Integers, Integers]:
        """When operators ran: the stretches that a table has for each, else from start to end.

        Returns:
            Indexes into ``kept``, starts and durations in nanoseconds by the file's clock.
        """
        index: list[int] = []
        start_ns: list[int] = []
        end_ns: list[int] = []
        texts = batch.texts("time_intervals")
        for place, of_kept in enumerate(kept.tolist()):
            first = int(spans.start_ns[of_kept])
            last = first + int(spans.duration_ns[of_kept])
            stretches = _parsed(texts[spans.rows[of_kept]], first, last)
            if len(stretches) > self._stretches_left:
                stretches = [(first, last)]
            self._stretches_left -= len(stretches)
            for start, end in stretches:
                index.append(place)
                start_ns.append(start)
                end_ns.append(end)
        starts = np.array(start_ns, np.int64)
        return np.array(index, np.int64), starts, np.array(end_ns, np.int64) - starts


def add_operator_rows(
    builder: ProfileBuilder,
    lanes: Lanes,
    track: str,
    *,
    name: Integers,
    start_ns: Integers,
    duration_ns: Integers,
    external_id: Integers,
) -> None:
    """Add operators' rows on one track.

    Args:
        builder: Where they go.
        lanes: The core's tracks.
        track: What the track is called.
        name: String ids.
        start_ns: By the clock of the builder's rows.
        duration_ns: How long each took.
        external_id: What their instructions have, too.
    """
    if not len(name):
        return  # a track that nothing is on is none
    builder.add_rows(
        {
            "track": np.full(len(name), lanes.other(track), np.int32),
            "category": np.full(len(name), Category.COMPILED_OPERATOR, np.int8),
            "name": name,
            "start_ns": start_ns,
            "duration_ns": duration_ns,
            "external_id": external_id,
        }
    )


def _parsed(text: str, first: int, last: int) -> list[tuple[int, int]]:
    """The stretches in a text, merged; the whole where there are none, or not within the whole."""
    found = sorted((int(start), int(end)) for start, end in _INTERVAL.findall(text))
    is_cut = len(text) >= LONGEST_TEXT_BYTES
    if is_cut or not found or found[0][0] < first or max(end for _, end in found) > last:
        return [(first, last)]
    merged = found[:1]
    for start, end in found[1:]:
        if start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return [(start, end) for start, end in merged if end >= start] or [(first, last)]
