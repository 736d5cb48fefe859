"""A forked child of a process without values: it computes as usual, and has no device."""

from __future__ import annotations

from typing import Any

import torch

from ..device.module import FORKED, NeuronDevice
from ..device.private import DEVICE_KEY

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


def refuse(device: NeuronDevice) -> None:
    """Say so of whatever the child would do with the device."""
    device.is_in_bad_fork = True
    library: Any = torch.library.Library("_", "IMPL")
    library.fallback(_refused, DEVICE_KEY)
    _registered.append(library)


def _refused(operator: Any, /, *arguments: Any, **keywords: Any) -> Any:
    raise RuntimeError(FORKED)
