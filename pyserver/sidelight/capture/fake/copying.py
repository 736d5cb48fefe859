"""``copy.deepcopy`` of tensors without values, and of what is known of them."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

from .mode import ValuelessMode


def install(mode: ValuelessMode) -> None:
    """Have copies know what the copied tensor knows, from now on.

    Args:
        mode: The mode whose tensors they are.
    """

    plain: Any = torch.Tensor
    real = plain.__deepcopy__

    def deepcopy(tensor: FakeTensor, memo: dict[int, Any]) -> Any:
        known = tensor.constant
        if known is None or id(tensor) in memo:
            return real(tensor, memo)
        # torch copies all that a tensor has: a real one, which it would copy into the mode.
        with unset_fake_temporarily():
            memo[id(known)] = known.clone()
        copied = real(tensor, memo)
        mode.fake_tensor_converter.add_constant_storage_mapping(copied)
        return copied

    setattr(FakeTensor, "__deepcopy__", deepcopy)  # noqa: B010
