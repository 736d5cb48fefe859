"""Which operators the device answers, and those whose answer is more than the CPU's on host memory.

What is registered nowhere here reaches the device's fallback, or is made of what does.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import copying, private
from .answering import Answering
from .attention import attention
from .dropout import dropout, dropout_backward
from .pinning import is_pinned, pinned
from .resizing import emptied, resized

_aten: Any = torch.ops.aten

_LOOKS = (
    *(_aten.as_strided.default, _aten.view.default, _aten._reshape_alias.default),
    *(_aten.view.dtype, _aten.unfold.default, _aten.view_as_real.default),
    *(_aten.view_as_complex.default, _aten.as_strided_.default, _aten.set_.source_Tensor),
    *(_aten.set_.source_Storage, _aten.set_.source_Storage_storage_offset),
)
"""What only changes how memory is looked at: the CPU's kernels do that to whatever memory."""

_MADE_OF_OTHERS = ("aten::_to_copy", "aten::_pin_memory", "aten::is_pinned", "aten::record_stream")
"""Operators that are about devices, which torch makes of others."""

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


def install(answering: Answering) -> None:
    """Register the device's kernels.

    Args:
        answering: Makes them.
    """
    others: Any = torch.library.Library("_", "IMPL")
    others.fallback(answering.fallback, private.DEVICE_KEY)
    library: Any = torch.library.Library("aten", "IMPL")
    _registered.extend((others, library))

    own: dict[Any, Callable[..., Any]] = {look: private.cpu_kernel(look) for look in _LOOKS}
    own[_aten.set_.default] = emptied
    own[_aten.resize_.default] = resized
    own[_aten.record_stream.default] = _kept_anyway
    own.update(copying.kernels(answering))
    for operator, compute in (
        (_aten.native_dropout.default, dropout),
        (_aten.native_dropout_backward.default, dropout_backward),
    ):
        own[operator] = answering.computed(operator, compute)
    for operator in _composites():
        if operator not in own:
            own[operator] = answering.computed(operator)
    for operator, kernel in own.items():
        library.impl(operator, kernel, private.DEVICE_KEY)
    for key in (private.DEVICE_KEY, private.AUTOGRAD_KEY):
        library.impl(_aten.scaled_dot_product_attention.default, attention, key)
    library.impl(_aten._pin_memory.default, pinned, "CPU")
    library.impl(_aten.is_pinned.default, is_pinned, "CPU")


def _kept_anyway(tensor: Any, stream: Any) -> None:
    """``tensor.record_stream(stream)``: memory is in use as long as a tensor has it."""


def _composites() -> list[Any]:
    """The operators that torch would make of others on a device without kernels for them.

    The CPU has kernels of its own for many of those. Answered whole, they are what they are on the
    CPU, and one answer instead of several.
    """
    return [
        operator
        for name in private.operator_names()
        if name.startswith("aten::") and name not in _MADE_OF_OTHERS and _is_composite(name)
        for operator in (private.overload(name),)
        if not _is_look(operator)
    ]


def _is_composite(name: str) -> bool:
    return not name.endswith("out") and any(
        private.has_kernel(name, key) for key in private.COMPOSITE_KEYS
    )


def _is_look(operator: Any) -> bool:
    """Whether an operator's result is in the memory of an argument."""
    results = private.schema_of(operator).returns
    return torch.Tag.inplace_view in operator.tags or any(
        result.alias_info is not None and not result.alias_info.is_write for result in results
    )
