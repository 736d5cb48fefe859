"""What spans can be coloured by beside category and track: operator, module or file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import PureWindowsPath

import numpy as np

from sidelight.analysis.modules.tree import NO_MODULE, Modules
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.timelines.drawn_types import ColourBy
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import shown_name

NO_KEY = NO_MODULE


class ColourKeys:
    """Tells by what events are coloured.

    Args:
        profile: An attributed profile.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._keys: dict[ColourBy, Callable[[], tuple[IntColumn, Callable[[int], str]]]] = {
            "operator": lambda: (self._operators, self._operator_name),
            "module": lambda: (self._modules, self._module_name),
            "file": lambda: (self._files, self._file_name),
        }

    def of(self, events: IntColumn, colour_by: ColourBy) -> tuple[IntColumn, list[str]]:
        """A number for each event, and what these are called; an empty name is none.

        Args:
            events: Events, by number; what is behind the last of them has no key.
            colour_by: What makes two events have one colour.
        """
        if colour_by not in self._keys:
            return np.zeros(len(events), np.int64), [""]
        keys, name_of = self._keys[colour_by]()
        of_event = np.where(events < len(keys), keys[np.minimum(events, len(keys) - 1)], NO_KEY)
        used, numbers = np.unique(of_event, return_inverse=True)
        return numbers, ["" if key == NO_KEY else name_of(key) for key in used.tolist()]

    @cached_property
    def _operators(self) -> IntColumn:
        events = self._profile.events
        return events["name"][events["operator"]].astype(np.int64)

    def _operator_name(self, key: int) -> str:
        return shown_name(self._profile.strings[key])

    @cached_property
    def _files(self) -> IntColumn:
        """The file of the innermost line that each event belongs to."""
        files = self._profile.frames["file"][self._profile.stacks["frame"]].astype(np.int64)
        return np.append(files, NO_KEY)[self._profile.events["stack"]]

    def _file_name(self, key: int) -> str:
        return PureWindowsPath(self._profile.files[key].path).name

    @cached_property
    def _module_tree(self) -> Modules:
        return Modules(self._profile)

    @cached_property
    def _modules(self) -> IntColumn:
        """The innermost module that each event is of."""
        stack = self._profile.events["stack"].astype(np.int64)
        return self._module_tree.of(np.arange(len(stack)), stack)

    @cached_property
    def _module_paths(self) -> list[str]:
        return self._module_tree.paths()

    def _module_name(self, key: int) -> str:
        return self._module_paths[key]
