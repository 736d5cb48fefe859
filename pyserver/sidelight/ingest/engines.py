"""A NeuronCore's engines by the names that profiles have for them, and which rows are no work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sidelight.profile.manifest import TrackEngine

_ENGINES: Final[Mapping[str, TrackEngine]] = {
    **dict.fromkeys(("tensor", "pe"), "tensor"),
    **dict.fromkeys(("vector", "dve"), "vector"),
    **dict.fromkeys(("scalar", "act", "activation"), "scalar"),
    **dict.fromkeys(("gpsimd", "pool"), "gpsimd"),
    **dict.fromkeys(("sync", "sp"), "sync"),
}
"""Engines by the names they have in profiles, and by those that compilers use."""

ENGINE_LABELS: Final[Mapping[TrackEngine, str]] = {
    "tensor": "Tensor Engine",
    "vector": "Vector Engine",
    "scalar": "Scalar Engine",
    "gpsimd": "GpSimd Engine",
    "sync": "Sync Engine",
}
"""What people call them, in the order in which they are shown."""

_WAIT_OPCODE: Final = "EVENT_SEMAPHORE"


def engine_named(name: str) -> TrackEngine | None:
    """The engine that a profile calls so; None for none of a NeuronCore's."""
    words = name.lower().split()
    return _ENGINES.get(words[0]) if words else None


def is_wait(opcode: str) -> bool:
    """Whether an instruction's time is that of waiting, which the tool's own active time leaves
    out. ``EVENT_SEMAPHORE_RANGE_CLEAR`` is work, and so are ``DRAIN`` and ``NOTIFY``."""
    return opcode.strip().upper() == _WAIT_OPCODE
