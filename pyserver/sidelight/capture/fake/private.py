"""What torch keeps to itself and the fake target stands on, beside FakeTensorMode, in one place.

A torch that keeps some of it elsewhere fails here, before the script runs; what a version may lack
is None.
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import Any, Callable

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

Overload: Any = import_module("torch._ops").OpOverload
"""The type of operators; what is not of it takes functions (control flow)."""

operators: Any = torch
"""The operators as torch's own Python code calls them, where it goes through ``torch`` itself."""

transformer: Any = import_module("torch.nn.modules.transformer")
"""Its ``_generate_square_subsequent_mask`` makes a causal mask, also to compare others with."""

functions: Any = import_module("torch._VF")
"""Operators as torch's own Python code calls them."""

without_modes: Any = import_module("torch.utils._python_dispatch")._disable_current_modes
"""Within it, tensors are made as usual."""

broadcast_shapes: Any = _torch.broadcast_shapes
"""The shape that several shapes broadcast to."""

dlpack: Any = import_module("torch.utils.dlpack")
"""Tensors as other libraries take them."""

batch_norm: Any = _torch.ops.aten.native_batch_norm.default
"""An operator that writes to its fourth and fifth argument."""


@cache
def _written_lists(operator: Any) -> tuple[tuple[int, str], ...]:
    """Position and name of each list of tensors that an operator writes to."""
    return tuple(
        (position, argument.name)
        for position, argument in enumerate(operator._schema.arguments)
        if argument.alias_info is not None
        and argument.alias_info.is_write
        and "List" in str(argument.type)
    )


def lists_written_to(operator: Any, arguments: Any, keywords: Any) -> list[Any]:
    """What is in the lists of tensors that an operator writes to."""
    lists = (
        keywords.get(name) if position >= len(arguments) else arguments[position]
        for position, name in _written_lists(operator)
    )
    return [tensor for each in lists for tensor in each or ()]


has_kernel: Any = _torch._C._dispatch_has_kernel_for_dispatch_key
"""Whether an operator of a name has a kernel of its own for a key."""


def kernel(operator: Any, key: str) -> Callable[..., Any]:
    """The kernel that an operator has for a key; what it calls is recorded, it is not."""
    return partial(operator._op_dk, getattr(_torch._C.DispatchKey, key))
