"""What torch keeps to itself and the virtual device stands on, in one place.

A torch that keeps some of it elsewhere fails here, before the script runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Callable

import torch

from ..device.private import without_autocast

_torch: Any = torch

if not hasattr(_torch._C, "_acc"):
    raise ImportError("it cannot have a device that is written in Python, as 2.10 and newer can")

empty_tensor: Any = _torch._C._acc.create_empty_tensor
"""A tensor of the registered device, of a shape and a type, without memory."""

autocasts: Any = _torch.is_autocast_enabled
"""Whether operators take the tensors of a kind of device in another type than they are in."""

_cpu_autocast: Any = _torch._C.DispatchKeySet(_torch._C.DispatchKey.AutocastCPU)


def without_cpu_autocast() -> Any:
    """Within it, the CPU's operators take tensors as they are."""
    return without_autocast(_cpu_autocast)


without_modes: Any = import_module("torch.utils._python_dispatch")._disable_current_modes
"""Within it, no compiler is told of operators."""

operator_names: Any = _torch._C._dispatch_get_all_op_names
"""The names of all operators that are registered."""

has_kernel: Any = _torch._C._dispatch_has_kernel_for_dispatch_key
"""Whether an operator of a name has a kernel of its own for a key."""

COMPOSITE_KEYS = ("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
"""Kernels that work on every device, by calling other operators; autograd knows them whole."""

_cpu_kernels: Any = _torch._C.DispatchKeySet(_torch._C.DispatchKey.CPU)


def cpu_kernel(operator: Any) -> Callable[..., Any]:
    """The CPU's own kernel of an operator's, whatever the device of the tensors it is called with.

    The call is recorded by no profiler, and seen by neither autograd nor autocast.
    """
    kernel = operator._handle.redispatch_boxed
    keys = _cpu_kernels
    return lambda *arguments: kernel(keys, *arguments)


def overload(name: str) -> Any:
    """The operator of a registered name, as ``aten::add.Tensor`` is one."""
    namespace, _, rest = name.partition("::")
    packet, _, overload_name = rest.partition(".")
    return getattr(getattr(getattr(_torch.ops, namespace), packet), overload_name or "default")


def schema_of(operator: Any) -> Any:
    """What an operator takes and gives, and which of it is written or shared."""
    return operator._schema


def unguarded(operator: Any) -> Callable[..., Any]:
    """An operator as torch's C++ has it, which is called without a Python frame in between."""
    return operator._op
