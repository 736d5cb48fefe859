"""The order in which a profile's rows are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sidelight.profile.tables import Column

_BITS = 63


def row_order(track: Column, start_ns: Column, duration_ns: Column) -> npt.NDArray[np.intp]:
    """The indexes of rows by track, start, and longest first; the order of those alike stays.

    Args:
        track: Track of each row, 0 or more.
        start_ns: Start of each row, 0 or more.
        duration_ns: Duration of each row.
    """
    if not len(track):
        return np.zeros(0, np.intp)
    bits = int(start_ns.max()).bit_length()
    if bits + int(track.max()).bit_length() > _BITS:
        return np.lexsort((-duration_ns, start_ns, track))
    # Files are nearly in this order, so that one number for both is sorted three times as fast; few
    # rows of a track start at one time.
    place = (track.astype(np.int64) << bits) | start_ns
    order = np.argsort(place, kind="stable")
    place = place[order]
    is_like_last = np.concatenate(([False], place[1:] == place[:-1]))
    tied = np.flatnonzero(is_like_last | np.append(is_like_last[1:], False))
    rows = order[tied]
    order[tied] = rows[np.lexsort((-duration_ns[rows], place[tied]))]
    return order
