"""What torch keeps to itself and a stand-in for the device stands on, in one place.

A torch that keeps some of it elsewhere fails here, before the script runs; what a version may lack
is None.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

_torch: Any = torch
_backends: Any = import_module("torch.utils.backend_registration")

register_device: Any = getattr(_backends, "_setup_privateuseone_for_python_backend", None)
"""Gives a device that is written in Python its name and module."""

registered_device: Any = _torch._C._get_privateuse1_backend_name
"""The name of the device that was registered, or a general one."""

UNNAMED_DEVICE = "privateuseone"
"""The general one."""

without_autocast: Any = _torch._C._ExcludeDispatchKeyGuard
"""Within it, the autocast of the given keys takes no part."""

storage_over: Any = _torch._C._construct_storage_from_data_pointer
"""A storage of a device over memory that it does not own: address, device, size in bytes."""

_profiler: Any = import_module("torch.autograd.profiler")

next_node: Any = _torch._C._autograd._get_sequence_nr
"""The number of the next node that autograd makes on the current thread."""

current_node: Any = _torch._C._current_autograd_node
"""The node that autograd evaluates on the current thread; None for none."""

early_stop: Any = getattr(import_module("torch.utils.checkpoint"), "_StopRecomputationError", None)
"""What torch raises where it has computed enough of a checkpoint again."""

DEVICE_KEY = "PrivateUse1"
"""The registered device, as operators are registered for it."""

AUTOGRAD_KEY = "AutogradPrivateUse1"
"""The registered device's autograd."""

AUTOCAST_KEY = "AutocastPrivateUse1"
"""The registered device's autocast, as operators are registered for it."""

autocast_keys: Any = _torch._C.DispatchKeySet(_torch._C.DispatchKey.AutocastPrivateUse1)
"""The same, to go without it."""


def is_recorded() -> bool:
    """Whether a profiler records, on whatever thread."""
    return _profiler._is_profiler_enabled


def storage_key(tensor: Any) -> int:
    """The identity of a tensor's storage.

    Raises:
        NotImplementedError, RuntimeError: It has none of its own (sparse tensors).
    """
    return tensor.untyped_storage()._cdata
