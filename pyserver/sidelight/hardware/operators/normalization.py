"""Normalisations: fused, one kernel each, forward and backward.

What an element passes, counted from the formulas:

- layer_norm: mean and variance (``bn_stats``, reducing), difference and scale (single); weight and
  bias (paired each). Backward: the gradient times the weight (paired), the normalised value again
  (single), the two sums over products (paired, two reducing), their combination (paired, single),
  and for weight and bias a product (paired) and two sums.
- rms_norm: squares and their sum (Scalar Engine), scale (single), weight (paired). Backward: as
  above without the mean's part.
- batch_norm and group_norm: as layer_norm, where weight and bias are numbers of a row, which the
  scale takes along. A batch's statistics need all of it before its first element can be scaled, so
  it is read twice where it does not fit in SBUF.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Work
from .passes import Passes
from .rule import Rule

_STATISTICS: Final = "float32"
"""The dtype of means and deviations of halves."""

_LAYER: Final = Passes(single=1, reduced=1)
_LAYER_BACKWARD: Final = Passes(single=2, paired=4, reduced=4)
_RMS: Final = Passes(single=1, scalar=1)
_RMS_BACKWARD: Final = Passes(single=2, paired=4, reduced=2)
_CHANNEL: Final = Passes(single=1, reduced=1)
_CHANNEL_BACKWARD: Final = Passes(single=2, paired=2, reduced=2)
_SCALED: Final = Passes(single=1)
_WEIGHTED: Final = Passes(paired=1)


def _statistics(source: Tensor, count: int) -> Tensor:
    half = source.dtype in ("bfloat16", "float16")
    return Tensor((count,), _STATISTICS if half else source.dtype)


def _row_count(source: Tensor, normalized: list[int] | None) -> int:
    length = product(normalized) if normalized else source.size(-1)
    return source.numel // max(length, 1)


def _by_rows(rule: str, passes: Passes, *, statistics: int) -> Rule:
    """Over the last dimensions.

    Args:
        rule: What it is called.
        passes: Those without weight and bias.
        statistics: How many numbers a row it gives beside the result.
    """

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        weights = call.operands(4)[1:]
        kept = [_statistics(source, _row_count(source, call.numbers(1)))] * statistics
        total = passes
        for _ in weights:
            total += _WEIGHTED
        return total.work(
            f"{rule}, one kernel", source, read=[source, *weights], written=[source, *kept]
        )

    return work


def _by_rows_backward(rule: str, passes: Passes, *, weights_at: slice, mask_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        gradient, source = call.tensor(0), call.tensor(1)
        if not (gradient and source):
            return None
        weights = [each for each in call.arguments[weights_at] if isinstance(each, Tensor)]
        wanted = call.flags(mask_at) or [True] * 3
        made = [each for each, is_wanted in zip([source, *weights], wanted) if is_wanted]
        return passes.work(
            f"{rule} backward, one kernel",
            source,
            read=call.operands(mask_at),
            written=made,
        )

    return work


def _backward_of_rows(rule: str, passes: Passes) -> Rule:
    """The backward pass, from the forward call."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        weights = call.operands(4)[1:]
        kept = _statistics(source, _row_count(source, call.numbers(1)))
        return passes.work(
            f"{rule} backward, one kernel",
            source,
            read=[source, source, kept, *weights],
            written=[source, *weights],
        )

    return work


def _by_channels(*, trains_at: int | bool, keeps_statistics: bool) -> Rule:
    """``batch_norm``: over everything but the channels.

    Args:
        trains_at: Which argument says whether the statistics are the batch's; or the answer.
        keeps_statistics: Whether the statistics are results too.
    """

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None or len(source.shape) < 2:
            return None
        trains = trains_at if isinstance(trains_at, bool) else call.flag(trains_at)
        if not trains:
            return _SCALED.work(
                "batch_norm, one kernel", source, read=call.operands(5), written=[source]
            )
        kept = [_statistics(source, source.shape[1])] * 2 if keeps_statistics else []
        running = [each for each in call.arguments[3:5] if isinstance(each, Tensor)]
        return _CHANNEL.work(
            "batch_norm, one kernel",
            source,
            read=call.operands(5),
            written=[source, *kept, *running],
            reread_bytes=source.nbytes,
        )

    return work


def _by_channels_backward(*, source_at: int, mask_at: int) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        source, gradient = call.tensor(source_at), call.tensor(1 - source_at)
        if not (gradient and source):
            return None
        wanted = call.flags(mask_at) or [True] * 3
        weights = [_statistics(source, source.size(1))] * 2
        weight = call.tensor(2)
        weights = [weight, weight] if weight else weights
        made = [each for each, is_wanted in zip([source, *weights], wanted) if is_wanted]
        return _CHANNEL_BACKWARD.work(
            "batch_norm backward, one kernel",
            source,
            read=call.operands(7),
            written=made,
            reread_bytes=source.nbytes + gradient.nbytes,
        )

    return work


def _by_groups(*, weights_at: int, sizes_at: int | None) -> Rule:
    """``group_norm``: over groups of channels of each of the batch.

    Args:
        weights_at: The first argument that is a weight.
        sizes_at: Where the number in the batch is, and three further the number of groups; None
            where the statistics are no results.
    """

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        kept: list[Tensor] = []
        if sizes_at is not None:
            count = source.size(0) * (call.number(sizes_at + 3) or 1)
            kept = [_statistics(source, count)] * 2
        weights = [
            each for each in call.arguments[weights_at : weights_at + 2] if isinstance(each, Tensor)
        ]
        return _CHANNEL.work(
            "group_norm, one kernel", source, read=[source, *weights], written=[source, *kept]
        )

    return work


def _by_groups_backward(call: OperatorCall) -> Work | None:
    gradient, source = call.tensor(0), call.tensor(1)
    if not (gradient and source):
        return None
    weights = call.tensor(4) or source.shaped((source.size(1),))
    wanted = call.flags(9) or [True] * 3
    made = [each for each, is_wanted in zip([source, weights, weights], wanted) if is_wanted]
    return _CHANNEL_BACKWARD.work(
        "group_norm backward, one kernel", source, read=call.operands(5), written=made
    )


def _weight(*, backward: bool) -> Rule:
    """``weight_norm``: a length for each row, and the rows scaled to it."""

    def work(call: OperatorCall) -> Work | None:
        rows, lengths = (call.tensor(index) for index in ((1, 2) if backward else (0, 1)))
        if not (rows and lengths):
            return None
        passes = _RMS_BACKWARD if backward else _RMS
        made = [rows, lengths]
        return passes.work("weight_norm, one kernel", rows, read=call.operands(4), written=made)

    return work


RULES: Final[dict[str, Rule]] = {
    "layer_norm": _by_rows("layer_norm", _LAYER, statistics=0),
    "native_layer_norm": _by_rows("layer_norm", _LAYER, statistics=2),
    "native_layer_norm_backward": _by_rows_backward(
        "layer_norm", _LAYER_BACKWARD, weights_at=slice(5, 7), mask_at=7
    ),
    "rms_norm": _by_rows("rms_norm", _RMS, statistics=0),
    "_fused_rms_norm": _by_rows("rms_norm", _RMS, statistics=1),
    "_fused_rms_norm_backward": _by_rows_backward(
        "rms_norm", _RMS_BACKWARD, weights_at=slice(4, 5), mask_at=5
    ),
    "batch_norm": _by_channels(trains_at=5, keeps_statistics=False),
    **dict.fromkeys(
        (
            "native_batch_norm",
            "_native_batch_norm_legit",
            "_native_batch_norm_legit_functional",
            "cudnn_batch_norm",
            "miopen_batch_norm",
        ),
        _by_channels(trains_at=5, keeps_statistics=True),
    ),
    "_batch_norm_with_update": _by_channels(trains_at=True, keeps_statistics=True),
    **dict.fromkeys(
        (
            "_native_batch_norm_legit_no_training",
            "_batch_norm_no_update",
            "quantized_batch_norm",
            "batch_norm_elemt",
        ),
        _by_channels(trains_at=False, keeps_statistics=False),
    ),
    "native_batch_norm_backward": _by_channels_backward(source_at=1, mask_at=9),
    "batch_norm_backward": _by_channels_backward(source_at=1, mask_at=9),
    **dict.fromkeys(
        ("cudnn_batch_norm_backward", "miopen_batch_norm_backward"),
        _by_channels_backward(source_at=0, mask_at=-1),
    ),
    "group_norm": _by_groups(weights_at=2, sizes_at=None),
    "native_group_norm": _by_groups(weights_at=1, sizes_at=3),
    "native_group_norm_backward": _by_groups_backward,
    "_weight_norm_interface": _weight(backward=False),
    "_weight_norm_interface_backward": _weight(backward=True),
}

BACKWARD_RULES: Final[dict[str, Rule]] = {
    "layer_norm": _backward_of_rows("layer_norm", _LAYER_BACKWARD),
    "rms_norm": _backward_of_rows("rms_norm", _RMS_BACKWARD),
    "_fused_rms_norm": _backward_of_rows("rms_norm", _RMS_BACKWARD),
}
"""Backward rules by the forward operator's name, from its call."""
