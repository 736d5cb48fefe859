"""Scaled dot product attention, as the CPU has it: in one operator where it can.

torch asks a kernel that Python cannot register which way a device has; without one it takes the
attention apart.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import private

_aten: Any = torch.ops.aten

_FUSED = 1
"""How the CPU's choice names the way in one operator."""


_registered: list[Any] = []
"""What is registered holds as long as its library lives."""

_Choose = Callable[..., int]

_Whole = Callable[[Any, Callable[..., Any]], Callable[..., Any]]


def install(choose: _Choose, whole: _Whole = lambda _, compute: compute) -> None:
    """Register the device's attention.

    Args:
        choose: Gives the CPU's choice of the way, ``aten::_fused_sdp_choice``, for the device's
            tensors and the other arguments.
        whole: Makes a kernel of an operator and of what computes it.
    """
    operator = _aten.scaled_dot_product_attention.default
    kernel = whole(operator, _attention(choose))
    library: Any = torch.library.Library("aten", "IMPL")
    for key in (private.DEVICE_KEY, private.AUTOGRAD_KEY):
        library.impl(operator, kernel, key)
    _registered.append(library)


def _attention(choose: _Choose) -> Callable[..., Any]:
    def attention(
        query: Any,
        key: Any,
        value: Any,
        mask: Any = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Any:
        """``scaled_dot_product_attention``; shapes and errors are torch's own."""
        choice = choose(
            *(query, key, value, mask, dropout_p, is_causal), scale=scale, enable_gqa=enable_gqa
        )
        if mask is not None and mask.dtype is torch.bool:
            # As torch does before it goes either way: what is masked weighs nothing.
            mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(~mask, float("-inf"))
        if choice != _FUSED:
            mixed, _ = _aten._scaled_dot_product_attention_math(
                query, key, value, mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
            )
            return mixed
        mixed, _ = _aten._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, dropout_p, is_causal, attn_mask=mask, scale=scale
        )
        return mixed

    return attention
