"""Dropout, with the numbers that it has on the CPU.

torch asks a device for ``native_dropout``, and the CPU for the operators that it is made of there;
both draw the same elements and differ in rounding. A seed is to give what it gives on the CPU.
"""

from __future__ import annotations

from typing import Any

import torch


def dropout(values: Any, probability: float, train: Any) -> tuple[Any, Any]:
    """What is left of host values, each scaled, and which those are."""
    if train is False or probability == 0:
        return values.clone(), torch.ones_like(values, dtype=torch.bool)
    kept = 1 - probability
    if kept == 0:
        return torch.zeros_like(values), torch.zeros_like(values, dtype=torch.bool)
    noise = torch.empty_like(values).bernoulli_(kept)
    mask = noise.bool()
    return values * noise.div_(kept), mask


def dropout_backward(gradient: Any, mask: Any, scale: float) -> Any:
    """The gradient of the same, on the host.

    Args:
        gradient: Of the result, of any shape.
        mask: Which elements are left, of the same shape.
        scale: By how much those were scaled.
    """
    if scale == 0:
        return gradient * mask * 0.0
    return gradient * mask.to(gradient.dtype).div_(1 / scale)
