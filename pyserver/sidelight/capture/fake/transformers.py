"""What torch's transformers ask of masks: whether one is causal, whether padding is at the end."""

from __future__ import annotations

import functools
from typing import Any

import torch

from . import private
from .mode import ValuelessMode

_aten: Any = torch.ops.aten

_CAUSAL = "_sidelight_causal"
"""The attribute of masks that torch made to be causal."""


def install(mode: ValuelessMode) -> None:
    """Have causal masks be known from now on, and no tensors be nested.

    Args:
        mode: The mode whose tensors the masks are.
    """
    make = private.transformer._generate_square_subsequent_mask

    @functools.wraps(make)
    def made(*arguments: Any, **keywords: Any) -> Any:
        mask = make(*arguments, **keywords)
        setattr(mask, _CAUSAL, True)
        return mask

    def copied(func: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A causal mask is one in another type and on another device too."""
        copy = mode.dispatch(func, (), arguments, keywords)
        if is_causal(arguments[0]):
            setattr(copy, _CAUSAL, True)
        return copy

    private.transformer._generate_square_subsequent_mask = made
    mode.rules[_aten._to_copy.default] = copied
    # Whether the padding of each sequence is at its end: if so, torch would nest them.
    private.operators._nested_tensor_from_mask_left_aligned = _are_apart


def _are_apart(sequences: torch.Tensor, mask: torch.Tensor) -> bool:
    return False


def is_causal(mask: Any) -> bool:
    """Whether torch made a mask to be causal."""
    return getattr(mask, _CAUSAL, False)
