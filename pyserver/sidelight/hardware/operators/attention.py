"""Scaled dot-product attention: one kernel, forward and backward.

FLOPs as torch's flop counter has them: two products forward; backward five with the scores computed
anew. A causal mask shortens nothing there, nor here. Scores stay in SBUF: HBM holds queries, keys,
values and the result only. On the way, each score passes the Scalar Engine once (its exponential)
and the Vector Engine twice (maximum; rescaling and cast), and is transposed on the Tensor Engine
for the second product, as its contraction must lie along the partitions (NKI fused attention
tutorial).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Matmul, Work

Rule = Callable[[OperatorCall], Optional[Work]]


def _sizes(query: Tensor, key: Tensor, value: Tensor) -> tuple[int, int, int, int, int] | None:
    """Batch times heads, length of queries, length of keys, head size, and that of values."""
    if len(query.shape) < 3 or len(key.shape) < 2 or len(value.shape) < 2:
        return None
    batch = product(query.shape[:-2])
    return batch, query.shape[-2], key.shape[-2], query.shape[-1], value.shape[-1]


def attention_work(query: Tensor, key: Tensor, value: Tensor) -> Work | None:
    """Queries, keys and values ``[batch, heads, length, head size]`` to the attended values."""
    sizes = _sizes(query, key, value)
    if sizes is None:
        return None
    batch, queries, keys, head, value_head = sizes
    scores = batch * queries * keys
    products = (
        Matmul(batch, queries, head, keys, query.dtype),
        Matmul(batch, queries, keys, value_head, query.dtype),
    )
    result = Tensor((batch, queries, value_head), query.dtype)
    return Work(
        "attention, one kernel",
        flops=sum(each.flops for each in products),
        read_bytes=query.nbytes + key.nbytes + value.nbytes,
        written_bytes=result.nbytes,
        matmuls=(*products, _transposed_scores(batch, queries, keys, query.dtype)),
        vector_elements=2 * scores,
        scalar_elements=scores,
        dtype=query.dtype,
    )


def attention_backward_work(query: Tensor, key: Tensor, value: Tensor) -> Work | None:
    """The backward pass: five products, of which one computes the scores anew."""
    sizes = _sizes(query, key, value)
    if sizes is None:
        return None
    batch, queries, keys, head, value_head = sizes
    scores = batch * queries * keys
    products = (
        Matmul(batch, queries, head, keys, query.dtype),  # the scores
        Matmul(batch, keys, queries, value_head, query.dtype),  # the values' gradient
        Matmul(batch, queries, value_head, keys, query.dtype),  # the weights' gradient
        Matmul(batch, queries, keys, head, query.dtype),  # the queries' gradient
        Matmul(batch, keys, queries, head, query.dtype),  # the keys' gradient
    )
    result = Tensor((batch, queries, value_head), query.dtype)
    return Work(
        "attention backward, one kernel",
        flops=sum(each.flops for each in products),
        # The result and its gradient are read too; what is written has the inputs' sizes.
        read_bytes=query.nbytes + key.nbytes + value.nbytes + 2 * result.nbytes,
        written_bytes=query.nbytes + key.nbytes + value.nbytes,
        matmuls=(*products, _transposed_scores(batch, queries, keys, query.dtype)),
        vector_elements=4 * scores,
        scalar_elements=scores,
        dtype=query.dtype,
    )


def _transposed_scores(batch: int, queries: int, keys: int, dtype: str) -> Matmul:
    """Transposing a tile is a product with an identity of 128 rows; it is no useful FLOP."""
    return Matmul(batch, keys, min(queries, 128), queries, dtype)


def _forward(call: OperatorCall) -> Work | None:
    query, key, value = call.tensor(0), call.tensor(1), call.tensor(2)
    return attention_work(query, key, value) if query and key and value else None


def _backward(call: OperatorCall) -> Work | None:
    query, key, value = call.tensor(1), call.tensor(2), call.tensor(3)
    return attention_backward_work(query, key, value) if query and key and value else None


def _backward_of_forward(call: OperatorCall) -> Work | None:
    query, key, value = call.tensor(0), call.tensor(1), call.tensor(2)
    return attention_backward_work(query, key, value) if query and key and value else None


_FORWARDS: Final = (
    "scaled_dot_product_attention",
    "_scaled_dot_product_attention_math",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_fused_attention_overrideable",
)

RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(_FORWARDS, _forward),
    **{
        f"{name}_backward": _backward
        for name in _FORWARDS
        if name.startswith("_scaled") and not name.endswith("math")
    },
}

BACKWARD_RULES: Final[dict[str, Rule]] = dict.fromkeys(_FORWARDS, _backward_of_forward)
"""Backward rules by the forward operator's name, from its call."""
