"""What the memory is held by at its peak: weights, gradients, optimizer state, and the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import torch

from .memory import Memory, Peak


class _Parts(NamedTuple):
    """Bytes at the peak, by what holds them."""

    weights: int = 0
    gradients: int = 0
    optimizer: int = 0


class Holdings:
    """Looks, at each boundary of steps, what made up the peak since the last.

    The peak itself lies anywhere in between; what it held then of weights, gradients and optimizer
    state is what the boundary still finds of them that is no younger.

    Args:
        memory: What the program would hold.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._modules: WeakValueDictionary[int, torch.nn.Module] = WeakValueDictionary()
        self._optimizers: WeakValueDictionary[int, torch.optim.Optimizer] = WeakValueDictionary()
        self._has_begun = False
        self._parts = _Parts()
        self._peak: Peak | None = None

    def boundary(self, subject: Any) -> None:
        """A module is called that no other encloses, or an optimizer has stepped."""
        if not self._has_begun:
            self._has_begun = True
            self._memory.forget_building()
        if isinstance(subject, torch.nn.Module):
            self._modules[id(subject)] = subject
        elif isinstance(subject, torch.optim.Optimizer):
            self._optimizers[id(subject)] = subject
        self._look()

    def as_json(self) -> dict[str, int]:
        """The peak of the device that computes and its parts, as ``capture.json`` holds them."""
        self._look()
        total_bytes = 0 if self._peak is None else self._peak.total_bytes
        return {
            "peak_bytes": total_bytes,
            "weights_bytes": self._parts.weights,
            "gradients_bytes": self._parts.gradients,
            "optimizer_bytes": self._parts.optimizer,
            "activations_bytes": max(total_bytes - sum(self._parts), 0),
        }

    def _look(self) -> None:
        device = self._memory.compute_device()
        peak = self._memory.peaks.get(device)
        if peak is None or peak == self._peak:
            return
        parts = self._parts_of(device, peak)
        self._peak = peak
        # A program that has returned from its main function has let go of its modules.
        if parts.weights:
            self._parts = parts

    def _parts_of(self, device: torch.device, peak: Peak) -> _Parts:
        counted: set[int] = set()

        def held_bytes(tensors: Iterable[Any]) -> int:
            total_bytes = 0
            for tensor in tensors:
                known = self._memory.storage_of(tensor)
                if known is None or known[0] in counted:
                    continue
                key, storage = known
                if storage.device == device and storage.number <= peak.number:
                    counted.add(key)
                    total_bytes += storage.size_bytes
            return total_bytes

        parameters = list(self._parameters())
        gradients = (parameter.grad for parameter in parameters if parameter.grad is not None)
        return _Parts(
            weights=held_bytes(parameters),
            gradients=held_bytes(gradients),
            optimizer=held_bytes(self._optimizer_state()),
        )

    def _parameters(self) -> Iterator[torch.Tensor]:
        for module in list(self._modules.values()):
            yield from module.parameters()
        for optimizer in list(self._optimizers.values()):
            for group in optimizer.param_groups:
                yield from group["params"]

    def _optimizer_state(self) -> Iterator[torch.Tensor]:
        for optimizer in list(self._optimizers.values()):
            for state in optimizer.state.values():
                for value in state.values():
                    if isinstance(value, torch.Tensor):
                        yield value
