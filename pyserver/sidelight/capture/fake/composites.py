"""Operators that are made of others: taken apart before they are answered.

As a rule autograd takes them apart. Where it takes no part, as under ``torch.inference_mode()``,
they arrive whole, and what they call is the program's work as ever.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Callable

from ..device.private import DEVICE_KEY
from . import private

_MADE_OF_OTHERS = "CompositeImplicitAutograd"

_HOST_KEY = "CPU"


@cache
def is_composite(operator: Any) -> bool:
    """Whether an operator is made of others wherever there is no other way."""
    return isinstance(operator, private.Overload) and _has(operator, _MADE_OF_OTHERS)


@cache
def composite_kernel(operator: Any, on_device: bool) -> Callable[..., Any] | None:
    """What calls the operators that a composite one is made of; None where there is another way.

    Args:
        operator: The operator.
        on_device: Whether its tensors are the device's, which takes some apart in its own way.
    """
    if on_device and _has(operator, DEVICE_KEY):
        return private.kernel(operator, DEVICE_KEY)
    if not on_device and _has(operator, _HOST_KEY):
        return None
    return private.kernel(operator, _MADE_OF_OTHERS)


def _has(operator: Any, key: str) -> bool:
    return private.has_kernel(operator.name(), key)
