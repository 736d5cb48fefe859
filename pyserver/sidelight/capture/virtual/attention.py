"""Scaled dot product attention, as the CPU has it: in one operator where it can.

torch asks a kernel that Python cannot register which way a device has; without one it takes the
attention apart.
"""

from __future__ import annotations

from typing import Any

import torch

from .storages import on_host

_aten: Any = torch.ops.aten

_FUSED = 1
"""How the CPU's choice names the way in one operator."""


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
    hosts = [on_host(tensor) for tensor in (query, key, value, mask)]
    choice = _aten._fused_sdp_choice(
        *hosts, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
    )
    if choice != _FUSED:
        mixed, _ = _aten._scaled_dot_product_attention_math(
            query, key, value, mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
        )
        return mixed
    if mask is not None and mask.dtype is torch.bool:
        # As torch does before it goes either way: what is masked weighs nothing.
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(~mask, float("-inf"))
    mixed, _ = _aten._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, dropout_p, is_causal, attn_mask=mask, scale=scale
    )
    return mixed
