"""What sort of event each is, and where it is: the few things that many events share."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.bounds import LONGEST_TEXT
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.trace_events import Event, Id, shorten_names
from sidelight.ingest.vocabulary import Vocabulary

COMPLETE, BEGIN, END, METADATA, FLOW_START, FLOW_FINISH, NO_PHASE = range(7)
# The last are what else the format has: instants, counters, objects, and so on, which take no time.
PHASES: Final[tuple[str, ...]] = ("X", "B", "E", "M", "s", "f", "", *"iIRCbneSTptFNODPcvV(),")

INSTANT: Final = PHASES.index("i")

_PARTS: Final = ("name", "phase", "category", "lane")

_Kind = tuple[str, str, str, Id, Id]
"""Name, phase, category, pid and tid."""


class EventKinds:
    """Codes of events' names, phases, categories and lanes.

    Together they take few values: so they are looked up as one, which is most of what there is to
    do for an event.

    Args:
        names: Numbers ``name``. Of long ones it holds the beginning.
        lanes: Numbers (pid, tid).
        categories: Numbers ``cat``.
        findings: Told of long names.
    """

    def __init__(
        self,
        names: Vocabulary[str],
        lanes: Vocabulary[tuple[Id, Id]],
        categories: Vocabulary[str],
        findings: Findings,
    ) -> None:
        self._names = names
        self._lanes = lanes
        self._categories = categories
        self._findings = findings
        self._phases = Vocabulary(PHASES)
        self._kinds: Vocabulary[_Kind] = Vocabulary()
        # By part, a row for each kind.
        self._codes = {part: np.zeros(0, np.int32) for part in _PARTS}

    def columns(self, events: Sequence[Event]) -> dict[str, npt.NDArray[np.int32]]:
        """``name``, ``phase``, ``category`` and ``lane`` of each event.

        A phase that the format does not have is ``len(PHASES)`` or more.
        """
        known = len(self._kinds)
        kind = self._kind(events)
        new = self._kinds.since(known)
        if any(len(name) > LONGEST_TEXT for name, *_ in new):
            self._kinds.forget_since(known)
            self._findings.add(Finding.LONG_TEXTS, shorten_names(events))
            kind = self._kind(events)
            new = self._kinds.since(known)
        if new:
            self._add(new)
        return {part: codes[kind] for part, codes in self._codes.items()}

    def _add(self, kinds: Sequence[_Kind]) -> None:
        names, phases, categories, pids, tids = zip(*kinds, strict=True)
        added = (
            map(self._names.code, names),
            map(self._phases.code, phases),
            map(self._categories.code, categories),
            map(self._lanes.code, zip(pids, tids, strict=True)),
        )
        for part, codes in zip(_PARTS, added, strict=True):
            self._codes[part] = np.append(self._codes[part], np.fromiter(codes, np.int32))

    def _kind(self, events: Sequence[Event]) -> npt.NDArray[np.int32]:
        fields = map(attrgetter("name", "ph", "cat", "pid", "tid"), events)
        return self._kinds.codes(fields, len(events))
