"""What the data-quality report says of rows that overlap in part, as no nested calls do."""

from __future__ import annotations

import numpy as np

from sidelight.analysis.device_time import DeviceTime
from sidelight.analysis.nesting import IntColumn
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Category, Table

_MAY_OUTLAST = (Category.ANNOTATION, Category.STEP, Category.OTHER)
"""Regions that a call opens and a later one closes: they outlast the call that they began in."""


def notes_on_overlaps(events: Table, outlasting: IntColumn, time: DeviceTime) -> list[QualityNote]:
    """Count the rows that overlap in part, of a device and of the host.

    Args:
        events: All events.
        outlasting: Rows of the host that end after the innermost one that they began in.
        time: What was taken as device time.
    """
    is_call = ~np.isin(events["category"][outlasting], _MAY_OUTLAST)
    notes = [
        QualityNote(
            "overlapping_device_rows",
            "info",
            "Device rows begin before the one before them on their stream has ended. Each counts "
            "whole, as it was measured, so that device time may be more than the time in which the "
            "device was busy. Compare the two before you add times up.",
            time.overlapping_rows,
        ),
        QualityNote(
            "outlasting_host_rows",
            "info",
            "Calls on the host end after the call that they began in, as where clocks are read "
            "late or rounded. They are taken to be no part of it: each has its own time, and "
            "what they launched may be on the line of a caller. Record again if it is much.",
            int(np.count_nonzero(is_call)),
        ),
    ]
    return [note for note in notes if note.count]
