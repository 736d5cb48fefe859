"""What calls of modules are named in a recording: by where the module is in the one that calls it.

A layer is told from its like by its path, ``layers.3 (Block)``; what no other module holds has its
class alone.
"""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple, cast

CALL_PREFIX = "sidelight:module:"
"""Begins the name of the row of a module's call; what people call the module follows."""


class Call(NamedTuple):
    """A call of a module.

    Attributes:
        module: The module.
        path: Where it is in the one that calls it; empty for nowhere.
    """

    module: Any
    path: str

    @property
    def row_name(self) -> str:
        """The name of its row."""
        name = type(self.module).__name__
        return f"{CALL_PREFIX}{self.path} ({name})" if self.path else f"{CALL_PREFIX}{name}"


class ModuleNames:
    """Names modules; each is looked up once for each module that calls it."""

    def __init__(self) -> None:
        self._paths: dict[int, tuple[weakref.ref[Any], dict[int, str]]] = {}

    def call(self, module: Any, caller: Call | None) -> Call:
        """A call that begins.

        Args:
            module: The module that is called.
            caller: The call in which that happens; None for none.
        """
        if caller is None:
            return Call(module, "")
        path = self._paths_in(caller.module).get(id(module), "")
        # What is only numbered says nothing without the list that it is in.
        return Call(module, f"{caller.path}.{path}" if path[:1].isdigit() and caller.path else path)

    def _paths_in(self, caller: Any) -> dict[int, str]:
        known = self._paths.get(id(caller))
        # An identity may be another module's once its own is gone.
        if known is None or known[0]() is not caller:
            known = self._paths[id(caller)] = (weakref.ref(caller), _paths(caller))
        return known[1]


def _paths(module: Any) -> dict[int, str]:
    """The path of each module that one holds, by identity; of several, the first.

    Nothing of the module's own is called: a script may have overridden it.
    """
    paths: dict[int, str] = {}
    waiting: list[tuple[str, Any]] = [("", module)]
    for prefix, holder in waiting:
        children = getattr(holder, "__dict__", {}).get("_modules")
        if not isinstance(children, dict):
            continue
        held = cast("dict[str, Any]", children)
        for name, child in list(held.items()):
            if child is not None and id(child) not in paths:
                paths[id(child)] = f"{prefix}{name}"
                waiting.append((f"{prefix}{name}.", child))
    return paths
