"""What sort of event each is, and where it is: the few things that many events share."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.trace_events import Event, Id
from sidelight.ingest.vocabulary import Vocabulary

COMPLETE, BEGIN, END, METADATA, FLOW_START, FLOW_FINISH, NO_PHASE = range(7)
# The last are what else the format has: instants, counters, objects, and so on, which take no time.
PHASES: Final[tuple[str, ...]] = ("X", "B", "E", "M", "s", "f", "", *"iIRCbneSTptFNODPcvV(),")


class EventKinds:
    """Codes of events' phases, categories and lanes.

    Together they take few values: so they are looked up as one, which is most of what there is to
    do for an event.

    Args:
        lanes: Numbers (pid, tid).
        categories: Numbers ``cat``.
    """

    def __init__(self, lanes: Vocabulary[tuple[Id, Id]], categories: Vocabulary[str]) -> None:
        self._lanes = lanes
        self._categories = categories
        self._phases = Vocabulary(PHASES)
        self._kinds: Vocabulary[tuple[str, str, Id, Id]] = Vocabulary()
        self._codes: dict[str, list[int]] = {"phase": [], "category": [], "lane": []}

    def columns(self, events: Sequence[Event]) -> dict[str, npt.NDArray[np.int32]]:
        """``phase`` (from ``len(PHASES)`` on an unknown one), ``category`` and ``lane`` of each."""
        fields = map(attrgetter("ph", "cat", "pid", "tid"), events)
        kind = self._kinds.codes(fields, len(events))
        for phase, category, pid, tid in self._kinds.since(len(self._codes["phase"])):
            self._codes["phase"].append(self._phases.code(phase))
            self._codes["category"].append(self._categories.code(category))
            self._codes["lane"].append(self._lanes.code((pid, tid)))
        return {part: np.array(codes, np.int32)[kind] for part, codes in self._codes.items()}
