"""Modules and tensors that change type or device: ``module.to(...)``, ``tensor.data = other``.

torch keeps a fake tensor's device beside the tensor, where the assignment does not reach it. And
instead of assigning, its modules exchange fake tensors, which it refuses while a profiler remembers
their shapes. Here both do what they do with real tensors.
"""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.nn import Module, Parameter
from torch.nn.parameter import is_lazy

from . import private
from .lazy import moved
from .mode import ValuelessMode

_DATA: Any = torch.Tensor.data

_Convert = Callable[[torch.Tensor], torch.Tensor]


class Conversion:
    """Converts in torch's stead, from its making on.

    Args:
        mode: The mode whose tensors are converted.
    """

    def __init__(self, mode: ValuelessMode) -> None:
        self._mode = mode
        tensor: Any = FakeTensor
        tensor.data = property(_DATA.__get__, self._assign, _DATA.__delete__)
        setattr(Module, "_apply", _convert_module)  # noqa: B010

    def _assign(self, tensor: FakeTensor, other: torch.Tensor) -> None:
        self._mode.forget_values(tensor)
        _DATA.__set__(tensor, other)
        if isinstance(other, FakeTensor):
            tensor.fake_device = other.fake_device


def _convert_module(module: Any, convert: _Convert, recurse: bool = True) -> Module:
    """Stands for ``Module._apply``: parameters stay the objects they are wherever they can."""
    if recurse:
        for child in module.children():
            child._apply(convert)
    for name, parameter in module._parameters.items():
        if parameter is not None:
            module._parameters[name] = _convert_parameter(parameter, convert)
    for name, buffer in module._buffers.items():
        if buffer is not None:
            module._buffers[name] = moved(buffer, convert(buffer))
    return module


def _convert_parameter(parameter: Parameter, convert: _Convert) -> Parameter:
    gradient = parameter.grad
    with torch.no_grad():
        converted = convert(parameter)
        converted_gradient = None if gradient is None else convert(gradient)
    keeps_identity = not torch.__future__.get_overwrite_module_params_on_conversion()
    if keeps_identity and private.can_assign(parameter, converted):
        # A gradient must be of its parameter's type, so that it waits aside.
        parameter.grad = None
        parameter.data = converted
    elif is_lazy(parameter):
        parameter = moved(parameter, converted)
    else:
        parameter = Parameter(converted, parameter.requires_grad)
    parameter.grad = converted_gradient
    return parameter
