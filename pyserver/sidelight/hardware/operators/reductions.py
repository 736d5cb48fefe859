"""Reductions and scans: many elements to one.

One flop an element that goes in. The Vector Engine reduces along the free dimension, one row a
lane; rows that are fewer than the lanes leave lanes idle (NKI architecture guide).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Work

Rule = Callable[[OperatorCall], Optional[Work]]


def reduction_work(
    source: Tensor, dimensions: list[int] | None, *, passes: float = 1, result_dtype: str = ""
) -> Work:
    """A reduction of some dimensions of a tensor, all of them for None."""
    rank = len(source.shape)
    reduced = {dim % rank for dim in dimensions} if dimensions and rank else set(range(rank))
    kept = product(size for dim, size in enumerate(source.shape) if dim not in reduced)
    return Work(
        "reduction",
        flops=int(passes * source.numel),
        read_bytes=source.nbytes,
        written_bytes=Tensor((kept,), result_dtype or source.dtype).nbytes,
        vector_elements=passes * source.numel,
        dtype=source.dtype,
        # What is reduced as a whole is first reduced in every lane, which all take part in.
        rows=kept if kept > 1 and rank - 1 in reduced else 0,
    )


def _reduction(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    return reduction_work(source, call.numbers(1)) if source else None


def _index(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    return reduction_work(source, call.numbers(1), result_dtype="int64") if source else None


def _truth(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    return reduction_work(source, call.numbers(1), result_dtype="bool") if source else None


def _moments(call: OperatorCall) -> Work | None:
    """Variance and standard deviation: the mean, the differences, their squares."""
    source = call.tensor(0)
    return reduction_work(source, call.numbers(1), passes=2) if source else None


def _norm(call: OperatorCall) -> Work | None:
    """A norm: squares and their sum; its dimensions follow its order."""
    source = call.tensor(0)
    return reduction_work(source, call.numbers(2), passes=2) if source else None


def _scan(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    dimension = call.number(1)
    length = source.shape[dimension] if source.shape and dimension is not None else source.numel
    return Work(
        "scan",
        flops=source.numel,
        read_bytes=source.nbytes,
        written_bytes=source.nbytes,
        vector_elements=source.numel,
        dtype=source.dtype,
        rows=source.numel // max(length, 1),
    )


def _order(call: OperatorCall) -> Work | None:
    """``sort`` and ``topk``: values and indices; log2(n) passes of compare and exchange."""
    source = call.tensor(0)
    if source is None:
        return None
    length = source.shape[-1] if source.shape else 1
    passes = max(length.bit_length(), 1)
    return Work(
        "sort",
        flops=passes * source.numel,
        read_bytes=source.nbytes,
        written_bytes=source.nbytes + source.shaped(source.shape).numel * 8,
        gpsimd_elements=passes * source.numel,
        dtype=source.dtype,
    )


def _loss(call: OperatorCall) -> Work | None:
    """``mse_loss`` and its like: an elementwise difference and its mean."""
    source, target = call.tensor(0), call.tensor(1)
    if not (source and target):
        return None
    return Work(
        "loss, one kernel",
        flops=3 * source.numel,
        read_bytes=source.nbytes + target.nbytes,
        written_bytes=Tensor((), source.dtype).nbytes,
        vector_elements=2 * source.numel,
        dtype=source.dtype,
    )


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(
        ["sum", "mean", "prod", "amax", "amin", "nansum", "nanmean", "max", "min", "logsumexp"],
        _reduction,
    ),
    **dict.fromkeys(("argmax", "argmin"), _index),
    **dict.fromkeys(("any", "all"), _truth),
    **dict.fromkeys(["var", "std", "var_mean", "std_mean"], _moments),
    **dict.fromkeys(["norm", "linalg_vector_norm"], _norm),
    **dict.fromkeys(["cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"], _scan),
    **dict.fromkeys(["sort", "topk", "kthvalue", "median"], _order),
    **dict.fromkeys(
        ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "kl_div"],
        _loss,
    ),
}
