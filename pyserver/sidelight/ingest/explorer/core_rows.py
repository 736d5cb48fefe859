"""Where the rows of a device profile go: all are of one logical core, and by one clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Batch, Indexes, Integers
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.lookup import where_known
from sidelight.ingest.explorer.row_ids import RowIds
from sidelight.ingest.explorer.spans import Spans, spans_of
from sidelight.ingest.explorer.texts import Texts
from sidelight.profile.tables import Category, Column


class CoreRows:
    """Adds rows of tables to a profile.

    Args:
        builder: Where they go.
        lanes: The core's tracks.
        offset_ns: What is added to the file's times.
        with_ids: Whether rows are to be found by their ids.

    Attributes:
        builder: As given; so are the others.
        names: Gives rows' names their string ids.
        operands: Gives what rows were given theirs: there is much of it, so it has limits of its
            own.
        row_ids: Finds rows by their ids.
        bad_times: Rows left out because a time of theirs is missing, negative or absurd.
    """

    def __init__(
        self, builder: ProfileBuilder, lanes: Lanes, offset_ns: int, *, with_ids: bool = False
    ) -> None:
        self.builder = builder
        self.lanes = lanes
        self.offset_ns = offset_ns
        self.names = Texts(builder.strings)
        self.operands = Texts(builder.strings)
        self.row_ids = RowIds(wanted=with_ids)
        self.bad_times = 0

    def spans_of(self, batch: Batch) -> Spans:
        """When the rows of a batch were, those left out counted."""
        spans = spans_of(batch)
        self.bad_times += spans.bad
        return spans

    def add(
        self,
        spans: Spans,
        category: Category,
        *,
        track: Indexes,
        name: Integers,
        unnamed: str,
        external_id: Integers | None = None,
        correlation_id: Integers | None = None,
        work: Mapping[str, Column] | None = None,
        origins: Sequence[Sequence[int]] | None = None,
        ids: Mapping[str, Integers] | None = None,
    ) -> None:
        """Add some rows of a batch.

        Args:
            spans: Which, and when they were.
            category: What they are.
            track: The tracks of all rows of the batch.
            name: The string ids of their names, -1 for none.
            unnamed: What those are called.
            external_id: Theirs, where they have one.
            correlation_id: Likewise.
            work: Columns of ``WORK_COLUMNS``, likewise of all rows.
            origins: The calling contexts that each row of ``spans`` came from.
            ids: By table, the ids of all rows of the batch in it.
        """
        rows = spans.rows
        if not len(rows):
            return
        columns: dict[str, Column] = {
            "track": track[rows],
            "category": np.full(len(rows), category, np.int8),
            "name": where_known(name[rows], np.int64(self.builder.strings.code(unnamed))),
            "start_ns": spans.start_ns + self.offset_ns,
            "duration_ns": spans.duration_ns,
        }
        for name_of, ids_of in (("external_id", external_id), ("correlation_id", correlation_id)):
            if ids_of is not None:
                columns[name_of] = ids_of[rows]
        first_row = self.builder.add_rows(
            columns,
            work=None if work is None else {key: column[rows] for key, column in work.items()},
            origins=origins,
        )
        self.row_ids.add(ids or {}, spans, first_row)
