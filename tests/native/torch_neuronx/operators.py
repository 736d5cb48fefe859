"""Operators on the device: the host computes them, and the device is busy with them for a while."""

from __future__ import annotations

from itertools import count
from typing import Any, Final, cast

import torch

from . import runtime

_torch: Any = torch
_C: Any = _torch._C
_aten: Any = _torch.ops.aten

_HOST: Final = torch.device("cpu")
_WITHOUT_DEVICE: Any = _C.DispatchKeySet(_C.DispatchKey.CPU)

_FIRST_DURATION_NS: Final = 1_501
_duration_ns = count(_FIRST_DURATION_NS, 10)
"""No two pieces of work take equally long, so that one that is taken for another shows."""

_NO_WORK: Final = frozenset({"empty", "empty_strided", "empty_like", "_local_scalar_dense"})
"""Operators by their names that give the device nothing to do, beside those that make views."""

_libraries: list[Any] = []
"""What they register lasts as long as they do."""


def register() -> None:
    """Answer every operator of the device, which has its name already."""
    everything, some = (_torch.library.Library(name, "IMPL") for name in ("_", "aten"))
    everything.fallback(_answer, "PrivateUse1")
    some.impl("_copy_from", _copy_from, "PrivateUse1")
    some.impl("set_.source_Storage_storage_offset", _set, "PrivateUse1")
    _libraries.extend((everything, some))


def _answer(operator: Any, *arguments: Any, **keywords: Any) -> Any:
    schema = operator._schema
    is_view = any(
        value.alias_info is not None and not value.alias_info.is_write for value in schema.returns
    )
    if not is_view and schema.name.removeprefix("aten::") not in _NO_WORK:
        runtime.submit(schema.name, next(_duration_ns))
    host_arguments = [_on_host(value) for value in arguments]
    host_keywords = {name: _on_host(value) for name, value in keywords.items()}
    result = operator(*host_arguments, **host_keywords)
    if is_view:
        return _on_device(result, arguments[0].untyped_storage())
    written = _written(schema, arguments, keywords)
    if not written:
        return _on_device(result)
    for tensor, hosts in zip(written, _written(schema, host_arguments, host_keywords), strict=True):
        if tensor.size() != hosts.size():  # the host has given the result its size
            _set(tensor, _new_storage(hosts), 0, hosts.size(), hosts.stride())
    if result is None:
        return None
    return written[0] if len(written) == 1 else tuple(written)


def _copy_from(source: Any, target: Any, non_blocking: bool = False) -> Any:
    runtime.submit("aten::_copy_from", next(_duration_ns))
    _on_host(target).copy_(_on_host(source))
    return target


def _on_host(value: Any) -> Any:
    """An argument as the host takes it: its tensors over the same memory."""
    if isinstance(value, torch.Tensor):
        return value if value.device == _HOST else _over(value, _storage(value).on_host, _HOST)
    if isinstance(value, torch.device):
        return _HOST
    if isinstance(value, (list, tuple)):
        return [_on_host(item) for item in cast("list[Any]", value)]
    return value


def _on_device(value: Any, storage: Any = None) -> Any:
    """A result as the program gets it.

    Args:
        value: The host's result.
        storage: Of what its tensors are views, as the device knows it; None for no views.
    """
    if isinstance(value, torch.Tensor):
        storage = _new_storage(value) if storage is None else storage
        return _over(value, storage, torch.device("neuron", 0))
    if isinstance(value, (list, tuple)):
        return [_on_device(item, storage) for item in cast("list[Any]", value)]
    return value


def _storage(tensor: torch.Tensor) -> Any:
    return tensor.untyped_storage()


def _new_storage(hosts: torch.Tensor) -> Any:
    """A storage of the device over the memory of a tensor of the host's, which it keeps alive."""
    memory = _storage(hosts)
    device = torch.device("neuron", 0)
    storage = _C._construct_storage_from_data_pointer(memory.data_ptr(), device, memory.nbytes())
    storage.on_host = memory
    return storage


def _over(like: torch.Tensor, storage: Any, device: torch.device) -> Any:
    """A tensor over a storage, at the same place in it and of the same shape as another."""
    if device == _HOST:
        empty = torch.empty((), dtype=like.dtype)
    else:
        empty = _C._acc.create_empty_tensor((), like.dtype)
    return _set(empty, storage, like.storage_offset(), like.size(), like.stride())


def _set(tensor: Any, storage: Any, offset: Any, size: Any, stride: Any = ()) -> Any:
    return _aten.set_.source_Storage_storage_offset.redispatch(
        _WITHOUT_DEVICE, tensor, storage, offset, size, stride
    )


def _written(schema: Any, arguments: Any, keywords: dict[str, Any]) -> list[torch.Tensor]:
    """The tensors that an operator writes to, those of its lists included."""
    written: list[torch.Tensor] = []
    for position, argument in enumerate(schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = arguments[position] if position < len(arguments) else keywords[argument.name]
            written.extend([value] if isinstance(value, torch.Tensor) else value)
    return written
