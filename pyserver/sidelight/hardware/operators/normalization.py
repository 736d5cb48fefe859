"""Normalisations and softmax: fused, one kernel each, forward and backward.

Passes over a row in SBUF, counted by hand from the formulas. Each row is one lane's work.

- layer_norm: mean and variance (``bn_stats``, one pass), subtract and scale (one), weight and bias
  (one). Backward: two reductions over products (four passes), the combination (three), and weight
  and bias gradients (two).
- rms_norm: squares and their sum (one pass), scale (one), weight (one). Backward: as above without
  the mean's part: six.
- softmax: maximum (one), exponential with its sum (one on the Scalar Engine), scale (one).
  Backward: product and sum (one), difference (one), product (one).
- batch_norm and group_norm: as layer_norm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Optional

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Work

Rule = Callable[[OperatorCall], Optional[Work]]


def _rows_work(
    rule: str,
    source: Tensor,
    rows: int,
    *,
    passes: int,
    exponentials: int = 0,
    read_tensors: int = 1,
    extra_bytes: int = 0,
) -> Work:
    return Work(
        f"{rule}, one kernel",
        flops=(passes + exponentials) * source.numel,
        read_bytes=read_tensors * source.nbytes + extra_bytes,
        written_bytes=source.nbytes,
        vector_elements=passes * source.numel,
        scalar_elements=exponentials * source.numel,
        dtype=source.dtype,
        rows=rows,
    )


def _normalized_rows(source: Tensor, normalized: list[int] | None) -> int:
    length = product(normalized) if normalized else (source.shape[-1] if source.shape else 1)
    return source.numel // max(length, 1)


def _norm(rule: str, *, passes: int, shape_at: int = 1) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        rows = _normalized_rows(source, call.numbers(shape_at))
        weights = sum(tensor.nbytes for tensor in call.tensors[1:])
        return _rows_work(rule, source, rows, passes=passes, extra_bytes=weights)

    return work


def _norm_backward(rule: str, *, passes: int, shape_at: int = 2) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        gradient = call.tensor(0)
        if gradient is None:
            return None
        rows = _normalized_rows(gradient, call.numbers(shape_at))
        return _rows_work(f"{rule} backward", gradient, rows, passes=passes, read_tensors=2)

    return work


def _backward_of_norm(rule: str, *, passes: int) -> Rule:
    """The backward pass, from the forward call."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        rows = _normalized_rows(source, call.numbers(1))
        return _rows_work(f"{rule} backward", source, rows, passes=passes, read_tensors=2)

    return work


def _per_channel(rule: str, *, passes: int, read_tensors: int) -> Rule:
    """``batch_norm`` and ``group_norm``: statistics over everything but channels or groups."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None or len(source.shape) < 2:
            return None
        rows = source.shape[1]
        return _rows_work(rule, source, rows, passes=passes, read_tensors=read_tensors)

    return work


def _softmax(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    return _rows_work("softmax", source, _softmax_rows(call, 1), passes=2, exponentials=1)


def _softmax_backward(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    rows = _softmax_rows(call, 2)
    return _rows_work("softmax backward", source, rows, passes=3, read_tensors=2)


def _backward_of_softmax(call: OperatorCall) -> Work | None:
    source = call.tensor(0)
    if source is None:
        return None
    rows = _softmax_rows(call, 1)
    return _rows_work("softmax backward", source, rows, passes=3, read_tensors=2)


def _softmax_rows(call: OperatorCall, dimension_at: int) -> int:
    source, dimension = call.tensor(0), call.number(dimension_at)
    if source is None or not source.shape:
        return 0
    length = source.shape[dimension if dimension is not None else -1]
    return source.numel // max(length, 1)


RULES: Final[dict[str, Rule]] = {
    "layer_norm": _norm("layer_norm", passes=3),
    "native_layer_norm": _norm("layer_norm", passes=3),
    "native_layer_norm_backward": _norm_backward("layer_norm", passes=9),
    "rms_norm": _norm("rms_norm", passes=3),
    "_fused_rms_norm": _norm("rms_norm", passes=3),
    "_fused_rms_norm_backward": _norm_backward("rms_norm", passes=6),
    **dict.fromkeys(
        ("softmax", "_softmax", "log_softmax", "_log_softmax", "_safe_softmax"), _softmax
    ),
    **dict.fromkeys(("_softmax_backward_data", "_log_softmax_backward_data"), _softmax_backward),
    **dict.fromkeys(
        (
            "batch_norm",
            "native_batch_norm",
            "_native_batch_norm_legit",
            "cudnn_batch_norm",
            "miopen_batch_norm",
            "_batch_norm_with_update",
        ),
        _per_channel("batch_norm", passes=3, read_tensors=1),
    ),
    **dict.fromkeys(
        ("native_batch_norm_backward", "cudnn_batch_norm_backward", "batch_norm_backward"),
        _per_channel("batch_norm backward", passes=9, read_tensors=2),
    ),
    **dict.fromkeys(
        ("group_norm", "native_group_norm"), _per_channel("group_norm", passes=3, read_tensors=1)
    ),
    "native_group_norm_backward": _per_channel("group_norm backward", passes=9, read_tensors=2),
}

BACKWARD_RULES: Final[dict[str, Rule]] = {
    "layer_norm": _backward_of_norm("layer_norm", passes=9),
    "rms_norm": _backward_of_norm("rms_norm", passes=6),
    "_fused_rms_norm": _backward_of_norm("rms_norm", passes=6),
    **dict.fromkeys(("softmax", "log_softmax"), _backward_of_softmax),
}
"""Backward rules by the forward operator's name, from its call."""
