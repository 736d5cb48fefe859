"""The calling contexts that a profile's tables of stack frames hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sidelight.ingest.building import ProfileBuilder
from sidelight.ingest.explorer.places import Place, PlacedFrame, PlaceFrames
from sidelight.ingest.explorer.tables import Tables

_DEEPEST: Final = 1000
"""Callers that are followed: Python itself allows no deeper recursion."""

_NO_PARENT: Final = frozenset({"", "0", "-1"})


@dataclass(frozen=True)
class _Frame:
    location: str
    parent: str


class StackFrames:
    """Turns ids of stack frames into nodes of the calling contexts.

    ``StackFrame`` names a place and the caller's frame; the place's file and function have tables
    of their own.

    Args:
        tables: The profile's tables.
        builder: Where the contexts go.
        places: Gives places their frames.

    Attributes:
        dangling: Ids that no table explains.
        cycles: Frames that are among their own callers, or under too many of them.
    """

    def __init__(self, tables: Tables, builder: ProfileBuilder, places: PlaceFrames) -> None:
        self._stacks = builder.stacks
        self._places = places
        self._file = _texts_by_id(tables, "StackFrameFileName", "name")
        self._function = _texts_by_id(tables, "StackFrameFunctionName", "name")
        location = tables.read(
            "StackFrameFileLocation", ("id", "file_name_id", "function_name_id", "line_number")
        )
        self._location: dict[str, tuple[str, str, int]] = dict(
            zip(
                location.texts("id"),
                zip(
                    location.texts("file_name_id"),
                    location.texts("function_name_id"),
                    location.integers("line_number").tolist(),
                    strict=True,
                ),
                strict=True,
            )
        )
        frame = tables.read("StackFrame", ("id", "file_location_id", "parent_frame_id"))
        self._frames: dict[str, _Frame] = dict(
            zip(
                frame.texts("id"),
                map(_Frame, frame.texts("file_location_id"), frame.texts("parent_frame_id")),
                strict=True,
            )
        )
        self._nodes: dict[tuple[str, bool], int] = {}
        self._above: dict[int, tuple[int, str]] = {}
        self.dangling: set[str] = set()
        self.cycles: set[str] = set()

    def node(self, frame_id: str) -> int:
        """The context of a frame: its user's lines, or all where none is the user's; -1 if none."""
        node = self._node(frame_id, users_only=True)
        return node if node >= 0 else self._node(frame_id, users_only=False)

    def files_above(self, node: int) -> list[str]:
        """The files of a context that :meth:`node` gave, innermost first."""
        files: list[str] = []
        while node >= 0:
            node, file = self._above[node]
            files.append(file)
        return files

    def _node(self, frame_id: str, *, users_only: bool) -> int:
        chain: list[str] = []
        seen: set[str] = set()
        above = frame_id
        while above not in _NO_PARENT and (above, users_only) not in self._nodes:
            frame = self._frames.get(above)
            if frame is None:
                self.dangling.add(above)
                break
            if above in seen or len(chain) >= _DEEPEST:
                self.cycles.add(above)
                break
            chain.append(above)
            seen.add(above)
            above = frame.parent
        node = self._nodes.get((above, users_only), -1)
        for one in reversed(chain):
            placed = self._place(self._frames[one].location)
            if placed is not None and (placed[1].is_users or not users_only):
                file, place = placed
                caller, node = node, self._stacks.code((node, place.frame))
                self._above[node] = caller, file
            self._nodes[one, users_only] = node
        return node

    def _place(self, location_id: str) -> tuple[str, PlacedFrame] | None:
        """The file and the frame of a place."""
        location = self._location.get(location_id)
        if location is None:
            self.dangling.add(f"location {location_id}")
            return None
        file, function, line = location
        if file not in self._file:
            self.dangling.add(f"file {file}")
            return None
        path = self._file[file]
        place = self._places.frame(Place(path, line), self._function.get(function, ""))
        return None if place is None else (path, place)


def _texts_by_id(tables: Tables, table: str, column: str) -> dict[str, str]:
    batch = tables.read(table, ("id", column))
    return dict(zip(batch.texts("id"), batch.texts(column), strict=True))
