"""Which operators the device answers, and how.

What is registered nowhere here reaches the device's fallback, or is made of what does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Callable

import torch

from ..device import attention
from ..device.private import DEVICE_KEY
from ..device.whole_operators import WholeOperators
from . import copying, private, recurrent
from .answering import Answering, computed
from .dropout import dropout, dropout_backward
from .pinning import is_pinned, pinned
from .resizing import emptied, resized
from .storages import on_host

_aten: Any = torch.ops.aten

_LOOKS = (
    *(_aten.as_strided.default, _aten.view.default, _aten._reshape_alias.default),
    *(_aten.view.dtype, _aten.unfold.default, _aten.view_as_real.default),
    *(_aten.view_as_complex.default, _aten.as_strided_.default, _aten.set_.source_Tensor),
    *(_aten.set_.source_Storage, _aten.set_.source_Storage_storage_offset),
)
"""What only changes how memory is looked at: the CPU's kernels do that to whatever memory."""

_HOSTS = frozenset({"aten::_pin_memory", "aten::is_pinned"})
"""Operators of host tensors alone."""

_UNTOLD_LOOKS = frozenset(
    {
        *("aten::_unsafe_view", "aten::unsafe_split.Tensor", "aten::unsafe_split_with_sizes"),
        "aten::lift",
    }
)
"""Operators whose results are in an argument's memory, though their schemas do not say so."""

_OWN_FORMULAS: dict[Any, Callable[..., Any]] = {
    _aten.native_dropout.default: dropout,
    _aten.native_dropout_backward.default: dropout_backward,
    _aten._efficientzerotensor.default: torch.zeros,
    _aten._thnn_fused_lstm_cell.default: recurrent.lstm_cell,
    _aten._thnn_fused_lstm_cell_backward_impl.default: recurrent.lstm_cell_backward,
    _aten._thnn_fused_gru_cell.default: recurrent.gru_cell,
    _aten._thnn_fused_gru_cell_backward.default: recurrent.gru_cell_backward,
}
"""What torch asks of a device and not of the CPU: how the host computes it."""

_WITH_MEMORY = (torch.Tensor, torch.nn.Parameter)
"""The types of tensors that have memory of their own."""

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


def install(answering: Answering, whole_operators: WholeOperators) -> None:
    """Register the device's kernels.

    Args:
        answering: Answers.
        whole_operators: Tells of attention as one kernel, whichever way it goes.
    """
    answering.works.update(copying.works(answering))
    for operator, compute in _OWN_FORMULAS.items():
        answering.works[operator] = computed(operator, compute)

    kernels: dict[Any, Callable[..., Any]] = {
        **{operator: partial(answering.answer, operator) for operator in _composites()},
        **{look: private.cpu_kernel(look) for look in _LOOKS},
        _aten.set_.default: emptied,
        _aten.resize_.default: resized,
        _aten.record_stream.default: _kept_anyway,
        _aten._nested_tensor_from_mask_left_aligned.default: _are_apart,
    }
    fallback: Any = torch.library.Library("_", "IMPL")
    fallback.fallback(answering.answer, DEVICE_KEY)
    library: Any = torch.library.Library("aten", "IMPL")
    for operator, kernel in kernels.items():
        library.impl(operator, kernel, DEVICE_KEY)
    attention.install(_choice_of_attention, whole_operators.whole)
    library.impl(_aten._pin_memory.default, pinned, "CPU")
    library.impl(_aten.is_pinned.default, is_pinned, "CPU")
    _registered.extend((fallback, library))


def _choice_of_attention(*arguments: Any, **keywords: Any) -> int:
    """Which way the CPU has for an attention of the device's, or for one that is being compiled."""
    if all(map(_has_memory, arguments)):
        return _aten._fused_sdp_choice(*map(on_host, arguments), **keywords)
    with private.without_modes():
        return _aten._fused_sdp_choice(*map(_as_shaped, arguments), **keywords)


def _has_memory(argument: Any) -> bool:
    """Whether an argument is what it seems: a compiler's tensors are of types of their own."""
    return type(argument) in _WITH_MEMORY or not isinstance(argument, torch.Tensor)


def _as_shaped(argument: Any) -> Any:
    """What the CPU gets for an argument; for one without memory, memory that nobody looks at."""
    if _has_memory(argument):
        return on_host(argument)
    return torch.empty_strided(argument.size(), argument.stride(), dtype=argument.dtype)


def _kept_anyway(tensor: Any, stream: Any) -> None:
    """``tensor.record_stream(stream)``: memory is kept as long as a tensor has it."""


def _are_apart(sequences: Any, mask: Any) -> bool:
    """Whether each sequence's padding is at its end: if so, torch's encoder would nest them."""
    return False


def _composites() -> Iterator[Any]:
    """The operators that torch would make of others on a device without kernels for them.

    For many of those the CPU has a kernel. Answered whole, they are what they are on the CPU, and
    one answer instead of several.
    """
    for name in private.operator_names():
        is_ours = name.startswith("aten::") and name not in _HOSTS | _UNTOLD_LOOKS
        if is_ours and _is_composite(name):
            operator = private.overload(name)
            if not _shares_memory(operator):
                yield operator


def _is_composite(name: str) -> bool:
    """Whether torch makes an operator of others, unseen by autograd or unlike the CPU."""
    if name.endswith("out"):
        return False
    if private.has_kernel(name, "CompositeImplicitAutograd"):
        return private.has_kernel(name, "CPU")
    return any(private.has_kernel(name, key) for key in private.COMPOSITE_KEYS)


def _shares_memory(operator: Any) -> bool:
    """Whether an operator's result is in the memory of an argument."""
    results = private.schema_of(operator).returns
    return torch.Tag.inplace_view in operator.tags or any(
        result.alias_info is not None and not result.alias_info.is_write for result in results
    )
