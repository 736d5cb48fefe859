"""The modules of a profile, as a tree of who calls whom, and which of them each event is of.

Where a recording has torch's own rows of module calls (``with_modules`` or ``with_stack``), they
are the modules, each instance apart. Elsewhere a module is told by its ``forward`` among the user's
frames, so it is known by its class, and torch's own modules count in the one that calls them.
Backward work is of the module of its forward operator.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.analysis.chosen_rows import named_rows, rows_on_host
from sidelight.analysis.modules.backward import add_backward
from sidelight.analysis.nesting import IntColumn, Mask, nest
from sidelight.analysis.places import Tree
from sidelight.analysis.scopes import Outline
from sidelight.analysis.source_lines import Place
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

NO_MODULE: Final = -1

MODULE_ROW: Final = "nn.Module: "
"""Begins torch's names of rows of module calls; the class and the instance's number follow."""

_FORWARD: Final = "forward"
_LOCALS: Final = "<locals>"


class Modules:
    """The modules of an attributed profile.

    Args:
        profile: Its events, frames and calling contexts.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._tree = Tree()
        self._names: dict[str, int] = {}
        self._places: dict[int, Place] = {}
        is_module_row = self._module_rows()
        self._of_event = self._by_rows(is_module_row) if is_module_row.any() else None
        self._of_stack = self._by_frames()

    @property
    def parents(self) -> list[int]:
        """The module that calls each, -1 for none; callers come first."""
        return self._tree.parents

    @property
    def names(self) -> list[str]:
        """What each is called, in the order of the nodes."""
        names = list(self._names)
        return [names[label] for label in self._tree.labels]

    def paths(self) -> list[str]:
        """Each module's name behind those of its callers: ``Decoder/Block/Attention``."""
        paths: list[str] = []
        for parent, name in zip(self.parents, self.names, strict=True):
            paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
        return paths

    def place(self, module: int) -> Place | None:
        """Where a module's ``forward`` is, where that is known."""
        return self._places.get(module)

    def of(self, row: IntColumn, stack: IntColumn) -> IntColumn:
        """The innermost module of each part of device time; ``NO_MODULE`` for none.

        Args:
            row: The events.
            stack: The calling context that each part belongs to.
        """
        if self._of_event is None:
            return self._of_stack[stack]
        return self._of_event[row].astype(np.int64)

    def _node(self, parent: int, name: str) -> int:
        return self._tree.child(parent, self._names.setdefault(name, len(self._names)))

    def _by_frames(self) -> IntColumn:
        """The module of each calling context, and of none as the last."""
        profile = self._profile
        if self._of_event is not None:
            return np.full(len(profile.stacks) + 1, NO_MODULE, np.int64)
        functions: list[int] = profile.frames["function"].tolist()
        texts = {
            function: profile.strings[function] for function in set(functions) if function >= 0
        }
        names = {function: module_of_function(text) for function, text in texts.items()}
        outlines: dict[int, dict[str, int]] = {}
        found: list[int] = []
        parents: list[int] = profile.stacks["parent"].tolist()
        frames: list[int] = profile.stacks["frame"].tolist()
        for parent, frame in zip(parents, frames, strict=True):
            module = found[parent] if parent >= 0 else NO_MODULE
            function = functions[frame]
            name = names.get(function)
            if name and not self._is_within(module, name, texts[function]):
                module = self._node(module, name)
                if module not in self._places:
                    self._places[module] = self._place_of(frame, texts[function], outlines)
            found.append(module)
        return np.array([*found, NO_MODULE], np.int64)

    def _is_within(self, module: int, name: str, function: str) -> bool:
        """Whether a function, such as a comprehension's, is a part of the ``forward`` around it."""
        is_part = not function.endswith(f".{_FORWARD}")
        return is_part and module != NO_MODULE and self._tree.labels[module] == self._names[name]

    def _place_of(self, frame: int, function: str, outlines: dict[int, dict[str, int]]) -> Place:
        """Where a function is defined, by the text of its file; else the line that ran."""
        profile = self._profile
        file = int(profile.frames["file"][frame])
        if file not in outlines:
            outline = Outline(profile.files[file].text or "")
            outlines[file] = {scope.name: scope.line for scope in outline.scopes}
        defined = function.replace(f".{_LOCALS}", "").partition(f".{_FORWARD}")[0]
        line = outlines[file].get(f"{defined}.{_FORWARD}", int(profile.frames["line"][frame]))
        return profile.files[file].path, line

    def _module_rows(self) -> Mask:
        is_function = self._profile.events["category"] == Category.FUNCTION
        return named_rows(self._profile, is_function, lambda name: name.startswith(MODULE_ROW))

    def _by_rows(self, is_module: Mask) -> npt.NDArray[np.int32]:
        """The module of each event, by the rows of module calls around what launched it."""
        profile, events = self._profile, self._profile.events
        tracks = np.zeros(len(profile.tracks), np.bool_)
        tracks[events["track"][is_module]] = True
        rows = np.flatnonzero(rows_on_host(profile) & tracks[events["track"]])
        start_ns = events["start_ns"][rows]
        end_ns = start_ns + events["duration_ns"][rows]
        around = nest(events["track"][rows], start_ns, end_ns, is_module[rows]).parent
        of_host = np.full(len(events), NO_MODULE, np.int32)
        inner = rows[around >= 0]
        module_row = rows[around[around >= 0]]
        node_of_row = self._nodes_of_rows(np.flatnonzero(is_module), inner, module_row)
        of_host[inner] = node_of_row[module_row]
        add_backward(profile, of_host)
        return of_host[events["operator"]]

    def _nodes_of_rows(
        self, modules: IntColumn, inner: IntColumn, module_row: IntColumn
    ) -> npt.NDArray[np.int32]:
        """The node of each row of a module's call; callers start first on their track."""
        events, strings = self._profile.events, self._profile.strings
        caller = np.full(len(events), -1, np.int64)
        caller[inner] = module_row
        nodes = np.full(len(events), NO_MODULE, np.int32)
        names: list[int] = events["name"][modules].tolist()
        for row, name, outer in zip(modules.tolist(), names, caller[modules].tolist(), strict=True):
            parent = int(nodes[outer]) if outer >= 0 else NO_MODULE
            nodes[row] = self._node(parent, strings[name].removeprefix(MODULE_ROW))
        return nodes


def module_of_function(qualified_name: str) -> str | None:
    """The class whose ``forward`` a function is, or is within; None for all others.

    Args:
        qualified_name: As Python has it: ``Block.forward``, ``make.<locals>.Net.forward``.
    """
    parts = qualified_name.split(".")
    for index in range(len(parts) - 1, 0, -1):
        if parts[index] == _FORWARD and parts[index - 1] != _LOCALS:
            return parts[index - 1]
    return None
