"""``torch.autocast("neuron", ...)``: which operators take which type on the device.

torch has such tables for each device that it knows itself. Ours follows what those for
accelerators have in common: matrix products in the lower precision, what loses too much there in
float32, everything else as it comes.
"""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch.library import Library, fallthrough_kernel
from torch.utils._pytree import tree_map

from . import private

_LOWER_PRECISION = (
    *("linear", "matmul", "mm", "bmm", "mv", "addmm", "addbmm", "baddbmm", "addmv", "addr"),
    *("conv1d", "conv2d", "conv3d", "convolution", "_convolution"),
    *("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    *("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell"),
    *("scaled_dot_product_attention", "prelu"),
)

_FLOAT32 = (
    *("exp", "expm1", "log", "log10", "log1p", "log2", "pow", "reciprocal", "rsqrt", "softplus"),
    *("layer_norm", "group_norm", "norm", "cosine_similarity", "logsumexp", "cdist", "dist"),
    *("nll_loss", "nll_loss2d", "nll_loss_nd", "mse_loss", "l1_loss", "smooth_l1_loss"),
    *("huber_loss", "kl_div", "binary_cross_entropy_with_logits", "cosine_embedding_loss"),
)

_FLOAT32_RESULT = ("softmax", "log_softmax")
"""Operators that are told the type to work in, so that their input is not copied first."""

_Cast = Callable[..., Any]

_registered: list[Any] = []
"""What is registered holds as long as its library lives."""


def install(device: str) -> None:
    """Register the table for a device.

    Args:
        device: The name that the backend was given.
    """
    others: Any = Library("_", "IMPL", private.AUTOCAST_KEY)
    others.fallback(fallthrough_kernel)
    table: Any = Library("aten", "IMPL", private.AUTOCAST_KEY)
    for names, dtype_of in (
        (_LOWER_PRECISION, lambda: torch.get_autocast_dtype(device)),
        (_FLOAT32, lambda: torch.float32),
    ):
        for name in names:
            operators = getattr(torch.ops.aten, name)
            for overload in operators.overloads():
                if not overload.endswith("out"):
                    operator = getattr(operators, overload)
                    table.impl(operator, _casting(operator, device, dtype_of))
    for name in _FLOAT32_RESULT:
        operator = getattr(torch.ops.aten, name).int
        table.impl(operator, _widening(operator, device))
    _registered.extend((others, table))


def _casting(operator: Any, device: str, dtype_of: Callable[[], torch.dtype]) -> _Cast:
    def cast_and_call(*arguments: Any, **keywords: Any) -> Any:
        dtype = dtype_of()

        def cast(value: Any) -> Any:
            return value.to(dtype) if _is_castable(value, device) else value

        with private.without_autocast(private.autocast_keys):
            arguments, keywords = tree_map(cast, (arguments, keywords))
            return operator(*arguments, **keywords)

    return cast_and_call


def _widening(operator: Any, device: str) -> _Cast:
    def widen_and_call(
        tensor: torch.Tensor, dimension: int, dtype: torch.dtype | None = None
    ) -> Any:
        if dtype is None and _is_castable(tensor, device):
            dtype = torch.float32
        with private.without_autocast(private.autocast_keys):
            return operator(tensor, dimension, dtype)

    return widen_and_call


def _is_castable(value: Any, device: str) -> bool:
    return (
        isinstance(value, torch.Tensor)
        and value.is_floating_point()
        and value.dtype is not torch.float64
        and value.device.type == device
    )
