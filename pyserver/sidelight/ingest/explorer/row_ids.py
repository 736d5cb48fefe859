"""The rows of tables by the ids that other tables have for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from sidelight.ingest.explorer.columns import Integers
from sidelight.ingest.explorer.lookup import looked_up
from sidelight.ingest.explorer.spans import Spans


class RowIds:
    """Remembers rows by table and id. Several rows may have one id: those of a transfer's packets.

    Args:
        wanted: Whether anything will ask; if not, nothing is remembered.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._parts: defaultdict[str, list[tuple[Integers, ...]]] = defaultdict(list)

    def add(self, ids: Mapping[str, Integers], spans: Spans, first_row: int) -> None:
        """Remember rows.

        Args:
            ids: By table, the ids that the batch's rows have in it.
            spans: Which rows of the batch they are, and when they were.
            first_row: The number of the first.
        """
        if not self._wanted:
            return
        row = first_row + np.arange(len(spans.rows))
        end_ns = spans.start_ns + spans.duration_ns
        for table, column in ids.items():
            self._parts[table].append((column[spans.rows], row, spans.start_ns, end_ns))

    def last_to_end(self, table: str, ids: Integers) -> Integers:
        """Of each id, the row that ends last; -1 where there is none."""
        if table not in self._parts:
            return np.full(len(ids), -1, np.int64)
        of_row, row, _, end_ns = map(np.concatenate, zip(*self._parts[table], strict=True))
        order = np.lexsort((-end_ns, of_row))
        return _first_of_each(of_row[order], row[order], ids)

    def first_to_start(self, table: str, ids: Integers) -> Integers:
        """Of each id, the row that starts first; -1 where there is none."""
        if table not in self._parts:
            return np.full(len(ids), -1, np.int64)
        of_row, row, start_ns, _ = map(np.concatenate, zip(*self._parts[table], strict=True))
        order = np.lexsort((start_ns, of_row))
        return _first_of_each(of_row[order], row[order], ids)


def _first_of_each(of_row: Integers, row: Integers, ids: Integers) -> Integers:
    known, first = np.unique(of_row, return_index=True)
    return looked_up(known, row[first], ids)
