"""What comes from DataLoaders: put together in worker processes, handed over, pinned."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from . import private
from .mode import ValuelessMode


def install(mode: ValuelessMode) -> None:
    """Have DataLoaders work from now on where their samples have no values.

    Args:
        mode: The mode of the samples' tensors.
    """
    aten = torch.ops.aten

    def pinned(func: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return mode.dispatch(aten.clone.default, (), arguments[:1], {})

    def around_storage(func: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        # A worker's tensors are real, and arrive as storages to make tensors around.
        tensor, storage, *rest = arguments
        if storage.device.type != "meta":
            storage = torch.UntypedStorage(storage.nbytes(), device="meta")
        return mode.dispatch(func, (), (tensor, storage, *rest), keywords)

    mode.rules[aten._pin_memory.default] = pinned
    mode.rules[aten.set_.source_Storage] = around_storage
    mode.rules[aten.set_.source_Storage_storage_offset] = around_storage
    real = private.putting_together[torch.Tensor]

    def together(batch: list[torch.Tensor], **keywords: Any) -> Any:
        if isinstance(batch[0], FakeTensor):
            return torch.stack(batch)  # torch would have the worker stack into shared memory.
        return real(batch, **keywords)

    private.putting_together[torch.Tensor] = together
