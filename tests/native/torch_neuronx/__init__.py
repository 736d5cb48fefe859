"""A package with torch-neuronx's name and documented interface, for machines without its device.

Tests put it where a script finds the real one. Its tensors live in the host's memory and its
operators run there; what the device would do, with times of its own, is the Kineto plug-in's work.
"""

from __future__ import annotations

from .backend import register
from .runtime import synchronize

__all__ = ["autoload", "synchronize"]


def autoload() -> None:
    """Called by ``import torch``: importing this package is all there is to it."""


register()
