"""Shapes that torch does not tell without computing, although no value decides them."""

from __future__ import annotations

import functools
from typing import Any, Callable

import torch

from .mode import ValuelessMode

_aten: Any = torch.ops.aten


def install(mode: ValuelessMode) -> None:
    """Have the mode tell them from now on."""

    def within(give: Any) -> Any:
        def rule(func: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
            with mode:
                return give(*arguments, **keywords)

        return rule

    mode.rules[_aten._thnn_fused_gru_cell.default] = within(_gru_cell)
    mode.rules[_aten._thnn_fused_gru_cell_backward.default] = within(_gru_cell_backward)
    module: Any = torch
    module.ctc_loss = _with_lengths_on_device(module.ctc_loss)
    for operator in (_aten._ctc_loss, _aten._ctc_loss_backward):
        give = _ctc_loss if operator is _aten._ctc_loss else _ctc_loss_backward
        for name in ("default", "Tensor"):
            mode.rules[getattr(operator, name)] = within(give)


def _with_lengths_on_device(real: Callable[..., Any]) -> Callable[..., Any]:
    """``torch.ctc_loss``, which takes lengths apart on the host where they are numbers."""

    @functools.wraps(real)
    def ctc_loss(
        log_probabilities: torch.Tensor, targets: Any, lengths: Any, target_lengths: Any, *rest: Any
    ) -> Any:
        on_device = (
            torch.as_tensor(each).to(log_probabilities.device) for each in (lengths, target_lengths)
        )
        return real(log_probabilities, targets, *on_device, *rest)

    return ctc_loss


def _ctc_loss(
    log_probabilities: torch.Tensor, targets: torch.Tensor, *rest: Any, **options: Any
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss of N samples, (N,), and what its derivative needs, (N, T, 2 S + 1).

    T is the number of time steps, S that of a target's labels: those of the longest that there may
    be.
    """
    steps, samples, _ = log_probabilities.shape
    states = 2 * targets.shape[-1] + 1
    return (
        log_probabilities.new_empty(samples),
        log_probabilities.new_empty(samples, steps, states),
    )


def _ctc_loss_backward(
    grad: torch.Tensor, log_probabilities: torch.Tensor, *rest: Any, **options: Any
) -> torch.Tensor:
    """The gradient of the logarithms of the probabilities, as they are."""
    return torch.empty_like(log_probabilities)


def _gru_cell(
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    hidden: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The next hidden state of N samples, (N, H), and what its derivative needs, (N, 5H)."""
    samples, width = hidden.shape
    return torch.empty_like(hidden), hidden.new_empty(samples, 5 * width)


def _gru_cell_backward(
    grad_hidden: torch.Tensor, values: torch.Tensor, has_bias: bool
) -> tuple[torch.Tensor | None, ...]:
    """The gradients of both gates, (N, 3H), of the hidden state, (N, H), and both biases, (3H,)."""
    samples, width = grad_hidden.shape
    gates = [values.new_empty(samples, 3 * width) for _ in range(2)]
    biases = [values.new_empty(3 * width) if has_bias else None for _ in range(2)]
    return (*gates, torch.empty_like(grad_hidden), *biases)
