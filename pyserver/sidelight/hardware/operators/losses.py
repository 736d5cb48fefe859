"""Losses and distances: one kernel each, forward and backward.

What an element passes, from the formulas: a difference of two operands, what is made of it, and the
sum where the result is one number. ``nll_loss`` picks one element of each row: a piece of memory of
its own each.
"""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product, total_bytes
from ..work import Matmul, Work
from .passes import Passes
from .rule import Rule

_NOT_REDUCED: Final = 0


def _loss(passes: Passes, *, operands: int, reduction_at: int) -> Rule:
    """An elementwise loss, and its sum or mean unless every element is wanted."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        every = call.number(reduction_at) == _NOT_REDUCED
        total = passes if every else passes + Passes(reduced=1)
        result = source if every else source.shaped(())
        read = call.operands(operands)
        return total.work("loss, one kernel", source, read=read, written=[result])

    return work


def _loss_backward(passes: Passes, *, operands: int) -> Rule:
    """The gradient has the size of the source; what came may be one number."""

    def work(call: OperatorCall) -> Work | None:
        source, read = call.tensor(1), call.operands(operands)
        if source is None:
            return None
        return passes.work("loss backward, one kernel", source, read=read, written=[source])

    return work


def _picked(call: OperatorCall) -> Work | None:
    """``nll_loss``: the element of each row that the target names, weighted and summed."""
    source, target = call.tensor(0), call.tensor(1)
    if not (source and target):
        return None
    every = call.number(3) == _NOT_REDUCED
    result, weight_sum = source.shaped(target.shape if every else ()), source.shaped(())
    picked = source.shaped(target.shape)
    weights = call.tensor(2)
    return Work(
        "negative log likelihood",
        flops=2 * picked.numel,
        read_bytes=total_bytes([picked, target, *([weights] if weights else [])]),
        written_bytes=total_bytes([result, weight_sum]),
        reduced_elements=picked.numel,
        dtype=source.dtype,
        descriptors=picked.numel,
    )


def _picked_backward(call: OperatorCall) -> Work | None:
    """Zeros, and one element of each row."""
    source, target = call.tensor(1), call.tensor(2)
    if not (source and target):
        return None
    read = [each for index in (0, 2, 3, 6) if (each := call.tensor(index))]
    return Work(
        "negative log likelihood backward",
        flops=target.numel,
        read_bytes=total_bytes(read),
        written_bytes=source.nbytes,
        vector_elements=source.numel,
        dtype=source.dtype,
        descriptors=target.numel,
    )


def _sequence_loss(call: OperatorCall) -> Work | None:
    """``ctc_loss``: at each time, each state of the extended target is reached from three."""
    log_probabilities, targets = call.tensor(0), call.tensor(1)
    if not (log_probabilities and targets) or len(log_probabilities.shape) < 2:
        return None
    times, batch = log_probabilities.shape[0], log_probabilities.size(1)
    longest = targets.size(-1) if len(targets.shape) == 2 else targets.numel // max(batch, 1)
    states = log_probabilities.shaped((batch, times, 2 * longest + 1))
    passes = Passes(paired=3, scalar=4)
    return passes.work(
        "sequence loss, one kernel",
        states,
        read=[log_probabilities, targets],
        written=[states, states.shaped((batch,))],
    )


def _sequence_loss_backward(call: OperatorCall) -> Work | None:
    gradient, log_probabilities = call.tensor(0), call.tensor(1)
    states = call.tensor(6)
    if not (gradient and log_probabilities and states):
        return None
    passes = Passes(paired=5, scalar=4)
    read = call.operands(7)
    return passes.work(
        "sequence loss backward, one kernel", states, read=read, written=[log_probabilities]
    )


def _distances(call: OperatorCall) -> Work | None:
    """``cdist``: all pairs of rows; the Euclidean ones may come from a product."""
    left, right = call.tensor(0), call.tensor(1)
    if not (left and right) or min(len(left.shape), len(right.shape)) < 2:
        return None
    batch = max(product(left.shape[:-2]), product(right.shape[:-2]))
    m, k, n = left.shape[-2], left.shape[-1], right.shape[-2]
    result = left.shaped((batch, m, n))
    by_product = call.name.endswith("_euclidean_dist")
    products = Matmul(batch, m, k, n, left.dtype)
    return Work(
        "distances",
        flops=products.flops if by_product else 3 * result.numel * k,
        read_bytes=total_bytes([left, right]),
        written_bytes=result.nbytes,
        matmuls=(products,) if by_product else (),
        vector_elements=0 if by_product else 2 * result.numel * k,
        reduced_elements=0 if by_product else result.numel * k,
        scalar_elements=result.numel,
        dtype=left.dtype,
    )


def _distances_backward(call: OperatorCall) -> Work | None:
    """The gradient of one side: every difference again, weighted with what came."""
    gradient, left, right = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (gradient and left and right):
        return None
    compared = gradient.shaped((gradient.numel * left.size(-1),))
    read = [each for index in (0, 1, 2, 4) if (each := call.tensor(index))]
    passes = Passes(paired=2, reduced=1)
    return passes.work("distances backward", compared, read=read, written=[left])


def _own_distances(call: OperatorCall) -> Work | None:
    """``pdist``: the pairs of one set of rows."""
    rows = call.tensor(0)
    if rows is None or len(rows.shape) != 2:
        return None
    pairs = rows.shape[0] * (rows.shape[0] - 1) // 2
    compared = rows.shaped((pairs, rows.shape[1]))
    passes = Passes(paired=1, reduced=1)
    made = [rows.shaped((pairs,))]
    return passes.work("distances", compared, read=[rows], written=made)


def _distance(call: OperatorCall) -> Work | None:
    operands = call.operands(2)
    if len(operands) < 2:
        return None
    passes = Passes(paired=1, reduced=1, scalar=1)
    result = Tensor((), operands[0].dtype)
    return passes.work("distance", operands[0], read=operands, written=[result])


_SQUARED: Final = Passes(paired=1, scalar=1)
_PIECEWISE: Final = Passes(single=2, paired=2)
_LOGARITHMS: Final = Passes(paired=3, scalar=2)

RULES: Final[dict[str, Rule]] = {
    "mse_loss": _loss(_SQUARED, operands=2, reduction_at=2),
    "mse_loss_backward": _loss_backward(Passes(paired=2), operands=3),
    **dict.fromkeys(
        ("smooth_l1_loss", "huber_loss"), _loss(_PIECEWISE, operands=2, reduction_at=2)
    ),
    **dict.fromkeys(
        ("smooth_l1_loss_backward", "huber_loss_backward"),
        _loss_backward(_PIECEWISE, operands=3),
    ),
    "binary_cross_entropy": _loss(_LOGARITHMS, operands=3, reduction_at=3),
    "binary_cross_entropy_with_logits": _loss(_LOGARITHMS, operands=4, reduction_at=4),
    "binary_cross_entropy_backward": _loss_backward(Passes(paired=3, scalar=1), operands=4),
    "soft_margin_loss": _loss(_LOGARITHMS, operands=2, reduction_at=2),
    "soft_margin_loss_backward": _loss_backward(Passes(paired=2, scalar=1), operands=3),
    "multi_margin_loss": _loss(_PIECEWISE, operands=2, reduction_at=5),
    "multi_margin_loss_backward": _loss_backward(_PIECEWISE, operands=3),
    "multilabel_margin_loss_forward": _loss(_PIECEWISE, operands=2, reduction_at=2),
    "multilabel_margin_loss_backward": _loss_backward(_PIECEWISE, operands=5),
    **dict.fromkeys(("nll_loss_forward", "nll_loss2d_forward"), _picked),
    **dict.fromkeys(("nll_loss_backward", "nll_loss2d_backward"), _picked_backward),
    **dict.fromkeys(("_ctc_loss", "_cudnn_ctc_loss"), _sequence_loss),
    "_ctc_loss_backward": _sequence_loss_backward,
    **dict.fromkeys(("_cdist_forward", "_euclidean_dist"), _distances),
    "_cdist_backward": _distances_backward,
    "_pdist_forward": _own_distances,
    "dist": _distance,
}
