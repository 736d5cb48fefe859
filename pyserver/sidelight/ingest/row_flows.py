"""Arrows between rows that a reader knows by number until the profile is built."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sidelight.profile.tables import FLOW_COLUMNS, Column, Table

Integers = npt.NDArray[np.int64]


class RowFlows:
    """Gathers arrows from row to row.

    Rows are known by the numbers that :meth:`.building.ProfileBuilder.add_rows` gives them.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Integers, Integers, Integers]] = []

    def add(self, source: Integers, target: Integers, kind: Integers) -> None:
        """Add arrows.

        Args:
            source: The rows that they lead from.
            target: The rows that they lead to.
            kind: String ids of what each says, -1 for nothing.
        """
        self._parts.append((source, target, kind))

    def table(self, place: Column) -> Table:
        """The arrows between rows that are left, each once.

        Args:
            place: For each row, its index among the profile's events; -1 for one that was left out.
        """
        if not self._parts:
            return Table.empty(FLOW_COLUMNS)
        source, target, kind = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        arrows = np.stack((place[source], place[target], kind))
        arrows = np.unique(arrows[:, (arrows[:2] >= 0).all(axis=0)], axis=1)
        return Table.of(FLOW_COLUMNS, dict(zip(FLOW_COLUMNS, arrows, strict=True)))
