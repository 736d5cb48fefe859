"""Which NeuronCore each part of a device profile ran on, and what its tracks are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sidelight.ingest.engines import ENGINE_LABELS, engine_named
from sidelight.ingest.neuron_json.values import whole_number
from sidelight.profile.manifest import Track, TrackEngine

Facts = Mapping[str, Sequence[Mapping[str, Any]]]
"""The short lists of a device profile, by name."""

_MOST_TRACKS: Final = 4096
"""A core has five engines and some hundred queues; what is beyond shares a track."""
_LONGEST_NAME: Final = 200
_NUMBER_AT_END: Final = re.compile(r"\d{1,9}$")


class Cores:
    """Names the cores of a profile's subgraphs: each subgraph ran on one physical core.

    Args:
        facts: ``model_info`` has the subgraphs' cores; where it is absent, subgraph N is taken to
            have run on core N. ``neff_header`` and ``metadata`` tell how many physical cores make
            a logical one, ``dma_queues_info`` what queues are called.

    Attributes:
        physical_in_logical: How many physical cores make a logical one.
        unknown_engines: Names of engines that no NeuronCore has, of the tracks that were made.
    """

    def __init__(self, facts: Facts) -> None:
        self.physical_in_logical = _first_number(
            facts,
            ("neff_header", "number_of_neuroncores_per_lnc"),
            ("metadata", "num_physical_cores"),
        )
        self.unknown_engines: set[str] = set()
        self._tracks: set[str] = set()
        self._core: dict[str, tuple[int, int]] = {}
        for row in facts.get("model_info", ()):
            device, core = whole_number(row.get("nd_idx")), whole_number(row.get("nc_idx"))
            if core is not None and core >= 0:
                self._core[str(row.get("sg_name"))] = (max(device or 0, 0), core)
        self._queues = {
            (str(row.get("subgraph")), str(row.get("q_idx"))): str(row.get("q_name"))
            for row in facts.get("dma_queues_info", ())
            if row.get("q_name")
        }

    def logical(self, subgraph: str) -> str:
        """The logical core's name, such as ``NeuronCore 2``."""
        device, core = self._of(subgraph)
        name = f"NeuronCore {core // self.physical_in_logical}"
        return f"{name} of device {device}" if device else name

    def label(self, subgraph: str) -> str:
        """The logical core's name, with the physical core where it is one of several."""
        if self.physical_in_logical == 1:
            return self.logical(subgraph)
        return f"{self.logical(subgraph)}, core {self._of(subgraph)[1] % self.physical_in_logical}"

    def engine(self, subgraph: str, engine: str) -> Track:
        """The track of an engine, which the file calls so."""
        known = engine_named(engine)
        if known is None:
            self.unknown_engines.add(engine[:_LONGEST_NAME])
        name = ENGINE_LABELS[known] if known else engine or "unknown engine"
        return self._track(subgraph, name, known)

    def queue(self, subgraph: str, number: str) -> Track:
        """The track of a DMA queue."""
        name = self._queues.get((subgraph, number), f"queue {number}" if number else "DMA")
        return self._track(subgraph, name, "dma")

    def operators(self, subgraph: str) -> Track:
        """The track of the compiler's operators."""
        return self._track(subgraph, "operators", None)

    def in_order(self, subgraphs: Iterable[str]) -> list[str]:
        """Subgraphs by the number of their core."""
        return sorted(set(subgraphs), key=lambda subgraph: (self._of(subgraph), subgraph))

    def _of(self, subgraph: str) -> tuple[int, int]:
        if subgraph not in self._core:
            number = _NUMBER_AT_END.search(subgraph)
            self._core[subgraph] = (0, int(number.group()) if number else 0)
        return self._core[subgraph]

    def _track(self, subgraph: str, what: str, engine: TrackEngine | None) -> Track:
        core = self.logical(subgraph)
        name = f"{self.label(subgraph)[:_LONGEST_NAME]}: {what[:_LONGEST_NAME]}"
        if name not in self._tracks and len(self._tracks) >= _MOST_TRACKS:
            core, name = "NeuronCore", "NeuronCore: others"
        self._tracks.add(name)
        return Track("device", name, core, name, engine)


def _first_number(facts: Facts, *places: tuple[str, str]) -> int:
    for part, field in places:
        for row in facts.get(part, ()):
            number = whole_number(row.get(field))
            if number is not None and 1 <= number <= 64:
                return number
    return 1
