"""Tables of rows: looked up, summed in bags, and their gradients."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, total_bytes
from ..work import Work
from .indexing import gathered, scattered
from .rule import Rule


def _embedding(call: OperatorCall) -> Work | None:
    """Rows of a table."""
    table, indices = call.tensor(0), call.tensor(1)
    if not (table and indices) or len(table.shape) != 2:
        return None
    rows = table.shaped((indices.numel, table.shape[1]))
    return gathered("rows gathered", rows, indices, pieces=indices.numel)


def _embedding_backward(call: OperatorCall) -> Work | None:
    """The table's gradient: zeroed as a whole, then rows added into it one by one."""
    gradient, indices, rows = call.tensor(0), call.tensor(1), call.number(2)
    if not (gradient and indices) or rows is None or not gradient.shape:
        return None
    table = gradient.shaped((rows, gradient.shape[-1]))
    return _added_to_zeros(gradient, indices.nbytes, indices.numel, table)


def _added_to_zeros(gradient: Tensor, indices: int, pieces: int, table: Tensor) -> Work:
    added = scattered(
        "rows scattered and added", gradient, indices, pieces=pieces, target=table, adds=True
    )
    return replace(added, written_bytes=added.written_bytes + table.nbytes)


def _bags(call: OperatorCall) -> Work | None:
    """``embedding_bag``: rows of a table, summed in bags."""
    table, indices, offsets = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (table and indices and offsets) or len(table.shape) != 2:
        return None
    rows, weights = table.shaped((indices.numel, table.shape[1])), call.tensor(6)
    ends_at_last = call.flag(7)  # the last offset is an end, and begins no bag
    bags = table.shaped((max(offsets.numel - ends_at_last, 0), table.shape[1]))
    places = [offsets] * 2 + [indices]
    return Work(
        "rows gathered and summed",
        # A row is multiplied with its weight by the instruction that adds it.
        flops=rows.numel * (2 if weights else 1),
        read_bytes=total_bytes([rows, indices, offsets, *([weights] if weights else [])]),
        written_bytes=total_bytes([bags, *places]),
        vector_elements=2 * rows.numel,
        dtype=table.dtype,
        descriptors=indices.numel,
    )


def _bags_backward(rows_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        gradient, indices, rows = call.tensor(0), call.tensor(1), call.number(rows_at)
        if not (gradient and indices) or rows is None or not gradient.shape:
            return None
        width = gradient.shape[-1]
        spread = gradient.shaped((indices.numel, width))
        table = gradient.shaped((rows, width))
        return _added_to_zeros(spread, indices.nbytes, indices.numel, table)

    return work


RULES: Final[dict[str, Rule]] = {
    "embedding": _embedding,
    **dict.fromkeys(("embedding_dense_backward", "embedding_backward"), _embedding_backward),
    **dict.fromkeys(("_embedding_bag", "_embedding_bag_forward_only"), _bags),
    "_embedding_bag_dense_backward": _bags_backward(5),
    "_embedding_bag_backward": _bags_backward(6),
}
