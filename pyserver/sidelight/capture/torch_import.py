"""Being told when the script has imported torch.

torch is never imported for the script: many scripts set variables first that its import reads.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

OLDEST_TORCH = (2, 6)
"""The oldest torch whose profiler has what the recording needs."""


def installed_torch() -> str | None:
    """The version of the torch that ``import torch`` would find; None where there is none.

    torch itself is not imported. A version that cannot be told is the empty string.
    """
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        return None
    try:
        text = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
    except OSError:
        return ""
    match = re.search(r"__version__\s*=\s*['\"]([^'\"]+)", text)
    return match.group(1) if match else ""


def is_too_old(version: str) -> bool:
    """Whether a torch of this version cannot be recorded; an unknown version is tried."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    return bool(numbers) and numbers < OLDEST_TORCH


def when_imported(name: str, tell: Callable[[ModuleType], None]) -> None:
    """Call ``tell`` once, with the module, right after a top-level module is first imported."""
    sys.meta_path.insert(0, _Watch(name, tell))


class _Watch(MetaPathFinder):
    """Finds one module by asking the others, and sees it loaded."""

    def __init__(self, name: str, tell: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._tell = tell

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _WatchedLoader(spec.loader, self._loaded)
                return spec
        return None

    def _loaded(self, module: ModuleType) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._tell(module)


class _WatchedLoader(Loader):
    """Loads as another loader does, then tells; afterwards the module shows that other loader."""

    def __init__(self, loader: Any, loaded: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._loaded = loaded

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._loaded(module)


# Where an import fails, Python leaves its own import machinery out of the traceback, by file name.
# This frame stands among the machinery's, and the script's traceback must not show it.
_WatchedLoader.exec_module.__code__ = _WatchedLoader.exec_module.__code__.replace(
    co_filename="<frozen importlib._bootstrap_external>"
)
