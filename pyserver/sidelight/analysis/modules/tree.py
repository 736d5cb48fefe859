"""The modules of a profile, as a tree of who calls whom, and which of them each event is of.

Where a recording has torch's own rows of module calls (``with_modules`` or ``with_stack``), they
are the modules, each instance apart. Elsewhere a module is told by its ``forward`` among the user's
frames, so it is known by its class, and torch's own modules count in the one that calls them.
Backward work is of the module of its forward operator.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.analysis.modules.calls import ModuleCalls, calls_in_rows, calls_of_events
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.places import Tree
from sidelight.analysis.scopes import Outline
from sidelight.analysis.source_lines import Place
from sidelight.profile.model import Profile

NO_MODULE: Final = -1

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
        calls = calls_in_rows(profile)
        self._of_event = self._by_calls(calls) if len(calls) else None
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

    def _by_calls(self, calls: ModuleCalls) -> IntColumn:
        """The module of each event, by the call of one around what launched it."""
        nodes: list[int] = []
        callers: list[int] = calls.caller.tolist()
        for name, caller in zip(calls.names, callers, strict=True):
            nodes.append(self._node(nodes[caller] if caller >= 0 else NO_MODULE, name))
        node_of_call = np.array([*nodes, NO_MODULE], np.int64)  # the last is that of no call
        of_host = node_of_call[calls_of_events(self._profile, calls)]
        return of_host[self._profile.events["operator"]]


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
