"""Which operator each instruction is of: as the framework knows it, else as the compiler does."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.lookup import looked_up, where_known
from sidelight.ingest.explorer.operator_rows import OperatorRows, add_operator_rows
from sidelight.ingest.explorer.spans import Spans
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.vocabulary import Vocabulary

OPERATOR_COLUMNS: Final = ("raw_framework_id", "raw_hlo_id", "layer", "hlo_name")
"""What an instruction says of its operator: the first that is known counts."""

_FIRST_ID: Final = 1 << 62
"""``external_id`` of operators counts from here: those of a framework's own rows do not."""

_NO_NAMES: Final = frozenset({"", "Unknown", "unknown"})


class CompiledOperators:
    """Adds the rows of operators, and ties instructions to them.

    Operators of the framework have the first say, then those of HLO. Instructions whose operator
    has no row of a table make one by the name they have for it.

    Args:
        tables: The profile's tables.
        core: Where the rows go.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """

    def __init__(self, tables: Tables, core: CoreRows) -> None:
        self._core = core
        self._rows = OperatorRows(tables, core, first_id=_FIRST_ID)
        self._framework = self._rows.add(
            "FrameworkInstruction", "raw_framework_id", "framework_name", "framework operators"
        )
        self._hlo = self._rows.add("HloInstruction", "raw_hlo_id", "hlo_name", "HLO operators")
        self._rows.add_modules()
        self._names: Vocabulary[str] = Vocabulary()
        self._extents_ns: dict[int, tuple[int, int]] = {}

    def of_rows(self, batch: Batch, spans: Spans) -> Integers:
        """The rows' ``external_id``: that of their operator, -1 for none.

        Args:
            batch: Instructions with the columns ``OPERATOR_COLUMNS``.
            spans: Which of them take part, and when they were.
        """
        found = looked_up(*self._framework, batch.integers("raw_framework_id", NO_TIME))
        found = where_known(found, looked_up(*self._hlo, batch.integers("raw_hlo_id", NO_TIME)))
        name = where_known(batch.mapped("layer", self._name), batch.mapped("hlo_name", self._name))
        name = np.where(found >= 0, -1, name)
        self._extend(name[spans.rows], spans)
        return np.where(name >= 0, name + self._rows.next_id, found)

    def add_named(self) -> None:
        """Add the operators that only instructions name, from the first of these to the last."""
        if not self._extents_ns:
            return
        texts = self._names.values()
        codes = np.array([*self._extents_ns], np.int64)
        start_ns = np.array([start for start, _ in self._extents_ns.values()], np.int64)
        end_ns = np.array([end for _, end in self._extents_ns.values()], np.int64)
        names = [texts[code] for code in map(int, codes)]
        add_operator_rows(
            self._core,
            "operators",
            name=self._core.names.of(np.arange(len(codes)), names),
            start_ns=start_ns,
            duration_ns=end_ns - start_ns,
            external_id=codes + self._rows.next_id,
        )

    def _name(self, text: str) -> int:
        return -1 if text in _NO_NAMES else self._names.code(text)

    def _extend(self, name: Integers, spans: Spans) -> None:
        codes, index = np.unique(name, return_inverse=True)
        first = np.full(len(codes), np.iinfo(np.int64).max)
        last = np.full(len(codes), np.iinfo(np.int64).min)
        np.minimum.at(first, index, spans.start_ns)
        np.maximum.at(last, index, spans.start_ns + spans.duration_ns)
        for code, start, end in zip(codes.tolist(), first.tolist(), last.tolist(), strict=True):
            if code >= 0:
                before = self._extents_ns.get(code, (start, end))
                self._extents_ns[code] = min(start, before[0]), max(end, before[1])
