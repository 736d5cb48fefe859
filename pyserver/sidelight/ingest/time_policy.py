"""Which times can be: one policy for all readers.

``docs/data-quality.md`` has the policies for what cannot be in one table. None of them makes a time
up: a row is left out, or a stretch of time is moved as a whole, and each is counted
(:mod:`sidelight.ingest.time_faults`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.trace_events import TIME_LIMIT_NS, Int64s

Mask = npt.NDArray[np.bool_]

_HOUR_NS: Final = 3600 * 10**9
_DAY_NS: Final = 24 * _HOUR_NS

LONGEST_NS: Final = 10 * 366 * _DAY_NS
"""Ten years: no recording lasts longer, so a duration beyond is not one."""

LATEST_NS: Final = TIME_LIMIT_NS - LONGEST_NS
"""With the longest duration added, a start before this still fits into 64 bits; so does the
difference of two such starts."""

APART_NS: Final = _DAY_NS
"""Rows that lie further apart, with nothing between them, are not by one clock."""

_HOST_GOES_ON_NS: Final = _DAY_NS
_DEVICE_GOES_ON_NS: Final = _HOUR_NS
"""How long a row may last after all others have begun. A script may idle before it is stopped; a
kernel does not."""


def good_times(starts_ns: Int64s, durations_ns: Int64s) -> Mask:
    """Which rows have a time and a duration that a recording can have."""
    is_time = (starts_ns > -LATEST_NS) & (starts_ns < LATEST_NS)
    return is_time & (durations_ns >= 0) & (durations_ns <= LONGEST_NS)


def goes_on_too_long(after_ns: Int64s, on_device: Mask) -> Mask:
    """Which rows last on for so long that they cannot have been measured.

    Args:
        after_ns: How long after the last start of all rows each of them ends.
        on_device: Which of them are a device's.
    """
    return after_ns > np.where(on_device, _DEVICE_GOES_ON_NS, _HOST_GOES_ON_NS)
