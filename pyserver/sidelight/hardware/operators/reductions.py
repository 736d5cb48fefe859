"""Reductions and scans: many elements to one.

The Vector Engine reduces in every lane; what the lanes have is put together at the end, which is
little. One flop an element and pass: one pass for sums and extremes, one for means and variances
together (``bn_stats``), a square or power before the sum of a norm.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..dtypes import as_floating, as_real, as_sum
from ..tensors import Tensor, product
from ..work import Work
from .elementwise import elementwise
from .passes import Passes
from .rule import Rule

INDEX: Final = "int64"

_ONCE: Final = Passes(reduced=1)
_OF_POWERS: Final = Passes(reduced=1, scalar=1)
_OF_EXPONENTIALS: Final = Passes(reduced=2, scalar=1)


def kept_count(source: Tensor, dimensions: list[int] | None) -> int:
    """How many elements are left when dimensions of a tensor are reduced, all of them for None."""
    rank = len(source.shape)
    if not dimensions or not rank:
        return 1
    reduced = {dimension % rank for dimension in dimensions}
    return product(size for index, size in enumerate(source.shape) if index not in reduced)


def reduction_work(
    source: Tensor,
    dimensions: list[int] | None,
    dtypes: tuple[str, ...],
    passes: Passes = _ONCE,
) -> Work:
    """A reduction.

    Args:
        source: What is reduced.
        dimensions: Which dimensions, all of them for None.
        dtypes: The dtypes of the results.
        passes: What each element passes.
    """
    kept = kept_count(source, dimensions)
    made = [Tensor((kept,), dtype) for dtype in dtypes]
    return passes.work("reduction", source, read=[source], written=made)


def _sum(call: OperatorCall) -> Work | None:
    """``sum``, ``mean``, ``prod``: of all, in a dtype; or of dimensions, in a dtype."""
    source = call.tensor(0)
    if source is None:
        return None
    of_all = len(call.arguments) < 3
    named = call.dtype(1 if of_all else 3)
    usual = source.dtype if call.name.endswith("::mean") else as_sum(source.dtype)
    return reduction_work(source, None if of_all else call.numbers(1), (named or usual,))


def _extreme(call: OperatorCall) -> Work | None:
    """``max`` and ``min``: of all, along a dimension with its places, or of two tensors."""
    source = call.tensor(0)
    if source is None:
        return None
    if call.tensor(1) is not None:
        return _LARGER(call)
    dimension = call.numbers(1)
    return reduction_work(
        source, dimension, (source.dtype, INDEX) if dimension else (source.dtype,)
    )


_LARGER: Final = elementwise(2)


def _extremes(call: OperatorCall) -> Work | None:
    """``amax`` and ``amin`` along several dimensions."""
    source = call.tensor(0)
    return reduction_work(source, call.numbers(1), (source.dtype,)) if source else None


def _both_extremes(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    return reduction_work(source, call.numbers(1), (source.dtype,) * 2, Passes(reduced=2))


def _of_dtype(dtype: str) -> Rule:
    """A reduction whose result always has the same dtype: places, truth values, counts."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        return reduction_work(source, call.numbers(1), (dtype,)) if source else None

    return work


def _moments(results: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        return reduction_work(source, call.numbers(1), (as_real(source.dtype),) * results)

    return work


def _norm(*, dtype_at: int) -> Rule:
    """A norm: its order comes before its dimensions; sums of powers, or an extreme."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        dtype = call.dtype(dtype_at) or as_real(source.dtype)
        return reduction_work(source, call.numbers(2), (dtype,), _OF_POWERS)

    return work


def _log_sum(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    return reduction_work(source, call.numbers(1), (as_floating(source.dtype),), _OF_EXPONENTIALS)


def _equality(call: OperatorCall) -> Work | None:
    """``equal``: every element compared, one truth value of all."""
    operands = call.operands(2)
    if len(operands) < 2:
        return None
    made = [Tensor((), "bool")]
    return Passes(paired=1, reduced=1).work("reduction", operands[0], read=operands, written=made)


def _trace(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None or not source.shape:
        return None
    diagonal = source.shaped((min(source.shape),))
    return reduction_work(diagonal, None, (as_sum(source.dtype),))


def _scan(call: OperatorCall) -> Work | None:
    """Running sums and their like: ``tensor_tensor_scan`` reads two elements for each result."""
    source = call.tensor(0)
    if source is None:
        return None
    name = call.name.rpartition("::")[2].rstrip("_")
    passes = Passes(reduced=2, scalar=2 if name == "logcumsumexp" else 0)
    made = [source]
    if name in ("cumsum", "cumprod") and not call.is_in_place:
        made = [source.typed(call.dtype(2) or as_sum(source.dtype))]
    elif name in ("cummax", "cummin"):
        made.append(source.typed(INDEX))
    return passes.work("scan", source, read=[source], written=made)


def _extreme_scan_into(call: OperatorCall) -> Work | None:
    """``_cummax_helper``: values and places are written to tensors that are given."""
    source, results = call.tensor(0), call.operands(3)[1:]
    if source is None:
        return None
    return Passes(reduced=2).work("scan", source, read=[source], written=results)


def _scan_backward(call: OperatorCall) -> Work | None:
    operands = call.operands(4)
    if not operands:
        return None
    passes = Passes(paired=2, reduced=2)
    return passes.work("scan backward", operands[0], read=operands, written=operands[:1])


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("sum", "mean", "prod", "nansum"), _sum),
    **dict.fromkeys(("max", "min"), _extreme),
    **dict.fromkeys(("amax", "amin"), _extremes),
    **dict.fromkeys(("aminmax", "_aminmax"), _both_extremes),
    **dict.fromkeys(("argmax", "argmin", "count_nonzero"), _of_dtype(INDEX)),
    **dict.fromkeys(("any", "all", "_is_any_true", "_is_all_true"), _of_dtype("bool")),
    **dict.fromkeys(("var", "std"), _moments(1)),
    **dict.fromkeys(("var_mean", "std_mean", "batch_norm_stats"), _moments(2)),
    "norm": _norm(dtype_at=-1),
    "native_norm": _norm(dtype_at=4),
    "linalg_vector_norm": _norm(dtype_at=4),
    "linalg__powsum": _norm(dtype_at=4),
    "logsumexp": _log_sum,
    "equal": _equality,
    "trace": _trace,
    **dict.fromkeys(("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"), _scan),
    "_logcumsumexp": _scan,
    **dict.fromkeys(("_cummax_helper", "_cummin_helper"), _extreme_scan_into),
    "cumprod_backward": _scan_backward,
}
