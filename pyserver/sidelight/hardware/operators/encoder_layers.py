"""Self-attention with its projections, and whole encoder layers, as torch's fast paths have them.

``torch.nn.MultiheadAttention`` and ``TransformerEncoderLayer`` call these where no gradient is
wanted. They do one after another what the modules do by single operators elsewhere, and take as
long, but are started once: the parts are the rules of those operators.
"""

from __future__ import annotations

from typing import Final

from ..calls import Argument, OperatorCall
from ..tensors import Tensor
from ..work import Work, in_stages
from . import attention, elementwise, matmul, movement, normalization, reductions, softmax
from .rule import Rule

_CONTIGUOUS: Final = 0
"""How torch writes out the layout that a copy changes to."""

_PARTS: Final[dict[str, Rule]] = {
    "linear": matmul.RULES["linear"],
    "bmm": matmul.RULES["bmm"],
    "scaled_dot_product_attention": attention.RULES["scaled_dot_product_attention"],
    "softmax": softmax.RULES["softmax"],
    "_masked_softmax": softmax.RULES["_masked_softmax"],
    "layer_norm": normalization.RULES["layer_norm"],
    "clone": movement.RULES["clone"],
    "mean": reductions.RULES["mean"],
    **{name: elementwise.RULES[name] for name in ("add", "gelu", "relu")},
}


class _Stages:
    """Parts, one after another."""

    def __init__(self) -> None:
        self._works: list[Work | None] = []

    def add(self, operator: str, *arguments: Argument) -> None:
        """Add what an operator does to what it is given."""
        self._works.append(_PARTS[operator](OperatorCall(f"aten::{operator}", arguments)))

    def work(self, rule: str) -> Work | None:
        """All of it; None where a part lacks what its rule needs."""
        works = [each for each in self._works if each]
        return in_stages(rule, works) if len(works) == len(self._works) else None


def _add_attention(
    stages: _Stages, source: Tensor, heads: int, weights: list[Argument], mask: Tensor | None
) -> None:
    """Self-attention whose weights nobody wants.

    Args:
        stages: Where the parts go.
        source: ``[batch, length, width]``.
        heads: Into how many the width is divided.
        weights: Weight and bias of the queries, keys and values, and of what becomes of the heads.
        mask: What is added to the scores.
    """
    query = _add_heads(stages, source, heads, weights)
    stages.add("scaled_dot_product_attention", query, query, query, mask)
    stages.add("linear", source, *weights[2:])


def _add_attention_with_weights(
    stages: _Stages,
    source: Tensor,
    heads: int,
    weights: list[Argument],
    mask: Tensor | None,
    *,
    averaged: bool,
) -> None:
    """Self-attention whose weights are wanted, so that they are in HBM."""
    query = _add_heads(stages, source, heads, weights)
    batch, _, length, size = query.shape
    rows = query.shaped((batch * heads, length, size))
    scores = rows.shaped((batch * heads, length, length))
    stages.add("bmm", rows, rows.shaped((batch * heads, size, length)))
    stages.add("_masked_softmax" if mask else "softmax", scores, mask)
    stages.add("bmm", scores, rows)
    stages.add("clone", source, _CONTIGUOUS)
    stages.add("linear", source, *weights[2:])
    if averaged:
        stages.add("mean", scores.shaped((batch, heads, length, length)), [1])


def _add_heads(stages: _Stages, source: Tensor, heads: int, weights: list[Argument]) -> Tensor:
    """The projection to queries, keys and values, and its division into heads, which is a copy.

    Returns:
        The queries, ``[batch, heads, length, head size]``, as the keys and values are.
    """
    batch, length, width = source.shape
    stages.add("linear", source, *weights[:2])
    stages.add("clone", source.shaped((batch, length, 3 * width)), _CONTIGUOUS)
    return source.shaped((batch, heads, length, width // heads))


def _multi_head_attention(call: OperatorCall) -> Work | None:
    """``_native_multi_head_attention``: queries, keys and values are of the same source."""
    source, heads, mask = call.tensor(0), call.number(4), call.tensor(9)
    others = (call.tensor(1), call.tensor(2))
    if not (source and heads) or len(source.shape) != 3 or others != (source, source):
        return None
    stages, weights = _Stages(), list(call.arguments[5:9])
    if call.flag(10):
        averaged = call.flag(11)
        _add_attention_with_weights(stages, source, heads, weights, mask, averaged=averaged)
    else:
        _add_attention(stages, source, heads, weights, mask)
    return stages.work("self-attention and its projections, one kernel")


def _encoder_layer(call: OperatorCall) -> Work | None:
    """``_transformer_encoder_layer_fwd``: whether it normalises first changes no size."""
    source, heads, widened = call.tensor(0), call.number(2), call.tensor(14)
    if not (source and heads and widened) or len(source.shape) != 3:
        return None
    hidden = source.shaped((*source.shape[:2], widened.size(0)))
    width: list[int] = [source.shape[2]]
    stages = _Stages()
    _add_attention(stages, source, heads, list(call.arguments[3:7]), call.tensor(18))
    stages.add("add", source, source)
    stages.add("layer_norm", source, width, *call.arguments[10:12])
    stages.add("linear", source, *call.arguments[14:16])
    stages.add("gelu" if call.flag(7) else "relu", hidden)
    stages.add("linear", hidden, *call.arguments[16:18])
    stages.add("add", source, source)
    stages.add("layer_norm", source, width, *call.arguments[12:14])
    return stages.work("encoder layer, one kernel")


RULES: Final[dict[str, Rule]] = {
    "_native_multi_head_attention": _multi_head_attention,
    "_transformer_encoder_layer_fwd": _encoder_layer,
}
