"""The tracks of a device profile: a core's engines, its DMA queues, its collectives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from sidelight.ingest.engines import ENGINE_LABELS, engine_named
from sidelight.ingest.explorer.columns import Batch, Indexes, Integers
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.manifest import Track, TrackEngine

_MOST_TRACKS: Final = 4096
"""A core has five engines and some hundred queues; what is beyond shares a track."""


class Lanes:
    """Makes the tracks of one logical core.

    Args:
        tracks: Where they go.
        core: What the logical core is called.
        physical_cores: Physical cores in it; where it has several, tracks say which.

    Attributes:
        core: What the logical core is called.
        unknown_engines: Names of engines that no NeuronCore has.
    """

    def __init__(self, tracks: Vocabulary[Track], core: str, physical_cores: int) -> None:
        self.core = core
        self.unknown_engines: Vocabulary[str] = Vocabulary()
        self._tracks = tracks
        self._several = physical_cores > 1
        self._own: set[Track] = set()

    def engine(self, name: str, physical_core: int) -> int:
        """The track of an engine, by the name that a row has for it."""
        engine = engine_named(name)
        if engine is None:
            self.unknown_engines.code(name)
            return self._track(name or "unknown engine", physical_core, None)
        return self._track(ENGINE_LABELS[engine], physical_core, engine)

    def queue(self, name: str, physical_core: int) -> int:
        """The track of a DMA queue."""
        return self._track(name or "DMA", physical_core, "dma")

    def collective(self, name: str, physical_core: int = -1) -> int:
        """A track of collectives."""
        return self._track(name, physical_core, "collective")

    def other(self, name: str) -> int:
        """A track of what no engine does."""
        return self._track(name, -1, None)

    def of_rows(self, batch: Batch, column: str, track: Callable[[str, int], int]) -> Integers:
        """The rows' tracks, by a column of texts and the physical core.

        Args:
            batch: The rows.
            column: What the text is in.
            track: Gives the track of a text and a physical core.
        """
        indexes, texts = batch.distinct(column)
        return self.of_keys(batch, indexes, texts, track)

    def of_keys(
        self,
        batch: Batch,
        indexes: Indexes,
        texts: Sequence[str],
        track: Callable[[str, int], int],
    ) -> Integers:
        """As :meth:`of_rows`, for texts that rows have by their indexes, -1 for none."""
        cores, core = np.unique(batch.integers("pcore_idx"), return_inverse=True)
        keys, key = np.unique(indexes * np.int64(len(cores)) + core, return_inverse=True)
        tracks: list[int] = []
        for each in map(int, keys):
            index, number = divmod(each, len(cores))
            tracks.append(track(texts[index] if index >= 0 else "", int(cores[number])))
        return np.array(tracks, np.int64)[key]

    def _track(self, what: str, physical_core: int, engine: TrackEngine | None) -> int:
        in_core = f", core {physical_core}" if self._several and physical_core >= 0 else ""
        track = Track("device", f"{self.core}{in_core}: {what}", self.core, what + in_core, engine)
        if track not in self._own and len(self._own) >= _MOST_TRACKS:
            track = Track("device", f"{self.core}: others", self.core, "others", engine)
        self._own.add(track)
        return self._tracks.code(track)
