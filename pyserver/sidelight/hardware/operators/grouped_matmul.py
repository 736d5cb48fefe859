"""Grouped matrix products: rows, columns or contraction in groups, each with a matrix of its own.

Where the groups end is in values, which are not known; what they take together is known without
them, and that they are of equal size is assumed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..calls import OperatorCall
from ..dtypes import numbers_in_element
from ..tensors import Tensor, total_bytes
from ..work import Matmul, Work
from .quantized_matmul import has_block_scales
from .rule import Rule


def _grouped(*, offsets_at: int, dtype_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        left, right, offsets = call.tensor(0), call.tensor(1), call.tensor(offsets_at)
        if not (left and right) or len(left.shape) < 2 or len(right.shape) < 2:
            return None
        products, result = _products(left, right, offsets.numel if offsets else 1)
        flops = 2 * left.numel * right.shape[-1]
        if len(left.shape) > len(right.shape):  # each group has columns of its own
            flops //= products.batch
        products = replace(
            products,
            k=products.k * numbers_in_element(left.dtype),
            has_block_scales=has_block_scales(call),
        )
        is_scaled = left.dtype.startswith(("float8", "float4"))
        dtype = call.dtype(dtype_at) or ("bfloat16" if is_scaled else left.dtype)
        return Work(
            "grouped matrix products",
            flops=flops,
            read_bytes=total_bytes(call.tensors),
            written_bytes=Tensor(result, dtype).nbytes,
            matmuls=(products,),
            dtype=left.dtype,
        )

    return work


def _products(left: Tensor, right: Tensor, ends: int) -> tuple[Matmul, tuple[int, ...]]:
    """The products, and the shape of the result.

    Args:
        left: ``[rows, k]`` or ``[groups, rows, k]``.
        right: ``[k, columns]`` or ``[groups, k, columns]``.
        ends: How many ends of groups are given.
    """
    (m, k), n = left.shape[-2:], right.shape[-1]
    if len(left.shape) == 3 and len(right.shape) == 3:
        groups = left.shape[0]
        return Matmul(groups, m, k, n, left.dtype), (groups, m, n)
    if len(right.shape) == 3:
        groups = max(right.shape[0], 1)
        return Matmul(groups, -(-m // groups), k, n, left.dtype), (m, n)
    if len(left.shape) == 3:
        groups = max(left.shape[0], 1)
        return Matmul(groups, m, k, -(-n // groups), left.dtype), (m, n)
    groups = max(ends, 1)
    return Matmul(groups, m, -(-k // groups), n, left.dtype), (groups, m, n)


RULES: Final[dict[str, Rule]] = {
    "_grouped_mm": _grouped(offsets_at=2, dtype_at=4),
    "_scaled_grouped_mm": _grouped(offsets_at=4, dtype_at=7),
    "_scaled_grouped_mm_v2": _grouped(offsets_at=8, dtype_at=10),
}
