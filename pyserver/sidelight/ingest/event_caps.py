"""Counts of rows at which recorders stop: a recording that has just so many is hardly whole."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import Table

CAPS: Final = frozenset((*(10**power for power in (5, 6, 7, 8)), *(1 << n for n in range(16, 28))))
"""Round numbers that recorders take as bounds; NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC is a
million unless it is set."""


def cap_notes(events: Table) -> list[QualityNote]:
    """The note that an input has just as many rows as a bound allows, in all or on a track."""
    on_tracks = map(int, np.unique(events["track"], return_counts=True)[1])
    reached = sorted({len(events), *on_tracks} & CAPS)
    if not reached:
        return []
    return [
        QualityNote(
            "event_cap",
            "warning",
            f"There are exactly {reached[-1]:,} rows, in all or on one track, as where a recorder "
            "reached its bound: later ones are probably missing, and so is their time. Record "
            "fewer steps, or raise the bound (Neuron: max_events_per_nc).",
            reached[-1],
        )
    ]
