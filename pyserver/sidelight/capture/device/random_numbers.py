"""The device's random numbers: ``torch.neuron.manual_seed`` and its like.

A stand-in draws from the host's generator, so that a program's numbers are those of its run on the
CPU; what seeds the device seeds that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

_default: torch.Generator = torch.default_generator


class RandomNumbers:
    """The functions of one device.

    Args:
        draws: Whether the stand-in draws any; otherwise seeding has nothing to do.
    """

    def __init__(self, *, draws: bool) -> None:
        self._draws = draws

    def manual_seed(self, seed: int) -> None:
        """Begin the numbers anew from a seed."""
        if self._draws:
            _default.manual_seed(int(seed))

    def manual_seed_all(self, seed: int) -> None:
        """The same for each device, of which there is one."""
        self.manual_seed(seed)

    def seed(self) -> None:
        """Begin the numbers anew from a seed that is drawn."""
        if self._draws:
            _default.seed()

    def seed_all(self) -> None:
        """The same for each device, of which there is one."""
        self.seed()

    def initial_seed(self) -> int:
        """The seed that the numbers began from."""
        return _default.initial_seed()

    def get_rng_state(self, device: Any = None) -> torch.Tensor:
        """Where the numbers are."""
        return _default.get_state()

    def set_rng_state(self, new_state: torch.Tensor, device: Any = None) -> None:
        """Go on with the numbers from where they were."""
        if self._draws:
            _default.set_state(new_state)

    def get_rng_state_all(self) -> list[torch.Tensor]:
        """Where the numbers of each device are."""
        return [self.get_rng_state()]

    def set_rng_state_all(self, new_states: Iterable[torch.Tensor]) -> None:
        """Go on with the numbers of each device from where they were."""
        for state in new_states:
            self.set_rng_state(state)
