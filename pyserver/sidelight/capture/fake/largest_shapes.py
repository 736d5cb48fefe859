"""Results that have as many rows as values say: without values they have the most that they could.

Masks, ``nonzero`` and ``unique`` are priced so wherever they are predicted (docs/prediction.md).
"""

from __future__ import annotations

from math import prod
from typing import Any, Callable

import torch

from . import private
from .failures import Failures
from .mode import ValuelessMode

_aten: Any = torch.ops.aten


class LargestShapes:
    """Gives such results, from its making on.

    Args:
        mode: The mode whose tensors they are.
        failures: Is told of them.
    """

    def __init__(self, mode: ValuelessMode, failures: Failures) -> None:
        self._mode = mode
        self._failures = failures
        givers: dict[Any, Callable[..., Any]] = {
            _aten.nonzero.default: _nonzero,
            _aten.masked_select.default: _masked_select,
            _aten._unique2.default: _unique,
            _aten.unique_dim.default: _unique_along,
            _aten.unique_consecutive.default: _unique_consecutive,
        }
        for operator, give in givers.items():
            mode.shape_rules[operator] = self._rule(give)

    def _rule(self, give: Callable[..., Any]) -> Callable[..., Any]:
        def rule(func: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
            tensors = [each for each in arguments if isinstance(each, torch.Tensor)]
            if all(self._mode.knows(tensor) for tensor in tensors):
                return NotImplemented
            with self._mode:
                result = give(*arguments, **keywords)
            largest = result if isinstance(result, torch.Tensor) else result[0]
            self._failures.largest_taken(func, largest.shape[0] if largest.dim() else 1)
            return result

        return rule


def _nonzero(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.new_empty((tensor.numel(), tensor.dim()), dtype=torch.long)


def _masked_select(tensor: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return tensor.new_empty(prod(private.broadcast_shapes(tensor.shape, mask.shape)))


def _unique(
    tensor: torch.Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[torch.Tensor, ...]:
    numbers = tensor.numel()
    inverse = tensor.shape if return_inverse else (0,)
    return _with_places(tensor, (numbers,), inverse, (numbers if return_counts else 0,))


def _unique_along(
    tensor: torch.Tensor,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[torch.Tensor, ...]:
    rows = tensor.shape[dim]
    inverse = (rows if return_inverse else 0,)
    return _with_places(tensor, tensor.shape, inverse, (rows if return_counts else 0,))


def _unique_consecutive(
    tensor: torch.Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> tuple[torch.Tensor, ...]:
    if dim is None:
        return _unique(tensor, True, return_inverse, return_counts)
    return _unique_along(tensor, dim, True, return_inverse, return_counts)


def _with_places(
    tensor: torch.Tensor,
    shape: tuple[int, ...],
    inverse: tuple[int, ...],
    counts: tuple[int, ...],
) -> tuple[torch.Tensor, ...]:
    """Values of a shape, and two tensors of places or numbers of them."""
    return (
        tensor.new_empty(shape),
        tensor.new_empty(inverse, dtype=torch.long),
        tensor.new_empty(counts, dtype=torch.long),
    )
