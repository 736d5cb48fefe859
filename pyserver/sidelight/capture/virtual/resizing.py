"""Operators that give a tensor of the device's other memory than it had."""

from __future__ import annotations

from typing import Any

import torch

from .storages import moved, storage_on_device


def emptied(tensor: Any) -> Any:
    """``tensor.set_()``: no memory at all."""
    nothing = torch.empty(0, dtype=tensor.dtype)
    return moved(tensor, nothing, storage_on_device(nothing))


def resized(tensor: Any, size: Any, *, memory_format: Any = None) -> Any:
    """``tensor.resize_(size)``: its memory where that is enough, else more, with what was in it.

    Tensors that shared the memory go on with what there was.
    """
    room = _lying(torch.UntypedStorage(0), tensor.dtype, tensor.storage_offset(), (0,))
    room.resize_(size, memory_format=memory_format or torch.contiguous_format)
    memory, enough = tensor.untyped_storage(), room.untyped_storage()
    kept_bytes = memory.nbytes()
    if enough.nbytes() <= kept_bytes:
        return moved(tensor, room, memory)
    kept = _lying(memory.host.untyped_storage(), torch.uint8, 0, (kept_bytes,))
    _lying(enough, torch.uint8, 0, (kept_bytes,)).copy_(kept)
    return moved(tensor, room, storage_on_device(room))


def _lying(memory: Any, dtype: torch.dtype, offset: int, size: tuple[int, ...]) -> Any:
    """A host tensor that lies in a memory of the host's."""
    tensor: Any = torch.empty(0, dtype=dtype)
    return tensor.set_(memory, offset, size)
