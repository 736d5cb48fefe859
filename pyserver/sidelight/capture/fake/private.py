"""What torch keeps to itself and the fake target stands on, beside FakeTensorMode, in one place.

A torch that keeps some of it elsewhere fails here, before the script runs; what a version may lack
is None.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

_torch: Any = torch
_backends: Any = import_module("torch.utils.backend_registration")

row: Any = _torch._C._profiler._RecordFunctionFast
"""Makes a row of the profiler's, of a given name, to be entered and exited."""

device_of: Any = _torch.ops.prim.device.default
"""The operator that torch asks a tensor's device by."""

can_assign: Any = _torch._has_compatible_shallow_copy_type
"""Whether ``tensor.data = other`` is possible, by the tensor and the other."""

register_device: Any = getattr(_backends, "_setup_privateuseone_for_python_backend", None)
"""Gives a device that is written in Python its name and module."""

registered_device: Any = _torch._C._get_privateuse1_backend_name
"""The name of the device that was registered, or a general one."""

without_autocast: Any = _torch._C._ExcludeDispatchKeyGuard
"""Within it, the autocast of the given keys takes no part."""

AUTOCAST_KEY = "AutocastPrivateUse1"
"""The registered device's autocast, as operators are registered for it."""

autocast_keys: Any = _torch._C.DispatchKeySet(_torch._C.DispatchKey.AutocastPrivateUse1)
"""The same, to go without it."""

compiled: Any = import_module("torch._dynamo.eval_frame").OptimizeContext
"""Called with a function, gives the one that is compiled when it is called."""

putting_together: dict[Any, Any] = import_module(
    "torch.utils.data._utils.collate"
).default_collate_fn_map
"""How a DataLoader makes a batch of samples, by their type."""

known_to_foreach: list[list[Any]] = [
    import_module(name)._foreach_supported_types
    for name in ("torch.optim.optimizer", "torch.utils._foreach_utils")
]
"""The types of tensors that operators over lists (``_foreach_…``) are chosen for."""


def storage_key(tensor: Any) -> int:
    """The identity of a tensor's storage.

    Raises:
        NotImplementedError, RuntimeError: It has none of its own (sparse tensors).
    """
    return tensor.untyped_storage()._cdata


def close(opened: Any) -> None:
    """Exit a row, or drop it where the recording has begun or ended in between."""
    try:
        opened.__exit__(None, None, None)
    except RuntimeError:
        return  # torch wants no half of a row
