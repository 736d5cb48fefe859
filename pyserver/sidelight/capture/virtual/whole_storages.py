"""Storages that are handled without a tensor: by ``torch.load``, ``copy.deepcopy`` and sharding.

torch makes a device's storages by an allocator, which cannot be registered from Python.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from .storages import is_ours, storage_on_device


def install() -> None:
    """Have ``torch.UntypedStorage`` know the device from now on."""
    kind: Any = torch.UntypedStorage
    real_new, real_resize = kind.__new__, kind.resize_

    @functools.wraps(real_new)
    def new(cls: Any, *arguments: Any, device: Any = None, **keywords: Any) -> Any:
        if device is None or not is_ours(torch.device(device)):
            keywords.update({} if device is None else {"device": device})
            return real_new(cls, *arguments, **keywords)
        return storage_on_device(torch.empty(*arguments, dtype=torch.uint8))

    @functools.wraps(real_resize)
    def resize(storage: Any, size_bytes: int) -> Any:
        # Freeing a shard's storage, and finding it again, is all that programs do with it.
        if not is_ours(storage.device):
            return real_resize(storage, size_bytes)
        if size_bytes > storage.nbytes():
            raise RuntimeError(
                "A storage of the virtual device cannot be made larger; resize its tensor instead."
            )
        return storage

    kind.__new__, kind.resize_ = new, resize
