"""Stretches of time with a cause, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask


@dataclass(frozen=True)
class Stretches:
    """Parts of gaps, each with one cause.

    Attributes:
        gap: The gap that each is of.
        start_ns: When it begins.
        end_ns: When it ends.
        cause: Its number in ``CAUSES``.
        stack: The calling context behind it, -1 for none.
        witness: The event that tells of the cause, -1 for none.
    """

    gap: IntColumn
    start_ns: IntColumn
    end_ns: IntColumn
    cause: IntColumn
    stack: IntColumn
    witness: IntColumn

    def __len__(self) -> int:
        return len(self.gap)

    @property
    def duration_ns(self) -> IntColumn:
        """How long each is."""
        return self.end_ns - self.start_ns

    def chosen(self, rows: Mask | IntColumn) -> Stretches:
        """Some of them."""
        return Stretches(*(getattr(self, field.name)[rows] for field in fields(self)))

    def merged(self) -> Stretches:
        """Neighbours of one gap, cause and calling context as one; the first one's witness stays.

        They are in order of time.
        """
        if not len(self):
            return self
        begins = np.ones(len(self), np.bool_)
        begins[1:] = np.any(
            [column[1:] != column[:-1] for column in (self.gap, self.cause, self.stack)],
            axis=0,
        )
        begins[1:] |= self.start_ns[1:] != self.end_ns[:-1]
        first = np.flatnonzero(begins)
        last = np.append(first[1:], len(self)) - 1
        found = self.chosen(first)
        return Stretches(
            found.gap, found.start_ns, self.end_ns[last], found.cause, found.stack, found.witness
        )


def joined(several: Sequence[Stretches]) -> Stretches:
    """All of them, in order of time."""
    columns = (
        np.concatenate([getattr(each, field.name) for each in several])
        for field in fields(Stretches)
    )
    together = Stretches(*columns)
    return together.chosen(np.argsort(together.start_ns, kind="stable"))
