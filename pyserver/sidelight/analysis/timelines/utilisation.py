"""How busy groups of tracks are over time: for those that are folded, and for the minimap."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Final

import numpy as np

from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.timelines.busy import BusyTime
from sidelight.analysis.timelines.drawn_types import GroupUtilisation, Utilisation
from sidelight.analysis.timelines.stretches import pixels, stretch

_FULL: Final = 255
_MOST_KEPT: Final = 256


class GroupsOfTracks:
    """Tells how busy groups of tracks are.

    Args:
        track: Track of each event, ascending.
        start_ns: Start of each.
        end_ns: End of each.
    """

    def __init__(self, track: IntColumn, start_ns: IntColumn, end_ns: IntColumn) -> None:
        self._track = track
        self._start_ns, self._end_ns = start_ns, end_ns
        self._known: dict[tuple[int, ...], BusyTime] = {}

    def utilisation(
        self, from_ns: int, to_ns: int, width: int, groups: Sequence[Sequence[int]]
    ) -> Utilisation:
        """How busy groups are in a stretch of time.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            width: In how many pixels it is drawn.
            groups: The tracks of each, by number.
        """
        from_ns, to_ns = stretch(from_ns, to_ns)
        width = pixels(width, len(groups))
        part = np.arange(width + 1) / width
        edges_ns = from_ns + np.rint(part * (to_ns - from_ns)).astype(np.int64)
        return Utilisation(
            from_ns=from_ns,
            to_ns=to_ns,
            width=width,
            groups=[self._of(tuple(sorted(set(group))), edges_ns) for group in groups],
        )

    def _of(self, tracks: tuple[int, ...], edges_ns: IntColumn) -> GroupUtilisation:
        busy = self._busy(tracks)
        busy_ns = np.diff(busy.until(edges_ns))
        shares = busy_ns / np.maximum(np.diff(edges_ns), 1)
        levels = np.rint(shares * _FULL)
        # What is there can be seen, however short it is.
        levels[(levels == 0) & ((busy_ns > 0) | busy.any_begins(edges_ns))] = 1
        content = levels.astype(np.uint8).tobytes()
        return GroupUtilisation(int(busy_ns.sum()), base64.b64encode(content).decode("ascii"))

    def _busy(self, tracks: tuple[int, ...]) -> BusyTime:
        found = self._known.get(tracks)
        if found is None:
            begins: list[int] = np.searchsorted(self._track, tracks).tolist()
            ends: list[int] = np.searchsorted(self._track, tracks, side="right").tolist()
            rows = [np.zeros(0, np.int64)]
            for begin, end in zip(begins, ends, strict=True):
                rows.append(np.arange(begin, end))
            row = np.concatenate(rows)
            found = BusyTime(self._start_ns[row], self._end_ns[row])
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[tracks] = found
        return found
