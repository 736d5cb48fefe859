"""Which operator of a compiled graph is meant by each that was called while the graph ran.

A compiler that makes kernels calls none. One that runs a graph operator by operator calls those of
the graph in its order, with others among them, such as copies.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sidelight.profile.tables import Category, Table

NO_OPERATOR = -1
"""What is called is none of the graph's."""


def called_operators(events: Table, execution: int, names: Sequence[int]) -> dict[int, int]:
    """The operators that were called in the row of an execution.

    Args:
        events: Sorted as a profile's tables want them.
        execution: The row.
        names: The names of the graph's operators, as string ids, in its order.

    Returns:
        By the External id of each operator at any depth, the place in ``names`` of the outermost
        one around it; ``NO_OPERATOR`` where the graph has no, or no further, operator of its name.
    """
    places: defaultdict[int, deque[int]] = defaultdict(deque)
    for place, name in enumerate(names):
        places[name].append(place)
    found: dict[int, int] = {}
    outermost, outermost_end_ns = NO_OPERATOR, 0
    inside = _rows_inside(events, execution)
    inside = inside[events["category"][inside] == Category.OPERATOR]
    columns = ("name", "start_ns", "duration_ns", "external_id")
    for name, start_ns, duration_ns, external_id in zip(
        *(events[column][inside].tolist() for column in columns), strict=True
    ):
        if start_ns >= outermost_end_ns:
            waiting = places.get(name)
            outermost = waiting.popleft() if waiting else NO_OPERATOR
            outermost_end_ns = start_ns + duration_ns
        if external_id > 0:
            found[external_id] = outermost
    return found


def _rows_inside(events: Table, outer: int) -> npt.NDArray[np.int64]:
    """The rows that begin within a row, on its track."""
    track, start_ns = events["track"], events["start_ns"]
    end_ns = int(start_ns[outer]) + int(events["duration_ns"][outer])
    begin, last = outer + 1, int(np.searchsorted(track, int(track[outer]), side="right"))
    return np.arange(begin, begin + int(np.searchsorted(start_ns[begin:last], end_ns)))
