"""Runs a script on a device that computes on the CPU: puts all the parts in place."""

from __future__ import annotations

from typing import Any

import torch

from ..device import early_stop, generators, module as neuron
from ..device.another_package import say_device_is_left
from ..device.assumption import Assumption
from ..device.holdings import Holdings
from ..device.memory import Memory
from ..device.one_device import OneDevice
from ..device.requested_clock import clock_for
from ..device.uncaught import Uncaught
from ..device.whole_operators import WholeOperators
from ..notes import Notes
from ..user_code import UserCode
from . import collectives, operators, storages, whole_storages
from .answering import Answering
from .wide_types import warned_of


class VirtualSession:
    """Everything that target ``virtual`` is made of.

    Args:
        request: ``chip`` and ``lnc`` of the core that is to be predicted for, where it says.
        notes: What there is to say.
        user_code: Which lines are the script's.

    Attributes:
        clock: The device's clock.
        device: The device; None where another one has been registered, which has the say.
        holdings: Is told of the boundaries of steps.

    Raises:
        ImportError, AttributeError, TypeError: This torch keeps something elsewhere.
    """

    def __init__(self, request: dict[str, Any], notes: Notes, user_code: UserCode) -> None:
        self._notes = notes
        self._memory = memory = Memory(_device_of)
        self.holdings = Holdings(memory)
        self.clock = clock_for(request)
        self._assumption = Assumption(notes, neuron.DEVICE)
        self._uncaught = Uncaught(notes, user_code.raising_line)
        self._whole_operators = WholeOperators(self.clock)
        self._answering = Answering(self._whole_operators.ran, self.clock.waited)
        self._named = OneDevice(notes).named
        self.device = neuron.install(memory, self.clock, self._named, draws=True)

    def begin(self) -> None:
        """Have the device compute from now on."""
        self._uncaught.install()
        early_stop.install()
        if self.device is None:
            say_device_is_left(self._notes, neuron.DEVICE, predicts_it=False)
            return
        storages.watch(warned_of(self._memory.storage_made), self._named)
        generators.install()
        whole_storages.install()
        operators.install(self._answering, self._whole_operators)
        self._whole_operators.install()
        collectives.install(self._answering)

    def end(self) -> None:
        """The script has ended; its tensors stay what they are."""
        self._uncaught.remove()

    def forked(self) -> None:
        """In a forked child, which is not measured, and may begin with the device but not go on."""
        self._memory.forget()
        if self._answering.used:
            self._answering.in_forked_child = True
            if self.device is not None:
                self.device.is_in_bad_fork = True

    def as_json(self) -> dict[str, Any]:
        """What ``capture.json`` holds of the session; the notes hold what it assumes.

        What a program holds on the host is not counted.
        """
        device = self._memory.compute_device().type
        if self.device is not None:
            self._assumption.computes_on(device)
        memory = self.holdings.as_json() if device == neuron.DEVICE else None
        lists = self._answering.lists.as_json()
        return {"memory": memory, "computes_on": device, "tensor_lists": lists}


def _device_of(tensor: torch.Tensor) -> torch.device | None:
    """Where a tensor counts as being; None for one that is not on the device."""
    return storages.DEVICE if storages.is_on_device(tensor) else None
