"""Scaled dot-product attention: one kernel, forward and backward.

FLOPs as torch's flop counter has them: two products forward; backward five with the scores computed
anew. A causal mask shortens nothing there, nor here. Scores stay on the chip: HBM holds queries,
keys, values, masks and results only.

What each score passes on the way (NKI fused attention tutorial): forward, the Vector Engine takes
the rows' maximum, the Scalar Engine the exponential and its sum, both from PSUM, and the Tensor
Engine transposes it for the second product, whose contraction must lie along the partitions; a mask
is added by the Vector Engine. Backward, the Scalar Engine takes the exponential again, the Vector
Engine combines it with the weights' gradient, an instruction of two operands, and the Tensor Engine
transposes that for the queries' gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product, total_bytes
from ..work import Matmul, Work
from .rule import Rule

_STATISTICS: Final = "float32"
"""The dtype of the rows' maximum and sum, which are kept for the backward pass."""

_TILE: Final = 128


@dataclass(frozen=True)
class _Attention:
    """The operands of attention, ``[..., heads, length, head size]`` each.

    Attributes:
        query: The queries.
        key: The keys.
        value: The values.
        mask: What is added to the scores, if anything.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    mask: Tensor | None = None

    @property
    def batch(self) -> int:
        """Batch times heads of the queries; fewer heads of keys are shared."""
        return product(self.query.shape[:-2])

    @property
    def result(self) -> Tensor:
        """The attended values."""
        return self.query.shaped((*self.query.shape[:-1], self.value.shape[-1]))

    @property
    def rows(self) -> Tensor:
        """One number a row of scores."""
        return Tensor(self.query.shape[:-1], _STATISTICS)

    @property
    def inputs(self) -> list[Tensor]:
        """What is read forward."""
        return [self.query, self.key, self.value, *([self.mask] if self.mask else [])]

    def matmul(self, m: int, k: int, n: int, *, stays_in_psum: bool = False) -> Matmul:
        """A product for every head."""
        return Matmul(self.batch, m, k, n, self.query.dtype, stays_in_psum)


def _attention(
    query: Tensor | None, key: Tensor | None, value: Tensor | None, mask: Tensor | None = None
) -> _Attention | None:
    if not (query and key and value):
        return None
    if min(len(query.shape), len(key.shape), len(value.shape)) < 2:
        return None
    return _Attention(query, key, value, mask)


def _forward_work(attention: _Attention, *, keeps_rows: bool) -> Work:
    queries, head = attention.query.shape[-2:]
    keys, value_head = attention.key.shape[-2], attention.value.shape[-1]
    scores = attention.batch * queries * keys
    products = (
        attention.matmul(queries, head, keys, stays_in_psum=True),
        attention.matmul(queries, keys, value_head),
    )
    return Work(
        "attention, one kernel",
        flops=sum(each.flops for each in products),
        read_bytes=total_bytes(attention.inputs),
        written_bytes=attention.result.nbytes + keeps_rows * attention.rows.nbytes,
        matmuls=(*products, _transposed_scores(attention)),
        vector_elements=2 * scores if attention.mask else 0,
        reduced_elements=scores,
        scalar_elements=scores,
        dtype=attention.query.dtype,
    )


def _backward_work(attention: _Attention) -> Work:
    queries, head = attention.query.shape[-2:]
    keys, value_head = attention.key.shape[-2], attention.value.shape[-1]
    scores = attention.batch * queries * keys
    products = (
        attention.matmul(queries, head, keys, stays_in_psum=True),  # the scores
        attention.matmul(keys, queries, value_head),  # the values' gradient
        attention.matmul(queries, value_head, keys, stays_in_psum=True),  # the weights' gradient
        attention.matmul(queries, keys, head),  # the queries' gradient
        attention.matmul(keys, queries, head),  # the keys' gradient
    )
    masked = 2 * scores if attention.mask else 0
    return Work(
        "attention backward, one kernel",
        flops=sum(each.flops for each in products),
        # The result, its gradient and the rows' statistics are read too.
        read_bytes=total_bytes([*attention.inputs, *[attention.result] * 2, attention.rows]),
        written_bytes=total_bytes([attention.query, attention.key, attention.value]),
        matmuls=(*products, _transposed_scores(attention)),
        vector_elements=2 * scores + masked,
        scalar_elements=scores,
        dtype=attention.query.dtype,
    )


def _transposed_scores(attention: _Attention) -> Matmul:
    """Transposing a tile is a product with an identity of 128 rows; it is no useful FLOP."""
    queries, keys = attention.query.shape[-2], attention.key.shape[-2]
    return attention.matmul(keys, min(queries, _TILE), queries)


def _forward(*, keeps_rows: bool, mask_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        mask = call.tensor(mask_at)
        attention = _attention(call.tensor(0), call.tensor(1), call.tensor(2), mask)
        return _forward_work(attention, keeps_rows=keeps_rows) if attention else None

    return work


def _backward(mask_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        mask = call.tensor(mask_at)
        attention = _attention(call.tensor(1), call.tensor(2), call.tensor(3), mask)
        return _backward_work(attention) if attention else None

    return work


def _backward_of_forward(call: OperatorCall) -> Work | None:
    attention = _attention(call.tensor(0), call.tensor(1), call.tensor(2), call.tensor(3))
    return _backward_work(attention) if attention else None


def _heads_inside(first: int, *, backward: bool, mask_at: int) -> Rule:
    """Operators that want ``[batch, length, heads, head size]``."""

    def work(call: OperatorCall) -> Work | None:
        query, key, value = (_heads_first(call.tensor(first + index)) for index in range(3))
        attention = _attention(query, key, value, call.tensor(mask_at))
        if attention is None:
            return None
        return _backward_work(attention) if backward else _forward_work(attention, keeps_rows=True)

    return work


def _heads_first(tensor: Tensor | None) -> Tensor | None:
    if tensor is None or len(tensor.shape) < 3:
        return None
    *batch, length, heads, head = tensor.shape
    return tensor.shaped((*batch, heads, length, head))


_NO_MASK: Final = -1
_MATH: Final = "_scaled_dot_product_attention_math"

RULES: Final[dict[str, Rule]] = {
    "scaled_dot_product_attention": _forward(keeps_rows=False, mask_at=3),
    _MATH: _forward(keeps_rows=False, mask_at=3),
    "_scaled_dot_product_attention_math_for_mps": _forward(keeps_rows=False, mask_at=3),
    "_scaled_dot_product_flash_attention": _forward(keeps_rows=True, mask_at=_NO_MASK),
    "_scaled_dot_product_flash_attention_for_cpu": _forward(keeps_rows=True, mask_at=5),
    "_scaled_dot_product_efficient_attention": _forward(keeps_rows=True, mask_at=3),
    "_scaled_dot_product_cudnn_attention": _forward(keeps_rows=True, mask_at=3),
    "_scaled_dot_product_fused_attention_overrideable": _forward(keeps_rows=True, mask_at=3),
    "_triton_scaled_dot_attention": _forward(keeps_rows=False, mask_at=_NO_MASK),
    "_flash_attention_forward": _heads_inside(0, backward=False, mask_at=_NO_MASK),
    "_efficient_attention_forward": _heads_inside(0, backward=False, mask_at=3),
    "_scaled_dot_product_flash_attention_backward": _backward(_NO_MASK),
    "_scaled_dot_product_flash_attention_for_cpu_backward": _backward(8),
    "_scaled_dot_product_efficient_attention_backward": _backward(4),
    "_scaled_dot_product_cudnn_attention_backward": _backward(8),
    "_scaled_dot_product_fused_attention_overrideable_backward": _backward(4),
    "_flash_attention_backward": _heads_inside(1, backward=True, mask_at=_NO_MASK),
    "_efficient_attention_backward": _heads_inside(1, backward=True, mask_at=4),
}

BACKWARD_RULES: Final[dict[str, Rule]] = dict.fromkeys(
    ("scaled_dot_product_attention", _MATH), _backward_of_forward
)
"""Backward rules by the forward operator's name, from its call."""
