"""Rows of a device profile that are shown and take no part in device time, or stand for others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Batch
from sidelight.ingest.explorer.lanes import Lanes
from sidelight.ingest.explorer.spans import Spans, spans_of
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts
from sidelight.profile.tables import Category

_TIMES = ("start_ts", "end_ts", "duration_ns")


class ShownRows:
    """Adds executions, barriers, and where there are no instructions, the engines' active times.

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
        """Add executions and barriers between physical cores.

        Raises:
            UnreadableInputError: There are more rows than can be held.
        """
        start, end = "execution_start_ts", "execution_end_ts"
        for batch in tables.batches("ExecutionInfo", (start, end, "neff_name")):
            # Of older recordings the times are not known: there is nothing to show then.
            spans = spans_of(batch, start, end)
            self._add(batch, spans, "neff_name", "execution", "", self._of_executions)
        for batch in tables.batches(
            "CoreBarriers", (*_TIMES, "engine_name", "compiler_opcode", "pcore_idx")
        ):
            spans = spans_of(batch)
            self.bad_times += spans.bad
            self._add(
                batch, spans, "compiler_opcode", "core barrier", "engine_name", self._lanes.engine
            )

    def add_active(self, tables: Tables) -> None:
        """Add the stretches in which engines were active, as work.

        Raises:
            UnreadableInputError: There are more rows than can be held.
        """
        for batch in tables.batches("ActiveTime", (*_TIMES, "engine", "pcore_idx")):
            spans = spans_of(batch)
            self.bad_times += spans.bad
            self._add(
                batch, spans, "", "active", "engine", self._lanes.engine, Category.ENGINE_WORK
            )

    def _of_executions(self, _name: str, _physical_core: int) -> int:
        return self._lanes.other("executions")

    def _add(
        self,
        batch: Batch,
        spans: Spans,
        name_column: str,
        unnamed: str,
        track_column: str,
        track: Callable[[str, int], int],
        category: Category = Category.OTHER,
    ) -> None:
        name = self._texts.codes(batch, name_column)[spans.rows]
        self._builder.add_rows(
            {
                "track": self._lanes.of_rows(batch, track_column, track)[spans.rows],
                "category": np.full(len(spans.rows), category, np.int8),
                "name": np.where(name >= 0, name, self._builder.strings.code(unnamed)),
                "start_ns": spans.start_ns + self._offset_ns,
                "duration_ns": spans.duration_ns,
            }
        )
