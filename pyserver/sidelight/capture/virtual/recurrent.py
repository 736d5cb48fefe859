"""Cells of recurrent layers, which torch has in one operator on devices and in several on the CPU.

Formulas: those of ``torch.nn.LSTMCell`` and ``torch.nn.GRUCell``, and their derivatives. Tensors
are the host's, with a row for each of N samples; the gates of H hidden units lie side by side.
"""

from __future__ import annotations

from typing import Any

import torch


def lstm_cell(
    input_gates: Any, hidden_gates: Any, cell: Any, input_bias: Any = None, hidden_bias: Any = None
) -> tuple[Any, Any, Any]:
    """The next hidden state and cell, both (N, H), and the gates' values, (N, 4H)."""
    gates = input_gates + hidden_gates
    if input_bias is not None:
        gates = gates + input_bias + hidden_bias
    into, forget, candidate, out = gates.chunk(4, 1)
    into, forget, out = into.sigmoid(), forget.sigmoid(), out.sigmoid()
    candidate = candidate.tanh()
    next_cell = forget * cell + into * candidate
    return out * next_cell.tanh(), next_cell, torch.cat((into, forget, candidate, out), 1)


def lstm_cell_backward(
    grad_hidden: Any, grad_next_cell: Any, cell: Any, next_cell: Any, values: Any, has_bias: bool
) -> tuple[Any, Any, Any]:
    """The gradients of the gates, (N, 4H), of the cell, (N, H), and of each bias, (4H,)."""
    into, forget, candidate, out = values.chunk(4, 1)
    squashed = next_cell.tanh()
    grad_hidden = torch.zeros_like(cell) if grad_hidden is None else grad_hidden
    grad_cell = grad_hidden * out * (1 - squashed * squashed)
    if grad_next_cell is not None:
        grad_cell = grad_cell + grad_next_cell
    grad_gates = torch.cat(
        (
            grad_cell * candidate * into * (1 - into),
            grad_cell * cell * forget * (1 - forget),
            grad_cell * into * (1 - candidate * candidate),
            grad_hidden * squashed * out * (1 - out),
        ),
        1,
    )
    return grad_gates, grad_cell * forget, grad_gates.sum(0) if has_bias else None


def gru_cell(
    input_gates: Any,
    hidden_gates: Any,
    hidden: Any,
    input_bias: Any = None,
    hidden_bias: Any = None,
) -> tuple[Any, Any]:
    """The next hidden state, (N, H), and what its derivative needs, (N, 5H)."""
    if input_bias is not None:
        input_gates, hidden_gates = input_gates + input_bias, hidden_gates + hidden_bias
    input_reset, input_update, input_new = input_gates.chunk(3, 1)
    hidden_reset, hidden_update, hidden_new = hidden_gates.chunk(3, 1)
    reset = (input_reset + hidden_reset).sigmoid()
    update = (input_update + hidden_update).sigmoid()
    new = (input_new + reset * hidden_new).tanh()
    values = torch.cat((reset, update, new, hidden, hidden_new), 1)
    return new + update * (hidden - new), values


def gru_cell_backward(
    grad_hidden: Any, values: Any, has_bias: bool
) -> tuple[Any, Any, Any, Any, Any]:
    """The gradients of both gates, (N, 3H), of the hidden state, (N, H), and both biases, (3H,)."""
    reset, update, new, hidden, hidden_new = values.chunk(5, 1)
    grad_new = grad_hidden * (1 - update) * (1 - new * new)
    grad_update = grad_hidden * (hidden - new) * update * (1 - update)
    grad_reset = grad_new * hidden_new * reset * (1 - reset)
    grad_input_gates = torch.cat((grad_reset, grad_update, grad_new), 1)
    grad_hidden_gates = torch.cat((grad_reset, grad_update, grad_new * reset), 1)
    return (
        grad_input_gates,
        grad_hidden_gates,
        grad_hidden * update,
        grad_input_gates.sum(0) if has_bias else None,
        grad_hidden_gates.sum(0) if has_bias else None,
    )
