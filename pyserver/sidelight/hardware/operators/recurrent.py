"""Recurrent layers: whole ones, and their cells.

A layer is two products a direction: the inputs of all times at once, and the hidden state time
after time, which is a product of the batch's rows for each. The Scalar Engine evaluates gates, the
Vector Engine combines them. Backward, each product comes twice: for what went in and for the
weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor
from ..work import Matmul, Work
from .passes import Passes
from .rule import Rule

_GATE: Final = Passes(paired=3, scalar=1)
"""What each gate's number passes: its bias, the gate's function, and how gates combine."""

_MODES: Final = ("rnn_relu", "rnn_tanh", "lstm", "gru")
"""What the numbers of cuDNN's and oneDNN's modes stand for."""


@dataclass(frozen=True)
class _Layer:
    """One layer in one direction.

    Attributes:
        inputs: The weights that meet the inputs, ``[gates * hidden, features]``.
        hidden: The weights that meet the hidden state, ``[gates * hidden, width]``.
        projection: Those that make fewer numbers of the hidden state, ``[width, hidden]``.
    """

    inputs: Tensor
    hidden: Tensor
    projection: Tensor | None = None

    def matmuls(self, times: int, batch: int) -> tuple[Matmul, ...]:
        """All times at once, and one product of the batch's rows for each time."""
        dtype = self.inputs.dtype
        gates, features = self.inputs.shape
        width = self.hidden.shape[1]
        products = (
            Matmul(1, times * batch, features, gates, dtype),
            Matmul(times, batch, width, gates, dtype),
        )
        if self.projection is None:
            return products
        projected, hidden = self.projection.shape
        return (*products, Matmul(times, batch, hidden, projected, dtype))


def _layers_work(
    rule: str, sequence: Tensor, layers: list[_Layer], read: list[Tensor], made: list[Tensor]
) -> Work:
    """The layers of a sequence ``[times, batch, features]`` or with the batch first."""
    times, batch = sequence.size(0), sequence.size(1)
    matmuls = tuple(each for layer in layers for each in layer.matmuls(times, batch))
    numbers = sum(times * batch * layer.inputs.shape[0] for layer in layers)
    gates = _GATE.work(rule, sequence.shaped((numbers,)), read=read, written=made)
    return replace(gates, flops=sum(each.flops for each in matmuls) + gates.flops, matmuls=matmuls)


def _layers(weights: Sequence[Tensor]) -> list[_Layer]:
    """The layers and directions that weights are of; the biases, which are vectors, aside.

    There are two matrices each, or three where the hidden state is projected.
    """
    matrices = [each for each in weights if len(each.shape) == 2]
    is_projected = len(matrices) > 2 and _projects(matrices[1], matrices[2])
    step = 3 if is_projected else 2
    starts = range(0, len(matrices) - step + 1, step)
    return [_Layer(*matrices[index : index + step]) for index in starts]


def _projects(hidden: Tensor, projection: Tensor) -> bool:
    """Whether a matrix makes the hidden state that another meets: an LSTM's has four gates."""
    gates, width = hidden.shape
    return projection.shape == (width, gates // 4)


def _whole(kind: str) -> Rule:
    """``aten::lstm`` and its like: all layers and directions."""

    def work(call: OperatorCall) -> Work | None:
        sequence, weights = call.tensor(0), call.tensor_list(2)
        if sequence is None or len(sequence.shape) != 3 or not weights:
            return None  # packed sequences go step by step
        if call.flag(8):  # the batch comes first
            sequence = sequence.shaped((sequence.shape[1], sequence.shape[0], sequence.shape[2]))
        layers = _layers(weights)
        if not layers:
            return None
        states = [*call.tensor_list(1), *call.operands(2)[1:]]
        directions = 2 if call.flag(7) else 1
        width = layers[-1].hidden.shape[1] * directions
        result = sequence.shaped((*sequence.shape[:2], width))
        read = [sequence, *weights, *states]
        return _layers_work(f"{kind}, one kernel", sequence, layers, read, [result, *states])

    return work


def _one_layer(call: OperatorCall) -> Work | None:
    """``mkldnn_rnn_layer``: one layer in one direction."""
    sequence, inputs, hidden = call.tensor(0), call.tensor(1), call.tensor(2)
    mode, width = call.number(9), call.number(10)
    if not (sequence and inputs and hidden) or width is None or len(sequence.shape) != 3:
        return None
    if len(inputs.shape) != 2 or len(hidden.shape) != 2:
        return None
    kind = _MODES[mode] if mode is not None and 0 <= mode < len(_MODES) else "rnn"
    operands = call.operands(7)
    result = sequence.shaped((*sequence.shape[:2], width))
    made = [result, *operands[5:]]
    rule = f"{kind} layer, one kernel"
    return _layers_work(rule, sequence, [_Layer(inputs, hidden)], operands, made)


def _one_layer_backward(call: OperatorCall) -> Work | None:
    sequence, inputs, hidden = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (sequence and inputs and hidden) or len(sequence.shape) != 3:
        return None
    if len(inputs.shape) != 2 or len(hidden.shape) != 2:
        return None
    layer = _Layer(inputs, hidden)
    made = [sequence, *call.operands(7)[1:]]
    forward = _layers_work(
        "recurrent layer backward, one kernel", sequence, [layer], call.tensors, made
    )
    turned = tuple(_gradients(each) for each in forward.matmuls)
    return replace(
        forward,
        flops=2 * forward.flops,
        matmuls=tuple(each for pair in turned for each in pair),
        vector_elements=2 * forward.vector_elements,
    )


def _gradients(forward: Matmul) -> tuple[Matmul, Matmul]:
    """The products for what went in and for the weights, which gather all times."""
    to_inputs = replace(forward, k=forward.n, n=forward.k)
    to_weights = Matmul(1, forward.k, forward.batch * forward.m, forward.n, forward.dtype)
    return to_inputs, to_weights


def _layers_of_cudnn(call: OperatorCall) -> Work | None:
    sequence, weights = call.tensor(0), call.tensor_list(1)
    mode = call.number(6)
    if sequence is None or len(sequence.shape) != 3 or mode is None:
        return None
    layers = _layers(weights)
    if not layers:
        return None
    if call.flag(10):
        sequence = sequence.shaped((sequence.shape[1], sequence.shape[0], sequence.shape[2]))
    width = layers[-1].hidden.shape[1] * (2 if call.flag(13) else 1)
    result = sequence.shaped((*sequence.shape[:2], width))
    states = [each for index in (4, 5) if (each := call.tensor(index))]
    rule = f"{_MODES[mode] if 0 <= mode < len(_MODES) else 'rnn'}, one kernel"
    read = [sequence, *weights, *states]
    return _layers_work(rule, sequence, layers, read, [result, *states])


def _cell(*, gates: int, made: int, backward: bool = False) -> Rule:
    """A cell whose products are operators of their own: the gates, and how they combine.

    Args:
        gates: How many numbers there are for one of the hidden state.
        made: How many tensors of the hidden state's size come out, beside the gates themselves.
        backward: Whether it is the backward pass.
    """

    def work(call: OperatorCall) -> Work | None:
        operands = call.tensors
        if not operands:
            return None
        largest = max(operands, key=lambda each: each.numel)
        state = largest.shaped((largest.numel // gates,))
        passes = _GATE + Passes(paired=2) if backward else _GATE
        rule = "recurrent cell backward, one kernel" if backward else "recurrent cell, one kernel"
        return passes.work(rule, largest, read=operands, written=[largest, *[state] * made])

    return work


RULES: Final[dict[str, Rule]] = {
    **{kind: _whole(kind) for kind in _MODES},
    "mkldnn_rnn_layer": _one_layer,
    "mkldnn_rnn_layer_backward": _one_layer_backward,
    **dict.fromkeys(("_cudnn_rnn", "miopen_rnn"), _layers_of_cudnn),
    "_thnn_fused_lstm_cell": _cell(gates=4, made=2),
    "_thnn_fused_gru_cell": _cell(gates=3, made=1),
    "_thnn_fused_lstm_cell_backward_impl": _cell(gates=4, made=1, backward=True),
    "_thnn_fused_gru_cell_backward": _cell(gates=5, made=1, backward=True),
}
