"""Pinned memory: nothing needs it here, so that a pinned tensor is a copy that says it is one."""

from __future__ import annotations

from typing import Any

import torch

_aten: Any = torch.ops.aten


def pinned(tensor: Any, device: Any = None) -> Any:
    """``tensor.pin_memory()``, of a host tensor that is not pinned."""
    copy: Any = tensor.clone()
    copy.untyped_storage().is_pinned_for_device = True
    return copy


def is_pinned(tensor: Any, device: Any = None) -> bool:
    """``tensor.is_pinned()``, of a host tensor."""
    return hasattr(tensor.untyped_storage(), "is_pinned_for_device")
