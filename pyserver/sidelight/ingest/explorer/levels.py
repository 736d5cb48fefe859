"""What instructions are at the compiler's levels between the framework's operator and the core."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.lookup import looked_up, where_known
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.texts import Texts

LEVEL_COLUMNS: Final = (
    *("raw_hlo_id", "hlo_name", "raw_penguin_id", "raw_bir_id", "bir_instruction_name"),
)

_NO_NAMES: Final = frozenset({"Unknown", "unknown"})


class CompilerLevels:
    """Names the levels: HLO, Penguin, and BIR, whose instructions engines carry out.

    Args:
        tables: The profile's tables.
        core: Where the rows go.
    """

    def __init__(self, tables: Tables, core: CoreRows) -> None:
        # A room of their own: there may be as many names as instructions.
        self._texts = texts = Texts(core.builder.strings)
        self._levels = {
            "hlo": _Level(tables, texts, "HloInstruction", "raw_hlo_id", "hlo_name", "hlo_name"),
            "penguin": _Level(
                tables, texts, "PenguinInstruction", "raw_penguin_id", "penguin_name"
            ),
            "bir": _Level(
                *(tables, texts, "BirInstruction", "raw_bir_id", "bir_name"),
                own_column="bir_instruction_name",
            ),
        }

    @property
    def left_out(self) -> int:
        """How many rows are without a name of theirs, for want of room."""
        return self._texts.left_out

    def of_rows(self, batch: Batch) -> dict[str, Integers]:
        """The columns of ``WORK_COLUMNS`` that any row knows, as string ids.

        Args:
            batch: Instructions with the columns ``LEVEL_COLUMNS``.

        Raises:
            UnreadableInputError: There are more rows than can be held.
        """
        found = {column: level.of_rows(batch) for column, level in self._levels.items()}
        return {column: names for column, names in found.items() if (names >= 0).any()}


class _Level:
    """The names of one level: what an instruction says itself, else what the level's table does.

    The table is read once an instruction needs it.

    Args:
        tables: The profile's tables.
        texts: Gives names their string ids.
        table: The level's own table.
        id_column: What it calls the ids, as instructions do.
        name_column: What it calls the names.
        own_column: What instructions call them; empty where they have none.
    """

    def __init__(
        self,
        tables: Tables,
        texts: Texts,
        table: str,
        id_column: str,
        name_column: str,
        own_column: str = "",
    ) -> None:
        self._tables = tables
        self._texts = texts
        self._table = table
        self._id_column = id_column
        self._name_column = name_column
        self._own_column = own_column

    def of_rows(self, batch: Batch) -> Integers:
        """The rows' names, as string ids; -1 for none."""
        own = self._codes(batch, self._own_column)
        ids = np.where(own < 0, batch.integers(self._id_column, NO_TIME), NO_TIME)
        return where_known(own, looked_up(*self._known, ids)) if (ids != NO_TIME).any() else own

    @cached_property
    def _known(self) -> tuple[Integers, Integers]:
        """The ids in the table, sorted, and their names."""
        batch = self._tables.read(self._table, (self._id_column, self._name_column))
        ids, first = np.unique(batch.integers(self._id_column, NO_TIME), return_index=True)
        name = self._codes(batch, self._name_column)[first]
        return ids[ids != NO_TIME], name[ids != NO_TIME]

    def _codes(self, batch: Batch, column: str) -> Integers:
        index, names = batch.distinct(column)
        return self._texts.of(index, ["" if name in _NO_NAMES else name.strip() for name in names])
