"""Runs a script on a device that computes on the CPU: puts all the parts in place."""

from __future__ import annotations

from typing import Any

import torch

from ..device import module as neuron
from ..device.clock import clock_for
from ..device.holdings import Holdings
from ..device.memory import Memory
from ..notes import Notes
from ..user_code import UserCode
from . import generators, operators, storages, whole_storages
from .answering import Answering


class VirtualSession:
    """Everything that target ``virtual`` is made of.

    Args:
        request: ``chip`` and ``lnc`` of the core that is to be predicted for, where it says.
        notes: What there is to say.
        user_code: Which lines are the script's.

    Attributes:
        holdings: Is told of the boundaries of steps.

    Raises:
        ImportError, AttributeError, TypeError: This torch keeps something elsewhere.
    """

    def __init__(self, request: dict[str, Any], notes: Notes, user_code: UserCode) -> None:
        self._notes = notes
        self._memory = memory = Memory(_device_of)
        self.holdings = Holdings(memory)
        clock = clock_for(request)
        self._answering = Answering(clock.ran, clock.waited)
        neuron.install(memory, clock, draws=True)

    def begin(self) -> None:
        """Have the device compute from now on."""
        storages.watch(self._memory.storage_made)
        generators.install()
        whole_storages.install()
        operators.install(self._answering)

    def end(self) -> None:
        """The script has ended; its tensors stay what they are."""

    def forked(self) -> None:
        """In a forked child, which is not measured."""
        self._memory.forget()
        self._answering.in_forked_child = self._answering.used

    def as_json(self) -> dict[str, Any]:
        """What ``capture.json`` holds of the session."""
        return {
            "memory": self.holdings.as_json(),
            "computes_on": self._memory.compute_device().type,
        }


def _device_of(tensor: torch.Tensor) -> torch.device | None:
    """Where a tensor counts as being; None for one that is not on the device."""
    return storages.DEVICE if tensor.device.type == storages.DEVICE.type else None
