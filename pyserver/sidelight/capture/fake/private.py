"""What torch keeps to itself and the fake target stands on, beside FakeTensorMode, in one place.

A torch that keeps some of it elsewhere fails here, before the script runs; what a version may lack
is None.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

_torch: Any = torch

device_of: Any = _torch.ops.prim.device.default
"""The operator that torch asks a tensor's device by."""

can_assign: Any = _torch._has_compatible_shallow_copy_type
"""Whether ``tensor.data = other`` is possible, by the tensor and the other."""

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
