"""Small joins of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


def looked_up(sorted_ids: Integers, values: Integers, ids: Integers) -> Integers:
    """The values that belong to ids; -1 for ids that are not among them.

    Args:
        sorted_ids: Ids, ascending, each once.
        values: What belongs to each.
        ids: What is asked for.
    """
    if not len(sorted_ids):
        return np.full(len(ids), -1, np.int64)
    place = np.minimum(np.searchsorted(sorted_ids, ids), len(sorted_ids) - 1)
    return np.where(sorted_ids[place] == ids, values[place], -1)


def where_known(codes: npt.NDArray[Any], others: npt.NDArray[Any] | np.int64) -> Integers:
    """Codes, and where one is -1 the other one."""
    return np.where(codes >= 0, codes, others).astype(np.int64)
