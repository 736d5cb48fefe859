"""Operators over lists of tensors (``_foreach_…``), which torch keeps for types that it knows."""

from __future__ import annotations

from torch._subclasses.fake_tensor import FakeTensor

from . import private


def install() -> None:
    """Have optimizers and gradient clipping choose them as they do for plain tensors."""
    for known in private.known_to_foreach:
        known.append(FakeTensor)
