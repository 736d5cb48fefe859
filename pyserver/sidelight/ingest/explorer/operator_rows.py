"""The tables of operators: the framework's, those of HLO, and the modules they are in."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.explorer.columns import LONGEST_TEXT_BYTES, NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.spans import Spans
from sidelight.ingest.explorer.tables import Tables
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
        core: Where the rows go.
        first_id: The first operator's ``external_id``.

    Attributes:
        next_id: The first ``external_id`` that is free.
    """

    def __init__(self, tables: Tables, core: CoreRows, *, first_id: int) -> None:
        self.next_id = first_id
        self._tables = tables
        self._core = core
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
        spans = self._core.spans_of(batch)
        ids = batch.integers(id_column, NO_TIME)[spans.rows]
        name = self._core.names.codes(batch, name_column)[spans.rows]
        kept = np.flatnonzero((name >= 0) & (ids != NO_TIME))
        known_ids, index = np.unique(ids[kept], return_inverse=True)
        external_ids = self.next_id + np.arange(len(known_ids))
        self.next_id += len(known_ids)
        rows, start_ns, duration_ns = self._stretches(batch, spans, kept)
        add_operator_rows(
            self._core,
            track,
            name=name[kept][rows],
            start_ns=start_ns,
            duration_ns=duration_ns,
            external_id=external_ids[index][rows],
        )
        return known_ids, external_ids

    def add_modules(self) -> None:
        """Add the modules that the framework's operators are in, which instructions do not name."""
        batch = self._tables.read("FrameworkNode", (*_TIMES, "node_name", "time_intervals"))
        spans = self._core.spans_of(batch)
        name = self._core.names.codes(batch, "node_name")[spans.rows]
        kept = np.flatnonzero(name >= 0)
        rows, start_ns, duration_ns = self._stretches(batch, spans, kept)
        add_operator_rows(
            self._core,
            "framework modules",
            name=name[kept][rows],
            start_ns=start_ns,
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
    core: CoreRows,
    track: str,
    *,
    name: Integers,
    start_ns: Integers,
    duration_ns: Integers,
    external_id: Integers,
) -> None:
    """Add operators' rows on one track.

    Args:
        core: Where they go.
        track: What the track is called.
        name: String ids.
        start_ns: By the file's clock.
        duration_ns: How long each took.
        external_id: What their instructions have, too.
    """
    if not len(name):
        return  # a track that nothing is on is none
    core.builder.add_rows(
        {
            "track": np.full(len(name), core.lanes.other(track), np.int32),
            "category": np.full(len(name), Category.COMPILED_OPERATOR, np.int8),
            "name": name,
            "start_ns": start_ns + core.offset_ns,
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
