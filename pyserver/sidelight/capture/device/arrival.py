"""``import torch_neuronx`` before ``import torch``: torch is imported first, and brings it along.

TorchNeuron's own package does the same. Where it is installed it is found before this is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_PACKAGE = "torch_neuronx"


def announce() -> None:
    """Have the package be found from now on, also by those who only ask whether it is there."""
    sys.meta_path.append(_Finder())


class _Finder(MetaPathFinder):
    """Finds the package as long as torch has not brought it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _PACKAGE or "torch" in sys.modules:
            return None
        return ModuleSpec(fullname, _Loader(), is_package=True)


class _Loader(Loader):
    """Imports torch, and gives what came with it."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        import_module("torch")
        try:
            return sys.modules[spec.name]
        except KeyError:
            raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name) from None

    def exec_module(self, module: ModuleType) -> None:
        """It is ready."""
