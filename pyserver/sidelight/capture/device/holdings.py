"""What the memory is held by at its peak: weights, gradients, optimizer state, and the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import torch

from .memory import Memory, Peak, Storage


class _Parts(NamedTuple):
    """Bytes at the peak, by what holds them."""

    weights: int = 0
    gradients: int = 0
    optimizer: int = 0


class Holdings:
    """Looks, at each boundary of steps, what made up the peak since the last.

    The peak itself lies anywhere in between; what it held then of weights, gradients and optimizer
    state is what the boundary still finds of them that is no younger, and those gradients of the
    step before that were not let go of by then: programs do that before or behind a forward pass.

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
        self._latest_gradients: list[Storage] = []

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
        if isinstance(subject, torch.optim.Optimizer):
            self._follow_gradients()

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

        def held_bytes(storages: Iterable[Storage]) -> int:
            total_bytes = 0
            for storage in storages:
                was_held = storage.device == device and self._memory.was_held_at(peak, storage)
                if was_held and storage.number not in counted:
                    counted.add(storage.number)
                    total_bytes += storage.size_bytes
            return total_bytes

        parameters = list(self._parameters())
        gradients = self._storages(_gradients_of(parameters))
        return _Parts(
            weights=held_bytes(self._storages(parameters)),
            gradients=held_bytes([*gradients, *self._latest_gradients]),
            optimizer=held_bytes(self._storages(self._optimizer_state())),
        )

    def _follow_gradients(self) -> None:
        """Know until the next step when the gradients that there are now are let go of."""
        self._latest_gradients = list(self._storages(_gradients_of(self._trained())))
        self._memory.follow(self._latest_gradients)

    def _storages(self, tensors: Iterable[torch.Tensor]) -> Iterator[Storage]:
        """What is known of the storages of tensors that are on a device."""
        return filter(None, map(self._memory.storage_of, tensors))

    def _parameters(self) -> Iterator[torch.Tensor]:
        for module in list(self._modules.values()):
            yield from module.parameters()
        yield from self._trained()

    def _trained(self) -> Iterator[torch.Tensor]:
        """The parameters that optimizers change."""
        for optimizer in list(self._optimizers.values()):
            for group in optimizer.param_groups:
                yield from group["params"]

    def _optimizer_state(self) -> Iterator[torch.Tensor]:
        for optimizer in list(self._optimizers.values()):
            for state in optimizer.state.values():
                for value in state.values():
                    if isinstance(value, torch.Tensor):
                        yield value


def _gradients_of(parameters: Iterable[torch.Tensor]) -> Iterator[torch.Tensor]:
    for parameter in parameters:
        if parameter.grad is not None:
            yield parameter.grad
