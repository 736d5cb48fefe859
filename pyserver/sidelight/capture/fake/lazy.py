"""Parameters and buffers that get their shape when a layer is first called (``nn.LazyLinear``)."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy

from . import private
from .mode import ValuelessMode

_Lazy: Any = UninitializedParameter
_LazyBuffer: Any = UninitializedBuffer
_Fake: Any = FakeTensor


class _Parameter(_Lazy, FakeTensor):
    """A parameter to be, which becomes a tensor of the mode's."""

    cls_to_become = FakeTensor
    shape = torch.Tensor.shape  # torch has it raise, but the mode asks it too.

    def materialize(self, *arguments: Any, **keywords: Any) -> None:
        """Take a shape, and perhaps another device and type."""
        _Lazy.materialize(self, *arguments, **keywords)
        setattr(self, "_is_param", True)  # noqa: B010


class _Buffer(_LazyBuffer, FakeTensor):
    """The same for a buffer."""

    cls_to_become = FakeTensor
    shape = torch.Tensor.shape


def moved(tensor: torch.Tensor, converted: torch.Tensor) -> Any:
    """A tensor that was converted; it still waits for its shape if it did before."""
    if not is_lazy(tensor):
        return converted
    kind: Any = type(tensor)
    return kind(tensor.requires_grad, converted.device, converted.dtype)


def install(mode: ValuelessMode) -> None:
    """Have layers make them from now on.

    Args:
        mode: The mode whose tensors they become.
    """

    def made(kind: Any, requires_grad: bool, device: Any, dtype: Any) -> Any:
        where = torch.empty(0, device=device, dtype=dtype)
        with private.without_modes():
            nothing = torch.empty(0, device="meta", dtype=where.dtype)
        return _Fake.__new__(kind, mode, nothing, where.device, requires_grad=requires_grad)

    def parameter(kind: Any, requires_grad: bool = True, device: Any = None, dtype: Any = None):
        return made(_Parameter, requires_grad, device, dtype)

    def buffer(
        kind: Any,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> Any:
        tensor = made(_Buffer, requires_grad, device, dtype)
        tensor.persistent, tensor._is_buffer = persistent, True
        return tensor

    _Lazy.__new__ = staticmethod(parameter)
    _LazyBuffer.__new__ = staticmethod(buffer)
