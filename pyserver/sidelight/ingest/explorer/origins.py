"""Which source lines an instruction came from, by whatever the tables say of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.columns import Batch, without_cut_end
from sidelight.ingest.explorer.kernel_places import KernelPlace, read_kernel_places
from sidelight.ingest.explorer.places import PlacedFrame, PlaceFrames, is_same, places_in
from sidelight.ingest.explorer.stack_frames import StackFrames
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.frames import SourceLines
from sidelight.profile.quality import QualityNote

ORIGIN_COLUMNS: Final = (
    "stack_frame_ids",
    "nki_source_location",
    "kernel_instruction_name",
    "bir_debug_info_source_location",
)

_FRAME_ID: Final = re.compile(r"[^\s,;\[\]\"']+")
_MOST_NODES: Final = 256
"""Calling contexts of one instruction that count."""

_MOST_CONTEXTS: Final = 1 << 21
"""Calling contexts of a profile that are told apart: programs have some thousands."""

_MOST_ORIGINS: Final = 50_000_000
"""Rows times contexts that are held."""

_MOST_REMEMBERED: Final = 1 << 17

Nodes = tuple[int, ...]
"""Nodes of the calling contexts, each once."""

_FRAMES, _KERNEL, _COMPILER, _NONE, _TOO_MANY = range(5)
"""What an instruction's lines were told from."""


class Origins:
    """Finds the calling contexts of instructions.

    The framework's stack frames come first. Where an instruction is a kernel's, too, its line there
    was called by theirs, so it is the innermost; a kernel's line by itself has no callers. What the
    compiler noted for its own use counts where neither is known. Lines of libraries are left out
    where there are lines of the user.

    Args:
        tables: The profile's tables.
        builder: Where the contexts go.
        source: Where files may be that have a relative path.
    """

    def __init__(self, tables: Tables, builder: ProfileBuilder, source: SourceLines) -> None:
        self._stacks = builder.stacks
        self._places = PlaceFrames(builder, source)
        self._frames = StackFrames(tables, builder, self._places)
        self._kernels = read_kernel_places(tables)
        self._known: dict[tuple[str, ...], tuple[Nodes, int]] = {}
        self._rows: Counter[int] = Counter()
        self._room = _MOST_ORIGINS

    def of_rows(self, batch: Batch, rows: npt.NDArray[np.intp]) -> list[Nodes]:
        """The nodes that each row came from, none or several.

        Args:
            batch: Rows with the columns ``ORIGIN_COLUMNS``.
            rows: Which of them are wanted.
        """
        columns = [batch.distinct(column) for column in ORIGIN_COLUMNS]
        # Rows that are alike in all the columns are looked up once.
        key = np.zeros(len(rows), np.int64)
        for indexes, texts in columns:
            _, key = np.unique(key * (len(texts) + 1) + indexes[rows] + 1, return_inverse=True)
        _, first, count = np.unique(key, return_index=True, return_counts=True)
        nodes: list[Nodes] = []
        for row, rows_alike in zip(rows[first].tolist(), count.tolist(), strict=True):
            found, source = self._of_texts(
                tuple(
                    texts[indexes[row]] if indexes[row] >= 0 else "" for indexes, texts in columns
                )
            )
            if len(found) * rows_alike > self._room:
                found, source = (), _TOO_MANY
            self._room -= len(found) * rows_alike
            nodes.append(found)
            self._rows[source] += rows_alike
        return [nodes[index] for index in key.tolist()]

    @property
    def named(self) -> int:
        """How many instructions have a source line."""
        return self._rows[_FRAMES] + self._rows[_KERNEL] + self._rows[_COMPILER]

    def notes(self) -> list[QualityNote]:
        """What the lines were told from, and what could not be told."""
        rows = self._rows
        notes = [
            QualityNote(
                "source_lines_from",
                "info",
                f"Source lines of instructions are from the framework's stack frames "
                f"({rows[_FRAMES]:,}), from kernels ({rows[_KERNEL]:,}) and from what the compiler "
                f"noted ({rows[_COMPILER]:,}); {rows[_NONE]:,} instructions name none, and their "
                "time is unattributed where nothing else runs.",
                self.named,
            ),
            QualityNote(
                "broken_stack_frames",
                "warning",
                "Stack frames that are missing, or among their own callers, are left out: lines "
                "may lack callers, or time its line. Copy the profile again, or make its tables "
                "anew.",
                len(self._frames.dangling) + len(self._frames.cycles),
            ),
            QualityNote(
                "too_many_source_lines",
                "warning",
                "Instructions name more source lines than can be held, and more than any program "
                "has: those beyond are unattributed. Check that the profile is whole.",
                rows[_TOO_MANY],
            ),
        ]
        return [note for note in notes if note.count]

    def _of_texts(self, texts: tuple[str, ...]) -> tuple[Nodes, int]:
        known = self._known.get(texts)
        if known is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = self._known[texts] = self._find(*texts)
        return known

    def _find(
        self, frame_ids: str, kernel_text: str, kernel_name: str, compiled_text: str
    ) -> tuple[Nodes, int]:
        if len(self._stacks) >= _MOST_CONTEXTS:
            return (), _TOO_MANY
        ids = dict.fromkeys(_FRAME_ID.findall(without_cut_end(frame_ids, ",")))
        frames = [node for node in map(self._frames.node, islice(ids, _MOST_NODES)) if node >= 0]
        of_kernel = self._kernels.get(kernel_name)
        kernel = self._placed(
            [of_kernel] if of_kernel else map(KernelPlace, places_in(kernel_text))
        )
        if frames:
            return self._called(frames, kernel), _FRAMES
        if kernel:
            return self._alone(kernel), _KERNEL
        places = places_in(compiled_text)
        in_python = [place for place in places if place.file.endswith(".py")]
        compiled = self._placed(map(KernelPlace, in_python or places))
        return (self._alone(compiled), _COMPILER) if compiled else ((), _NONE)

    def _placed(self, places: Iterable[KernelPlace]) -> list[_Placed]:
        """The frames of places: the user's, or all where none is the user's."""
        found = [
            _Placed(place.place.file, frame)
            for place in places
            if (frame := self._places.frame(place.place, place.function)) is not None
        ]
        return [placed for placed in found if placed.frame.is_users] or found

    def _alone(self, places: Sequence[_Placed]) -> Nodes:
        return _distinct(self._stacks.code((-1, placed.frame.frame)) for placed in places)

    def _called(self, callers: Sequence[int], places: Sequence[_Placed]) -> Nodes:
        """Contexts of the framework, with a kernel's lines below those that do not reach them."""
        nodes: list[int] = []
        for caller in callers:
            files = self._frames.files_above(caller)
            below = [
                self._stacks.code((caller, placed.frame.frame))
                for placed in places
                if placed.frame.is_users and not any(is_same(placed.file, file) for file in files)
            ]
            nodes += below or [caller]
        return _distinct(nodes)


class _Placed(NamedTuple):
    file: str
    frame: PlacedFrame


def _distinct(nodes: Iterable[int]) -> Nodes:
    return tuple(islice(dict.fromkeys(nodes), _MOST_NODES))
