"""The device's memory: each of its storages lies over one of the host's, which has the values.

To torch the device's tensors are tensors like others, so that views, gradients, and whatever else
it does without a kernel work as on any device.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

from ..device.private import storage_over
from . import private

DEVICE = torch.device("privateuseone", 0)
"""The device under the name that it has before it is registered, and keeps."""

_HOST = torch.device("cpu")

_aten: Any = torch.ops.aten

_set_storage = private.cpu_kernel(_aten.set_.source_Storage_storage_offset)
_strided = private.cpu_kernel(_aten.as_strided.default)


class _Watcher:
    """Who is told of each storage that the device gets, and of other numbers than its own."""

    made: Callable[[Any, torch.device], None] | None = None
    named: Callable[[int], None] | None = None


def watch(made: Callable[[Any, torch.device], None], named: Callable[[int], None]) -> None:
    """Tell of each storage that the device gets from now on, and of how it is named.

    Args:
        made: Called with the storage and the device.
        named: Called with a number, other than 0, by which a program names the device.
    """
    _Watcher.made = made
    _Watcher.named = named


def storage_on_device(host: torch.Tensor) -> Any:
    """A storage of the device's over that of a host tensor, which it keeps alive.

    torch keeps the Python object of a storage, and with it the attribute, as long as the storage.
    """
    memory: Any = host.untyped_storage()
    storage = storage_over(memory.data_ptr(), DEVICE, memory.nbytes())
    storage.host = host
    if _Watcher.made is not None:
        _Watcher.made(storage, DEVICE)
    return storage


def on_device(host: Any) -> Any:
    """The device's tensor over the memory of a host tensor."""
    tensor = placed(host, storage_on_device(host))
    if host.is_conj():
        tensor = _aten._conj(tensor)
    return _aten._neg_view(tensor) if host.is_neg() else tensor


def placed(host: torch.Tensor, storage: Any) -> torch.Tensor:
    """A tensor that lies in a storage of the device's as a host tensor lies in its own."""
    return moved(private.empty_tensor((), host.dtype), host, storage)


def moved(tensor: torch.Tensor, host: torch.Tensor, storage: Any) -> torch.Tensor:
    """The same tensor, from now on lying in a storage as a host tensor lies in its own."""
    return _set_storage(tensor, storage, host.storage_offset(), host.size(), host.stride())


def on_host(argument: Any) -> Any:
    """What the CPU gets for an argument: a tensor of the device's as one over the same memory.

    Tensors of the host's, and what is no tensor, stay what they are.
    """
    try:
        host = argument.untyped_storage().host
    except AttributeError:
        return over_memory(argument) if is_on_device(argument) else argument
    except NotImplementedError:
        return argument  # It has no storage.
    if (
        argument.dtype is host.dtype
        and argument.size() == host.size()
        and argument.stride() == host.stride()
        and argument.storage_offset() == host.storage_offset()
        and not argument.is_neg()
        and not argument.is_conj()
    ):
        return host
    return _host_view(argument, host)


def over_memory(tensor: Any) -> torch.Tensor:
    """A host tensor over the memory of one of the device's, which it cannot make larger.

    The device's tensor has to outlive it.
    """
    storage = tensor.untyped_storage()
    memory = storage_over(storage.data_ptr(), _HOST, storage.nbytes())
    return moved(torch.empty(0, dtype=tensor.dtype), tensor, memory)


def is_on_device(argument: Any) -> bool:
    """Whether an argument is a tensor of the device's."""
    return isinstance(argument, torch.Tensor) and is_ours(argument.device)


def is_ours(device: Any) -> bool:
    """Whether a device, as an operator gets it, is the one that stands for the chip."""
    return device is not None and device.type == DEVICE.type


def is_wanted(device: Any) -> bool:
    """Whether what a program wants on a device is to be on this one, whatever its number."""
    if not is_ours(device):
        return False
    if device.index and _Watcher.named is not None:
        _Watcher.named(device.index)
    return True


def _host_view(tensor: Any, host: Any) -> torch.Tensor:
    size, stride, offset = tensor.size(), tensor.stride(), tensor.storage_offset()
    if tensor.dtype is host.dtype:
        view = _strided(host, size, stride, offset)
    else:
        empty = torch.empty(0, dtype=tensor.dtype)
        view = _set_storage(empty, host.untyped_storage(), offset, size, stride)
    if tensor.is_conj():
        view = _aten._conj(view)
    return _aten._neg_view(view) if tensor.is_neg() else view
