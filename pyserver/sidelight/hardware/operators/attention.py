"""Scaled dot-product attention: one kernel, forward and backward.

FLOPs as torch's flop counter has them: two products forward; backward five with the scores computed
anew. A causal mask shortens nothing there, nor here. Scores stay on the chip: HBM holds queries,
keys, values, masks and results only. Where heads of queries share keys, the products may have the
rows of all of them. Where sequences are packed one after another, they are taken to be of equal
length.

What each score passes on the way (NKI fused attention tutorial): forward, the Vector Engine takes
the rows' maximum, the Scalar Engine the exponential and its sum, both from PSUM, and the Tensor
Engine transposes it for the second product, whose contraction must lie along the partitions; a mask
is added by the Vector Engine. Backward, the Scalar Engine takes the exponential again, the Vector
Engine combines it with the weights' gradient, an instruction of two operands, and the Tensor Engine
transposes that for the queries' gradient.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, broadcast, product, total_bytes
from ..work import Matmul, Work
from .rule import Rule

_STATISTICS: Final = "float32"
"""The dtype of the rows' maximum and sum, which are kept for the backward pass."""

_TILE: Final = 128


@dataclass(frozen=True)
class _Packed:
    """Sequences that lie one after another in one dimension, as ``cum_seq`` says where.

    Where each ends is in values: all are taken to be of equal length.

    Attributes:
        count: How many there are.
        longest: The length that the longest has, None where nothing says.
    """

    count: int = 1
    longest: int | None = None

    def length(self, total: int) -> int:
        """The length of each, of so much altogether."""
        length = -(-total // self.count)
        return length if self.longest is None else min(length, self.longest)


_ONE: Final = _Packed()


@dataclass(frozen=True)
class _Attention:
    """The operands of attention, ``[..., heads, length, head size]`` each.

    Fewer heads of keys and values are shared by as many heads of queries each.

    Attributes:
        query: The queries.
        key: The keys.
        value: The values.
        mask: What is added to the scores, if anything.
        packed_queries: The sequences that the length of the queries holds.
        packed_keys: Those of the keys and values.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    mask: Tensor | None = None
    packed_queries: _Packed = _ONE
    packed_keys: _Packed = _ONE

    @property
    def batch(self) -> int:
        """How many matrices of scores there are: batch times sequences times heads."""
        heads = broadcast(each.shaped(each.shape[:-2]) for each in (self.query, self.key))
        return self.packed_queries.count * product(heads)

    @property
    def sharing(self) -> int:
        """How many heads of queries have the keys and values of one head in common."""
        kept = self.packed_queries.count * product(self.key.shape[:-2])
        return self.batch // kept if kept and self.batch % kept == 0 else 1

    @property
    def queries(self) -> int:
        """Queries of a sequence."""
        return self.packed_queries.length(self.query.shape[-2])

    @property
    def keys(self) -> int:
        """Keys of a sequence."""
        return self.packed_keys.length(self.key.shape[-2])

    @property
    def scores(self) -> int:
        """How many scores there are."""
        return self.batch * self.queries * self.keys

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

    def of_queries(self, k: int, n: int, *, stays_in_psum: bool = False) -> Matmul:
        """A product with a row for each query, for every head."""
        sizes = (self.batch, self.queries, k, n)
        return Matmul(*sizes, self.query.dtype, stays_in_psum, sharing=self.sharing)

    def of_keys(self, n: int) -> Matmul:
        """A product with a row for each key, over all queries of the heads that share it."""
        heads, queries = self.batch // self.sharing, self.sharing * self.queries
        return Matmul(heads, self.keys, queries, n, self.query.dtype)

    def transposed_scores(self) -> Matmul:
        """Transposing a tile is a product with an identity of 128 rows; it is no useful FLOP."""
        return self.of_queries(min(self.keys, _TILE), self.keys)


def _attention(
    query: Tensor | None, key: Tensor | None, value: Tensor | None, mask: Tensor | None = None
) -> _Attention | None:
    if not (query and key and value):
        return None
    if min(len(query.shape), len(key.shape), len(value.shape)) < 2:
        return None
    return _Attention(query, key, value, mask)


def _forward_work(attention: _Attention, *, keeps_rows: bool) -> Work:
    head, value_head = attention.query.shape[-1], attention.value.shape[-1]
    products = (
        attention.of_queries(head, attention.keys, stays_in_psum=True),
        attention.of_queries(attention.keys, value_head),
    )
    return Work(
        "attention, one kernel",
        flops=sum(each.flops for each in products),
        read_bytes=total_bytes(attention.inputs),
        written_bytes=attention.result.nbytes + keeps_rows * attention.rows.nbytes,
        matmuls=(*products, attention.transposed_scores()),
        vector_elements=2 * attention.scores if attention.mask else 0,
        reduced_elements=attention.scores,
        scalar_elements=attention.scores,
        dtype=attention.query.dtype,
    )


def _backward_work(attention: _Attention) -> Work:
    head, value_head, keys = attention.query.shape[-1], attention.value.shape[-1], attention.keys
    products = (
        attention.of_queries(head, keys, stays_in_psum=True),  # the scores
        attention.of_keys(value_head),  # the values' gradient
        attention.of_queries(value_head, keys, stays_in_psum=True),  # the weights' gradient
        attention.of_queries(keys, head),  # the queries' gradient
        attention.of_keys(head),  # the keys' gradient
    )
    masked = 2 * attention.scores if attention.mask else 0
    return Work(
        "attention backward, one kernel",
        flops=sum(each.flops for each in products),
        # The result, its gradient and the rows' statistics are read too.
        read_bytes=total_bytes([*attention.inputs, *[attention.result] * 2, attention.rows]),
        written_bytes=total_bytes([attention.query, attention.key, attention.value]),
        matmuls=(*products, attention.transposed_scores()),
        vector_elements=2 * attention.scores + masked,
        scalar_elements=attention.scores,
        dtype=attention.query.dtype,
    )


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


@dataclass(frozen=True)
class _Places:
    """Where an operator that wants ``[batch, length, heads, head size]`` has what it is given.

    Attributes:
        query: The queries; keys and values follow.
        ends: Where the packed queries end, if they are packed; the ends of the keys follow, and
            the greatest lengths of both.
        mask: What is added to the scores; -1 for nothing.
    """

    query: int
    ends: int
    mask: int


def _heads_inside(at: _Places, *, backward: bool) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        query, key, value = (_heads_first(call.tensor(at.query + index)) for index in range(3))
        attention = _attention(query, key, value, call.tensor(at.mask))
        if attention is None:
            return None
        attention = replace(
            attention,
            packed_queries=_packed(call.tensor(at.ends), call.number(at.ends + 2)),
            packed_keys=_packed(call.tensor(at.ends + 1), call.number(at.ends + 3)),
        )
        return _backward_work(attention) if backward else _forward_work(attention, keeps_rows=True)

    return work


def _packed(ends: Tensor | None, longest: int | None) -> _Packed:
    """The sequences that places of their ends divide a length into, the first place being 0."""
    return _Packed(ends.numel - 1, longest) if ends and ends.numel > 1 else _ONE


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
    "_flash_attention_forward": _heads_inside(_Places(0, 3, _NO_MASK), backward=False),
    "_efficient_attention_forward": _heads_inside(_Places(0, 4, 3), backward=False),
    "_scaled_dot_product_flash_attention_backward": _backward(_NO_MASK),
    "_scaled_dot_product_flash_attention_for_cpu_backward": _backward(8),
    "_scaled_dot_product_efficient_attention_backward": _backward(4),
    "_scaled_dot_product_cudnn_attention_backward": _backward(8),
    "_scaled_dot_product_fused_attention_overrideable_backward": _backward(4),
    "_flash_attention_backward": _heads_inside(_Places(1, 6, _NO_MASK), backward=True),
    "_efficient_attention_backward": _heads_inside(_Places(1, 6, 4), backward=True),
}

BACKWARD_RULES: Final[dict[str, Rule]] = dict.fromkeys(
    ("scaled_dot_product_attention", _MATH), _backward_of_forward
)
"""Backward rules by the forward operator's name, from its call."""
