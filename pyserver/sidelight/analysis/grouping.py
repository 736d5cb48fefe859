"""Sums over rows that agree in several columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from sidelight.analysis.nesting import IntColumn

IntKey = npt.NDArray[np.integer[Any]]

_LARGEST: Final = (1 << 63) - 1

_Number = TypeVar("_Number", np.int64, np.float64)


class Groups:
    """Rows by the values of their keys.

    Args:
        keys: Columns of one length, at least one; rows that agree in all of them are a group.
    """

    def __init__(self, keys: Sequence[IntKey]) -> None:
        self._order = _order(keys)
        ordered = [key[self._order] for key in keys]
        changes = np.ones(len(self._order), np.bool_)
        changes[1:] = np.any([key[1:] != key[:-1] for key in ordered], axis=0)
        self._first = np.flatnonzero(changes)
        self.keys = [key[self._first] for key in ordered]
        """The keys' values, one entry a group."""

    def sum(self, values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
        """Sum a column of the rows by group."""
        if not len(self._first):
            return np.zeros(0, values.dtype)
        return np.add.reduceat(values[self._order], self._first)

    def least(self, values: IntColumn) -> IntColumn:
        """The least value of a column of the rows by group."""
        if not len(self._first):
            return np.zeros(0, np.int64)
        return np.minimum.reduceat(values[self._order], self._first)

    def most(self, values: IntColumn) -> IntColumn:
        """The greatest value of a column of the rows by group."""
        return -self.least(-values)


def _order(keys: Sequence[IntKey]) -> IntColumn:
    """The rows' order by the last key, of equals by the one before it, and so on."""
    size, combined = 1, np.zeros(len(keys[0]), np.int64)
    for key in keys if len(combined) else ():
        least = int(key.min())
        values = int(key.max()) - least + 1
        if size * values > _LARGEST:
            return np.lexsort(keys)
        # One number for all keys is sorted once, where each key would be.
        combined += (key.astype(np.int64) - least) * size
        size *= values
    return np.argsort(combined, kind="stable")


def grouped_sums(
    pieces: Iterable[tuple[Sequence[IntKey], Sequence[IntColumn]]],
) -> tuple[list[IntKey], list[IntColumn]]:
    """Sum columns of rows that agree in all keys, of which there are too many to sort them at once.

    Args:
        pieces: ``(keys, columns)`` of some of the rows each, at least one.

    Returns:
        The keys' values and the columns' sums, one entry a group.
    """
    found: list[tuple[list[IntKey], list[IntColumn]]] = []
    for keys, columns in pieces:
        groups = Groups(keys)
        found.append((groups.keys, [groups.sum(column) for column in columns]))
    if len(found) == 1:
        return found[0]
    groups = Groups([np.concatenate(key) for key in zip(*(keys for keys, _ in found), strict=True)])
    columns = zip(*(sums for _, sums in found), strict=True)
    return groups.keys, [groups.sum(np.concatenate(column)) for column in columns]
